"""The Golden Nugget board as HTML: 49 tiles, and the 28 forces around them."""

from functools import cache, lru_cache

from markupsafe import Markup, escape

from app.core.i18n.languages import current
from app.core.i18n.reasons import reason_of
from app.core.i18n.text import _
from engine.golden_nugget.blocks import COLOURS, Colour, Face
from engine.golden_nugget.board import FORCES, START, Board, IllegalPush, Move, push, pushes

_SIZE = 7
_SIDES = ("top", "right", "bottom", "left")
_COLOUR_WORDS = {
    Colour.WHITE: _("white"),
    Colour.YELLOW: _("yellow"),
    Colour.BLUE: _("blue"),
    Colour.PINK: _("pink"),
    Colour.RED: _("red"),
    Colour.GREEN: _("green"),
}
_PLACES = {force: place for place, force in enumerate(FORCES)}


def draw_live(board: Board) -> Markup:
    """Draw the board of a run, with the forces as submit buttons named `commands`.

    The tiles come in the order of their numbers, so that each remains the same element wherever it moves.
    """
    return _drawn("nugget", _tiles(board, live=True) + _forces(board), board)


def draw_still(board: Board) -> Markup:
    """Draw a board as a picture, with the names of the forces around it."""
    names = "".join(
        f'<span class="force {_place(force)}" aria-hidden="true">{force}</span>' for force in FORCES
    )
    return _drawn("nugget", _tiles(board, live=False) + names, board)


def _drawn(classes: str, inner: str, board: Board) -> Markup:
    return Markup(f'<div class="{classes}">{inner}</div>{_table(board)}')  # noqa: S704 - our own strings


def _tiles(board: Board, *, live: bool) -> str:
    places = sorted((block, cell) for cell, block in enumerate(board.cells))
    tiles = "".join(_tile(block, cell, board.face, live) for block, cell in places)
    return f'<div class="nugget-tiles">{tiles}</div>'


@lru_cache(maxsize=1 << 14)
def _tile(block: int, cell: int, face: Face, live: bool) -> str:
    row, column = divmod(cell, _SIZE)
    up, down = COLOURS[face][block], COLOURS[face.other][block]
    identity = f' id="block-{block}"' if live else ""
    return (
        f'<div{identity} class="tile tile-x{column} tile-y{row} tile-{up}" aria-hidden="true">'
        f'<b>{block}</b><i>{_glyph(up)}</i><small class="tile-{down}">{_glyph(down)}</small></div>'
    )


def _glyph(up: Colour) -> str:
    return "" if up is Colour.WHITE else up[0].upper()


def _place(force: str) -> str:
    side, number = divmod(_PLACES[force], _SIZE)
    return f"force-{_SIDES[side]} force-n{number if side < 2 else _SIZE - 1 - number}"


def _forces(board: Board) -> str:
    return "".join(_force(force, push) for force, push in pushes(board).items())


def _force(force: str, push: Move | IllegalPush) -> str:
    if isinstance(push, Move):
        state, disabled = f"force-lifts{push.lifted}", ""
        label = _("Force %(force)s: lifts the block on square %(square)s", force=force, square=push.lifted)
    else:
        state, disabled = "force-stuck", ' aria-disabled="true"'
        label = reason_of(push)
    spoken = escape(label)
    return (
        f'<button type="submit" name="commands" value="{force}" id="force-{force}" title="{spoken}" '
        f'class="force {_place(force)} {state}" aria-label="{spoken}"{disabled}>{force}</button>'
    )


def _table(board: Board) -> str:
    """Return the board in words, row by row, for screen readers."""
    rows = []
    for row in range(_SIZE):
        cells = board.cells[row * _SIZE : (row + 1) * _SIZE]
        words = "".join(
            f"<td>{escape(_COLOUR_WORDS[COLOURS[board.face][block]])} {block}</td>" for block in cells
        )
        label = escape(_("Row %(number)s", number=row + 1))
        rows.append(f'<tr><th scope="row">{label}</th>{words}</tr>')
    caption = escape(_("The board"))
    table = f"<table><caption>{caption}</caption>{''.join(rows)}</table>"
    return f'<div class="visually-hidden">{table}</div>'


def figures() -> dict[str, Markup]:
    """Return the figures of the rules page by name."""
    return _figures(current())


@cache
def _figures(_language: str) -> dict[str, Markup]:
    pushed = START
    for force in "P5L":
        pushed, _ = push(pushed, force)
    blocks = {
        colour: [block for block, shown in COLOURS[Face.A].items() if shown is colour] for colour in Colour
    }
    white = iter(blocks.pop(Colour.WHITE))
    border = [next(white) for _ in range(_SIZE)]
    middle = [block for strip in blocks.values() for block in (next(white), *strip, next(white))]
    solved = Board(Face.A, (*border, *middle, *white))
    return {"start": draw_still(START), "pushed": draw_still(pushed), "solved": draw_still(solved)}
