"""Static files: addresses that change with the content, and the style sheets as one file."""

import hashlib
import re
from functools import cache

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.settings import ROOT

FOLDER = ROOT / "static"
STYLES = "gorrion.css"
"""The path under which all style sheets are served as one."""

_A_YEAR = "public, max-age=31536000, immutable"
_VERSION = re.compile(r"[0-9a-f]{12}")


@cache
def version() -> str:
    """Return the first 12 hex digits of a hash over all static files."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(FOLDER)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def static_url(path: str) -> str:
    """Return the URL of a static file, under the current version, so that browsers may cache it for a year.

    The version is a folder rather than a query, so that a module finds those that it imports under it too.
    """
    return f"/static/{version()}/{path}"


@cache
def styles() -> bytes:
    """Return the style sheets one after the other: the tokens, which name the layers, then the components."""
    sheets = sorted((FOLDER / "css").glob("*.css"), key=lambda path: (path.stem != "tokens", path.stem))
    return b"\n".join(path.read_bytes() for path in sheets)


class Static(StaticFiles):
    """Serves the static files, with or without a version in front of their path.

    A version other than the current one, from a page of another release, gets the current file, but must not
    cache it.
    """

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, or the style sheets. Raise HTTPException for a path that does not exist."""
        first, _, rest = path.partition("/")
        if _VERSION.fullmatch(first):
            path = rest
        if path == STYLES:
            response = Response(styles(), media_type="text/css")
        else:
            response = await super().get_response(path, scope)
        if first == version():
            response.headers["Cache-Control"] = _A_YEAR
        return response
