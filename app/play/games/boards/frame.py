"""The frame of every board: the grid, its letters and its numbers."""

from collections.abc import Sequence
from functools import cache

from markupsafe import Markup, escape

from app.core.i18n.languages import current
from app.core.i18n.text import Text, _
from engine import squares

_BETWEEN_ROWS = '</div><div role="row" class="board-row">'


def framed(cells: Sequence[str], size: int, *, live: bool, over: str = "") -> Markup:
    """Return a board of drawn squares, which come row by row from the bottom left.

    A live board is an ARIA grid, any other an ARIA table. `over` is drawn over the squares.
    """
    start, end = _frame(size, live, current())
    parts = [start]
    for first in range(len(cells) - size, -1, -size):
        parts += cells[first : first + size]
        parts.append(_BETWEEN_ROWS)
    parts[-1] = "</div></div>"
    return Markup("".join((*parts, over, end)))  # noqa: S704 - our own strings


@cache
def place(name: str, *, is_live: bool) -> str:
    """Return the attributes of a square by its name; a sample in a legend has no name and is no cell."""
    if is_live:
        return f' role="gridcell" id="sq-{name}"'
    return ' role="cell"' if name else ""


@cache
def size_text(size: int) -> Text:
    """Return how large a board is: "9×9"."""
    return Text(f"{size}×{size}")


@cache
def _frame(size: int, live: bool, _language: str) -> tuple[str, str]:
    """Return the HTML before the first row's squares and after the last row's."""
    letters = "".join(f"<span>{letter}</span>" for letter in squares.COLUMNS[:size])
    numbers = "".join(f"<span>{number}</span>" for number in range(size, 0, -1))
    role = "grid" if live else "table"
    label = escape(_("Board of %(size)s by %(size)s", size=size))
    start = (
        f'<div class="board board-n{size}">'
        f'<div class="board-squares" role="{role}" aria-label="{label}">'
        '<div role="row" class="board-row">'
    )
    end = (
        f'<div class="board-numbers" aria-hidden="true">{numbers}</div>'
        f'<div class="board-letters" aria-hidden="true">{letters}</div></div>'
    )
    return start, end
