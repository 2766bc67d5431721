"""Static files: addresses that change with the content, and compression."""

import asyncio
import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path

import brotli
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.core.web.conditional import etag_of
from app.core.web.joined import FOLDER, JOINED, text_of

_A_YEAR = "public, max-age=31536000, immutable"
_VERSION = re.compile(r"[0-9a-f]{12}")
_LARGE = 200_000  # bytes
_BEST, _QUICK = 11, 5  # qualities of Brotli
_TEXTS = frozenset((".css", ".js", ".svg", ".webmanifest"))


@cache
def version() -> str:
    """Return the first 12 hex digits of a hash over all static files, and how they are joined."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(FOLDER)}\n".encode() + path.read_bytes())
    for joined in sorted(JOINED):  # in other groups
        digest.update(text_of(joined))
    return digest.hexdigest()[:12]


def static_url(path: str) -> str:
    """Return the URL of a static file, under the current version, so that browsers may cache it for a year.

    The version is a folder rather than a query, so that a module finds those that it imports under it too.
    """
    return f"/static/{version()}/{path}"


@cache
def _compressed(path: str) -> bytes:
    text = text_of(path)
    # As far as it goes takes three seconds for the largest file, for which its first reader would wait.
    quality = _BEST if len(text) < _LARGE else _QUICK
    content: bytes = brotli.compress(text, mode=brotli.MODE_TEXT, quality=quality)
    return content


@cache
def _etag(path: str) -> dict[str, str]:
    return etag_of(text_of(path))


class Static(StaticFiles):
    """Serves the static files, with or without a version in front of their path.

    A version other than the current one, from a page of another release, gets the current file, but must not
    cache it. Texts are compressed once, small ones as far as Brotli can, for browsers that accept it.
    """

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    def is_not_modified(self, *_headers: Headers) -> bool:
        """Return False: `Conditional` looks at that, by the names of all answers."""
        return False

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, or some joined ones. Raise HTTPException if there is none, or it is not read."""
        if scope["method"] != "GET":
            raise HTTPException(405)
        first, _, rest = path.partition("/")
        if _VERSION.fullmatch(first):
            path = rest
        if path in JOINED:
            response = await _text_response(path, Headers(scope=scope))
        else:
            response = await super().get_response(path, scope)
            if isinstance(response, FileResponse) and Path(path).suffix in _TEXTS:
                response = await _text_response(path, Headers(scope=scope))
        if first == version():
            response.headers["Cache-Control"] = _A_YEAR
        return response


def brotli_for(asked: Headers) -> dict[str, str]:
    """Return the headers of an answer in Brotli; none if a client does not accept it."""
    accepted = [name.strip() for name in asked.get("Accept-Encoding", "").split(",")]
    return {"Content-Encoding": "br"} if "br" in accepted else {}


async def _text_response(path: str, headers: Headers) -> Response:
    encoded = brotli_for(headers)
    content = await asyncio.to_thread(_compressed if encoded else text_of, path)
    media_type = mimetypes.guess_type(path)[0]
    return Response(content, headers={**_etag(path), **encoded}, media_type=media_type)
