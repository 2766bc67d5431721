"""The Golden Nugget board as HTML: 49 tiles, and the 28 forces around them."""

from functools import cache, lru_cache

from markupsafe import Markup

from engine.golden_nugget.blocks import BLOCKS, Colour, Face, colour
from engine.golden_nugget.board import FORCES, SIZE, START, Board, Push, push, pushes

_SIDES = ("top", "right", "bottom", "left")


def draw_live(board: Board) -> Markup:
    """Draw the board of a run, with the forces as submit buttons named `commands`.

    The tiles come in the order of their numbers, so that each stays the same element wherever it lies.
    """
    return _drawn("nugget", _tiles(board, live=True) + _forces(board), board)


def draw_still(board: Board) -> Markup:
    """Draw a board as a picture, with the names of the forces around it."""
    names = "".join(
        f'<span class="force {_place(force)}" aria-hidden="true">{force}</span>' for force in FORCES
    )
    return _drawn("nugget still", _tiles(board, live=False) + names, board)


def _drawn(classes: str, inner: str, board: Board) -> Markup:
    return Markup(f'<div class="{classes}">{inner}</div>{_table(board)}')  # noqa: S704 - our own strings


def _tiles(board: Board, *, live: bool) -> str:
    places = sorted((block, cell) for cell, block in enumerate(board.cells))
    tiles = "".join(_tile(block, cell, board.face, live) for block, cell in places)
    return f'<div class="tiles">{tiles}</div>'


@lru_cache(maxsize=1 << 14)
def _tile(block: int, cell: int, face: Face, live: bool) -> str:
    row, column = divmod(cell, SIZE)
    up, down = colour(block, face), colour(block, face.other)
    identity = f' id="block-{block}"' if live else ""
    return (
        f'<div{identity} class="tile x{column} y{row} {up}" aria-hidden="true">'
        f"<b>{block}</b><i>{_glyph(up)}</i><s class={down}>{_glyph(down)}</s></div>"
    )


def _glyph(up: Colour) -> str:
    return "" if up is Colour.WHITE else up.letter


def _place(force: str) -> str:
    side, number = divmod(FORCES.index(force), SIZE)
    return f"{_SIDES[side]} n{number if side < 2 else SIZE - 1 - number}"


def _forces(board: Board) -> str:
    return "".join(_force(force, found) for force, found in pushes(board).items())


def _force(force: str, found: Push | ValueError) -> str:
    if isinstance(found, Push):
        state, label = f"lifts{found.lifted}", f"Force {force}: lifts the block on square {found.lifted}"
        disabled = ""
    else:
        state, label, disabled = "stuck", f"Force {force}: {found}", ' aria-disabled="true"'
    return (
        f'<button type="submit" name="commands" value="{force}" id="force-{force}" title="{label}" '
        f'class="force {_place(force)} {state}" aria-label="{label}"{disabled}>{force}</button>'
    )


def _table(board: Board) -> str:
    """Give the board in words for who does not see it, row by row."""
    rows = []
    for row in range(SIZE):
        cells = board.cells[row * SIZE : (row + 1) * SIZE]
        words = "".join(f"<td>{colour(block, board.face)} {block}</td>" for block in cells)
        rows.append(f'<tr><th scope="row">Row {row + 1}</th>{words}</tr>')
    table = f"<table><caption>The board</caption>{''.join(rows)}</table>"
    return f'<div class="visually-hidden">{table}</div>'


@cache
def figures() -> dict[str, Markup]:
    """Give the figures of the rules page by name."""
    pushed = START
    for force in "P5L":
        pushed, _ = push(pushed, force)
    strips = [[block for block in BLOCKS if colour(block, Face.A) is strip] for strip in list(Colour)[1:]]
    white = [block for block in BLOCKS if colour(block, Face.A) is Colour.WHITE]
    rows = [
        white[:SIZE],
        *([white[SIZE + 2 * n], *strips[n], white[SIZE + 2 * n + 1]] for n in range(5)),
        white[-SIZE:],
    ]
    solved = Board(Face.A, bytes(block for row in rows for block in row))
    return {"start": draw_still(START), "pushed": draw_still(pushed), "solved": draw_still(solved)}
