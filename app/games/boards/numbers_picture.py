"""A grid of numbers as an image that stands alone, for links and for paper."""

from itertools import pairwise

from app.games.boards.numbers import Grid
from engine import squares

_SQUARE, _EDGE = 40, 24
_INK = {"first": "#2b221d", "second": "#8a2f0a", "solo": "#2b221d"}


def picture(grid: Grid, title: str) -> str:
    """Give an SVG document of the grid: the numbers, the trail through them, a ring about the last one."""
    size = grid.size
    side = size * _SQUARE
    whole = side + 2 * _EDGE
    lines = "".join(
        f"M{_EDGE + at} {_EDGE}v{side}M{_EDGE} {_EDGE + at}h{side}" for at in range(0, side + 1, _SQUARE)
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" font-family="serif">',
        f"<title>{title} {size}×{size}</title>",
        f'<rect width="{whole}" height="{whole}" fill="#7c5830"/>',
        f'<rect x="{_EDGE}" y="{_EDGE}" width="{side}" height="{side}" fill="#dfc493"/>',
        f'<path d="{lines}" stroke="#a98350" fill="none"/>',
    ]
    for place in range(size):
        middle = _EDGE + place * _SQUARE + _SQUARE / 2
        style = 'fill="#fbeed6" font-size="13" text-anchor="middle"'
        parts.append(f'<text x="{middle}" y="{whole - 8}" {style}>{squares.COLUMNS[place]}</text>')
        parts.append(f'<text x="{_EDGE / 2}" y="{middle + 4}" {style}>{size - place}</text>')
    points = [_middle(cell, size) for cell in grid.cells]
    trail = "".join(f"M{x:g} {y:g}L{to_x:g} {to_y:g}" for (x, y), (to_x, to_y) in pairwise(points))
    parts.append(f'<path d="{trail}" stroke="#8a4525" stroke-opacity="0.3" fill="none"/>')
    if points:
        x, y = points[-1]
        parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="17" fill="#faf5ea" stroke="#8a2f1c" stroke-width="2"/>'
        )
    for (x, y), written in zip(points, grid.written, strict=True):
        weight = "bold" if written.scored else "normal"
        parts.append(
            f'<text x="{x:g}" y="{y + 6:g}" font-size="17" font-weight="{weight}" text-anchor="middle" '
            f'fill="{_INK[written.writer]}">{written.number}</text>'
        )
    return "".join(parts) + "</svg>"


def _middle(cell: int, size: int) -> tuple[float, float]:
    row, column = divmod(cell, size)
    return _EDGE + (column + 0.5) * _SQUARE, _EDGE + (size - row - 0.5) * _SQUARE
