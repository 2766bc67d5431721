"""What the head of a request must be beyond what httptools checks, and what a request is refused with."""

import re
from http import HTTPStatus

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE
from websockets.datastructures import Headers
from websockets.http11 import Request

from app.core import json
from app.core.errors import AppError
from app.core.i18n.text import Text
from app.core.web.current import SAFE_METHODS
from app.core.web.errors import problem
from app.core.web.paths import is_for_programs

LARGEST_HEAD = 32 * 1024
"""The most bytes of a request's first line and headers."""
MOST_FIELDS = 128
"""The most headers of a request."""

Fields = list[tuple[bytes, bytes]]
"""Headers, their names in lower case."""

_CODES = {
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "too_large",
    HTTPStatus.SERVICE_UNAVAILABLE: "unavailable",
}
_PASSES = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_RETRY_AFTER = 10  # seconds
_HEALTH_CHECKS = ("/health/live", "/health/ready")
_VERSIONS = ("1.0", "1.1")  # httptools lets others pass
_HOST = re.compile(rb"[\w.~!$&'()*+,;=%:\[\]-]*", re.ASCII)  # RFC 9110, 7.2


class Refusal(Exception):  # noqa: N818 - it is an answer
    """The connection is closed with a status and a reason."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self._reason = reason

    def response(self, url: bytes) -> bytes:
        """Return the response that says so: a problem at an address of the API, text at any other."""
        kind, text = "text/plain; charset=utf-8", self._reason.encode()
        passes = self.status in _PASSES
        if is_for_programs(url.decode("latin-1")):
            code = _CODES.get(self.status, self.status.name.lower())
            error = AppError(
                code, self.status, Text(self._reason), extra={"retry_after": _RETRY_AFTER} if passes else {}
            )
            kind, text = "application/problem+json", json.encode(problem(error))
        later = f"retry-after: {_RETRY_AFTER}\r\n" if passes else ""
        head = f"content-type: {kind}\r\ncontent-length: {len(text)}\r\n{later}connection: close\r\n\r\n"
        return STATUS_LINE[self.status] + head.encode() + text


class TooLargeRefusal(Refusal):
    """The request is too large, apart from its body."""

    def __init__(self) -> None:
        super().__init__(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
            f"A request may have {LARGEST_HEAD // 1024} KiB and {MOST_FIELDS} headers besides its body.",
        )


def is_health_check(method: str, url: str) -> bool:
    """Return whether a request is a health check, which is answered however busy the process is."""
    return method in SAFE_METHODS and url.partition("?")[0] in _HEALTH_CHECKS


def check_head(headers: Fields, version: str) -> None:
    """Raise Refusal unless a request is of HTTP/1.1 or 1.0, and names one host, as only 1.0 need not.

    See RFC 9112, 3.2.
    """
    if version not in _VERSIONS:
        raise Refusal(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, "Send the request as HTTP/1.1.")
    hosts = [value for name, value in headers if name == b"host"]
    is_missing = not hosts and version != "1.0"
    if is_missing or len(hosts) > 1 or not all(map(_HOST.fullmatch, hosts)):
        raise Refusal(HTTPStatus.BAD_REQUEST, "A request needs one Host header, with the name of a host.")


def check_no_body(headers: Fields) -> None:
    """Raise Refusal if an upgrade has a body, which httptools would take for the next request."""
    for name, value in headers:
        if name == b"transfer-encoding" or (name == b"content-length" and value.strip(b"0")):
            raise Refusal(HTTPStatus.BAD_REQUEST, "A request with an Upgrade must not have a body.")


def handshake(method: str, url: bytes, version: str, headers: Fields) -> Request:
    """Return a request as `websockets` would have parsed it."""
    address = httptools.parse_url(url)
    query = b"?" + address.query if address.query else b""
    return Request(
        (address.path + query).decode("ascii"),
        Headers([(name.decode("ascii"), value.decode("latin-1")) for name, value in headers]),
        method,
        f"HTTP/{version}",
    )


def serialized(request: Request) -> bytes:
    """Return a request as it is sent to another process."""
    return f"{request.method} {request.path} {request.protocol}\r\n{request.headers}".encode("latin-1")
