"""A board of Golden Nugget as an SVG document of its own, for links."""

from functools import cache

from engine.golden_nugget.blocks import COLOURS, Colour
from engine.golden_nugget.board import START

_SIZE, _TILE = 7, 60
_FILLS = {
    Colour.WHITE: "#faf4e6",
    Colour.YELLOW: "#f0c23c",
    Colour.BLUE: "#2f62ad",
    Colour.PINK: "#f09ab8",
    Colour.RED: "#a8262b",
    Colour.GREEN: "#2d7a4d",
}


@cache
def start_picture() -> str:
    """Return the board on which every run starts, without its forces."""
    side = _SIZE * _TILE
    tiles = []
    for cell, block in enumerate(START.cells):
        row, column = divmod(cell, _SIZE)
        x, y = column * _TILE + 2, row * _TILE + 2
        tiles.append(
            f'<rect x="{x}" y="{y}" width="{_TILE - 4}" height="{_TILE - 4}" rx="4" '
            f'fill="{_FILLS[COLOURS[START.face][block]]}" stroke="#8d7860"/>'
        )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}">{"".join(tiles)}</svg>'
