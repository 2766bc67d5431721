"""Pictures of pages for links in other places: a board beside a few lines of text, as PNG."""

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

import brotli
from cachetools import LRUCache
from starlette.requests import Request
from starlette.responses import Response

from app.core.later import Later
from app.core.web.addresses import network_of
from app.core.web.conditional import etag_of
from app.core.web.joined import FOLDER
from app.core.web.static import brotli_for
from app.core.web.throttle import Limit, Throttle

if TYPE_CHECKING:
    import resvg_py
else:
    resvg_py = Later("resvg_py")

_WIDTH, _HEIGHT, _EDGE = 1200, 630, 45
_BOARD = _HEIGHT - 2 * _EDGE
_FONT = str(FOLDER / "fonts" / "crimson-pro-pictures.ttf")
_LONGEST = 26  # characters of a line that fit beside the board
_MOST_LINES = 6  # that fit, some of them parts of longer ones
_OF_A_DAY = {"Cache-Control": "public, max-age=86400"}
_OF_MINUTES = {"Cache-Control": "public, max-age=300"}
_FOR_ALL_SITES = {"Cross-Origin-Resource-Policy": "cross-origin"}


class Cards:
    """Draws cards, one at a time, and remembers those drawn last."""

    def __init__(self, throttle: Throttle) -> None:
        self._throttle = throttle
        self._drawing = asyncio.Lock()
        self._drawn: LRUCache[str, bytes] = LRUCache(128)

    async def response(self, request: Request, board: str, lines: Sequence[str]) -> Response:
        """Return a board, an SVG document, beside lines of text as PNG. Raise ThrottledError."""
        card = _card(board, lines)
        png = self._drawn.get(card)
        if png is None:
            await self._throttle.hit(Limit.CARD, network_of(request))
            async with self._drawing:
                png = self._drawn[card] = await asyncio.to_thread(_png, card)
        return Response(png, media_type="image/png", headers={**_OF_MINUTES, **_FOR_ALL_SITES})


def sample_picture(request: Request, drawn: str) -> Response:
    """Return an SVG document that is the same until the next release, compressed as far as Brotli can."""
    encoded = brotli_for(request.headers)
    content = _compressed(drawn) if encoded else drawn
    return Response(content, media_type="image/svg+xml", headers={**_OF_A_DAY, **encoded})


def own_picture(drawn: str) -> Response:
    """Return an SVG document of what may change, for pages of this site."""
    content = drawn.encode()
    return Response(content, media_type="image/svg+xml", headers={**_OF_MINUTES, **etag_of(content)})


def shared_picture(drawn: str) -> Response:
    """Return an SVG document of what may change, for pages of all sites."""
    response = own_picture(drawn)
    response.headers.update(_FOR_ALL_SITES)
    return response


@lru_cache(32)
def _compressed(drawn: str) -> bytes:
    content: bytes = brotli.compress(drawn.encode(), mode=brotli.MODE_TEXT)
    return content


def _card(board: str, lines: Sequence[str]) -> str:
    """Return a card as an SVG document; the first line is its title. Lines that are too long are broken."""
    left = _BOARD + 2 * _EDGE
    place = f'<svg x="{_EDGE}" y="{_EDGE}" width="{_BOARD}" height="{_BOARD}" '
    parts = [part for line in lines for part in wrap(line, _LONGEST)]
    texts = "".join(
        f'<text x="{left}" y="{170 + 66 * number}" font-size="{44 if number else 58}" '
        f'fill="{"#63554a" if number else "#2b221d"}">{escape(part)}</text>'
        for number, part in enumerate(parts[:_MOST_LINES])
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="Crimson Pro">'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#f3eadb"/>{board.replace("<svg ", place, 1)}{texts}'
        f'<text x="{left}" y="{_HEIGHT - _EDGE - 10}" font-size="40" fill="#8a4525">Gorrion</text></svg>'
    )


def _png(card: str) -> bytes:
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=card,
            width=_WIDTH,
            skip_system_fonts=True,
            font_files=[_FONT],
            serif_family="Crimson Pro",
        )
    )
