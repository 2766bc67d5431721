"""The bounds of every request: how large it is, and of how many parts the server has to make something.

Parsing takes a time for each parameter, field, member or part, however small they are.
"""

import re
from collections import Counter
from collections.abc import Mapping

from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope, Send

from app.core.web.current import OfRequests

_MOST_BYTES = 512 * 1024  # the largest legitimate body is a record file of 256 KiB
_SIZE = re.compile(rb"[0-9]{1,20}")  # of 64 bits; Python converts only numbers of some thousand digits
_MOST_PARAMETERS = 200  # of a query, or fields of a form: three times as many as any page sends
_MOST_MEMBERS = 2_000  # of all objects of a JSON body; colons in its texts count as well
_MOST_ELEMENTS = 25_000  # of all its arrays: 200 boards of Golden Nugget have 99 moves at most


class RequestBounds(OfRequests):
    """Refuses requests beyond the bounds, by what they declare or as they arrive.

    Refuses also forms with files that declare another encoding than UTF-8, which all pages have: some
    encodings fail for ordinary bytes, or yield text that no page can repeat.
    """

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. Raise HTTPException 400 or 413."""
        if scope["query_string"].count(b"&") >= _MOST_PARAMETERS:
            raise HTTPException(413)
        declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if not _SIZE.fullmatch(declared):
            raise HTTPException(400)
        if int(declared) > _MOST_BYTES:
            raise HTTPException(413)
        body = _Body(_separators(Headers(scope=scope).get("Content-Type")))

        async def count() -> Message:
            message = await receive()
            body.add(message.get("body", b""))
            return message

        await self._app(scope, count, send)


class _Body:
    """What has arrived of a body: its size, and how often each separator occurs in it."""

    def __init__(self, most: Mapping[bytes, int]) -> None:
        self._most = most
        self._size = 0
        self._found: Counter[bytes] = Counter()
        self._end = b""  # of what has arrived: a separator may arrive in two pieces
        self._overlap = max(map(len, most), default=1) - 1

    def add(self, chunk: bytes) -> None:
        """Count a part of the body. Raise HTTPException 413."""
        self._size += len(chunk)
        if self._size > _MOST_BYTES:
            raise HTTPException(413)
        arrived = self._end + chunk
        for separator, most in self._most.items():
            self._found[separator] += arrived.count(separator)
            if self._found[separator] > most:
                raise HTTPException(413)
        self._end = arrived[-self._overlap :] if self._overlap else b""


def _separators(content_type: str | None) -> Mapping[bytes, int]:
    """Return what separates the parts of a body of a type, and how many of them are allowed.

    A body without a type is taken for JSON, as FastAPI does. Raise HTTPException 400 for a form that has
    another encoding.
    """
    kind, options = parse_options_header(content_type)
    match kind:
        case b"application/x-www-form-urlencoded":
            return {b"&": _MOST_PARAMETERS}
        case b"multipart/form-data":
            if options.get(b"charset", b"utf-8").lower() != b"utf-8":
                raise HTTPException(400)
            return {b"--" + options.get(b"boundary", b""): _MOST_PARAMETERS + 1}
        case b"" | b"application/json":
            return _OF_JSON
        case _:
            return _OF_JSON if kind.endswith(b"+json") else {}


_OF_JSON = {b":": _MOST_MEMBERS, b",": _MOST_ELEMENTS}
