"""A grid of numbers as an SVG document of its own, for links and for paper."""

from collections.abc import Iterator
from itertools import pairwise

from app.play.games.boards.numbers import Grid
from app.play.games.boards.picture_frame import framed_picture, middle_of

_INK = {"first": "#2b221d", "second": "#8a2f0a", "solo": "#2b221d"}


def picture(grid: Grid, title: str) -> str:
    """Return an SVG document of the grid: the numbers, the trail through them, a ring around the last one."""
    return framed_picture(title, grid.size, _drawn(grid))


def _drawn(grid: Grid) -> Iterator[str]:
    points = [middle_of(cell, grid.size) for cell in grid.cells]
    trail = "".join(f"M{x:g} {y:g}L{to_x:g} {to_y:g}" for (x, y), (to_x, to_y) in pairwise(points))
    yield f'<path d="{trail}" stroke="#8a4525" stroke-opacity="0.3" fill="none"/>'
    if points:
        x, y = points[-1]
        yield f'<circle cx="{x:g}" cy="{y:g}" r="17" fill="#faf5ea" stroke="#8a2f1c" stroke-width="2"/>'
    for (x, y), written in zip(points, grid.written, strict=True):
        weight = "bold" if written.scored else "normal"
        yield (
            f'<text x="{x:g}" y="{y + 6:g}" font-size="17" font-weight="{weight}" text-anchor="middle" '
            f'fill="{_INK[written.writer]}">{written.number}</text>'
        )
