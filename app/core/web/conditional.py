"""Methods, ranges and conditions of requests (RFC 9110): HEAD as GET, 304 for what the client has already."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from hashlib import sha256

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import compile_path
from starlette.types import Message, Receive, Scope, Send

from app.core.web.current import OfRequests
from app.core.web.sections import Sections

_OF_CONTENT = ("content-length", "content-type", "content-encoding", "content-disposition", "accept-ranges")

_RANGE = r"(?:[0-9]{1,18}-(?:[0-9]{1,18})?|-[0-9]{1,18})"
_RANGES = re.compile(rf" *bytes *= *{_RANGE}(?: *, *{_RANGE})* *", re.IGNORECASE)

_compiled = cache(compile_path)


def etag_of(content: bytes) -> dict[str, str]:
    """Return the header that names a content, by which clients ask whether it has changed."""
    return {"ETag": f'"{sha256(content).hexdigest()[:32]}"'}


class Conditional(OfRequests):
    """ASGI middleware that answers 304 in place of an answer with an ETag or a date that the client has.

    It names what the compression made of a content by a weak ETag: other bytes, the same content. A range in
    another form than RFC 9110 has is ignored, as it demands.
    """

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        asked, sending = Headers(scope=scope), send
        if "range" in asked and not _is_range(asked["range"]):
            scope["headers"] = [header for header in scope["headers"] if header[0] != b"range"]

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
    modified = _moment(headers.get("last-modified", ""))
    since = _moment(asked.get("if-modified-since", "")) if modified else None
    return modified is not None and since is not None and modified <= since


def _is_range(text: str) -> bool:
    if _RANGES.fullmatch(text) is None:
        return False
    pairs = re.findall("([0-9]+)-([0-9]+)", text)  # after the match, which bounds how long numbers are
    return all(int(first) <= int(last) for first, last in pairs)


def _moment(text: str) -> datetime | None:
    """Return the moment that a header names, or None if it cannot be read."""
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _opaque(tag: str) -> str:
    return tag.strip().removeprefix("W/")


def methods_of(app: FastAPI, path: str) -> set[str]:
    """Return the methods of all routes that match a path; none if there is nothing at it."""
    sections, methods = app.router.middleware_stack, set[str]()
    assert isinstance(sections, Sections)
    for route in iter_route_contexts(sections.section(path).routes):
        if route.methods and _compiled(route.path)[0].match(path):
            methods |= route.methods
    if "GET" in methods:
        methods.add("HEAD")
    return methods | {"OPTIONS"} if methods else methods


def without_content(send: Send) -> Send:
    """Return what sends the head of an answer and ends it there: for a stream its reader has left."""

    async def send_head(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body"})

    return send_head


class HeadAsGet(OfRequests):
    """ASGI middleware that answers HEAD as GET at every path, without the content."""

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        as_get = {**scope, "method": "GET"}
        try:
            await self._app(as_get, receive, without_content(send))
        finally:
            scope.update(as_get, method="HEAD")  # the log and the metrics read which route it was
