"""Conditional requests (RFC 9110, section 13): 304 for what the client has already."""

from email.utils import parsedate_to_datetime
from hashlib import sha256

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.core.web.methods import without_content

_OF_CONTENT = ("content-length", "content-type", "content-encoding", "content-disposition", "accept-ranges")


def etag_of(content: bytes) -> dict[str, str]:
    """Return the header that names a content, by which clients ask whether it has changed."""
    return {"ETag": f'"{sha256(content).hexdigest()[:32]}"'}


class Conditional:
    """ASGI middleware that answers 304 in place of an answer with an ETag or a date that the client has.

    It names what the compression made of a content by a weak ETag: other bytes, the same content.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        asked, sending = Headers(scope=scope), send

        async def answer(message: Message) -> None:
            nonlocal sending
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                etag = headers.get("etag", "")
                if "content-encoding" in headers and etag.startswith('"'):
                    headers["ETag"] = f"W/{etag}"
                if message["status"] == 200 and _has(asked, headers):
                    message["status"] = 304
                    for name in _OF_CONTENT:
                        del headers[name]
                    sending = without_content(send)
            await sending(message)

        await self._app(scope, receive, answer)


def _has(asked: Headers, headers: Headers) -> bool:
    """Return whether the client that asks has what an answer with these headers would bring."""
    tags = asked.get("if-none-match")
    if tags is not None:
        own = headers.get("etag")
        return own is not None and (tags.strip() == "*" or _opaque(own) in map(_opaque, tags.split(",")))
    try:
        since = parsedate_to_datetime(asked["if-modified-since"])
        return parsedate_to_datetime(headers["last-modified"]) <= since
    except (KeyError, ValueError, TypeError):
        return False


def _opaque(tag: str) -> str:
    return tag.strip().removeprefix("W/")
