"""A board of Golden Nugget: where the 49 blocks lie, pushing a line by a force, and when it is solved."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from engine.game import IllegalMove
from engine.golden_nugget.blocks import COLOURS, Colour, Face

MOVE_LIMIT = 99
"""The most moves that may be made on one board."""

MIN_BOARDS, MAX_BOARDS = 20, 200
"""The fewest and the most boards of an entry."""


@dataclass(frozen=True, slots=True)
class Board:
    """The blocks as they lie: the face they show, and the 49 block numbers row by row from the top left."""

    face: Face
    cells: tuple[int, ...]


START = Board(Face.A, tuple(range(1, 50)))
"""Board 1 before its first move: block k on square k."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move as it was made: the force, and the square of the lifted block, 1 to 7 counted from the force."""

    force: str
    lifted: int

    @property
    def short(self) -> str:
        """Give the short record, which is the force alone: `P`."""
        return self.force

    def __str__(self) -> str:
        """Give the full record: `P7`."""
        return f"{self.force}{self.lifted}"


class Strips(StrEnum):
    """Which way the five strips of a solved board run."""

    ROWS = "rows"
    COLUMNS = "columns"


class IllegalPush(IllegalMove):
    """A push that the rules do not allow on this board, or a move that cannot have been made on it.

    `reason` is `no_white`, `no_colour_moves` or, from `undo`, `not_made`.
    """


def _lines() -> dict[str, tuple[int, ...]]:
    rows = [tuple(range(start, start + 7)) for start in range(0, 49, 7)]
    columns = list(zip(*rows, strict=True))
    # Clockwise from the top left, so the forces below and on the left meet the last line first.
    clockwise = [
        *columns,
        *(row[::-1] for row in rows),
        *(column[::-1] for column in reversed(columns)),
        *reversed(rows),
    ]
    return dict(zip("1234567ABCDEFGHIJKLMNOPQRSTU", clockwise, strict=True))


FORCES: Mapping[str, tuple[int, ...]] = MappingProxyType(_lines())
"""The 28 forces clockwise from the top left, each with the 7 squares of its line, the nearest to it first.

A square is an index into `Board.cells`. Seven forces stand on each side: above, right, below, left.
"""


def _span(line: tuple[int, ...]) -> slice:
    step = line[1] - line[0]
    stop = line[-1] + step
    return slice(line[0], stop if stop >= 0 else None, step)


SPANS: Mapping[str, slice] = MappingProxyType({force: _span(line) for force, line in FORCES.items()})
"""The lines of the forces as slices of `Board.cells`, which are quicker."""

# For `push` to look up: the colours of the blocks as letters (w for white), and every move.
_LETTERS_A, _LETTERS_B = (
    bytes(ord(COLOURS[face].get(block, Colour.WHITE)[0]) for block in range(256)) for face in Face
)
_MOVES = {force: tuple(Move(force, square) for square in range(8)) for force in FORCES}


def push(board: Board, force: str) -> tuple[Board, Move]:
    """Push a line by a force and give the board after it and the move made.

    The white block farthest from the force is lifted; the blocks before it each slide one square away from
    the force, and it goes on the square next to the force. Raises IllegalPush when there is no white block to
    lift or no coloured one would slide, and KeyError for a force that does not exist.
    """
    where = SPANS[force]
    line = board.cells[where]
    letters = bytes(line).translate(_LETTERS_A if board.face is Face.A else _LETTERS_B)
    before = letters.rfind(b"w")
    if not letters[: max(before, 0)].strip(b"w"):
        raise _illegal(force, before)
    cells = list(board.cells)
    cells[where] = line[before : before + 1] + line[:before] + line[before + 1 :]
    return Board(board.face, tuple(cells)), _MOVES[force][before + 1]


def _illegal(force: str, before: int) -> IllegalPush:
    """Give why a push is illegal that would slide so many blocks (-1: there is no white one to lift)."""
    if before < 0:
        return IllegalPush("no_white", f"The line of force {force} has no white block to lift.")
    return IllegalPush("no_colour_moves", f"Force {force} would move no coloured block.")


def pushes(board: Board) -> dict[str, Move | IllegalPush]:
    """Give for each of the 28 forces the move it would make, or why it cannot push."""
    found: dict[str, Move | IllegalPush] = {}
    for force in FORCES:
        try:
            found[force] = push(board, force)[1]
        except IllegalPush as illegal:
            found[force] = illegal
    return found


def undo(board: Board, move: Move) -> Board:
    """Give the board before a move that led to this one. Raises IllegalPush (`not_made`) if it cannot have.

    Raises KeyError for a force that does not exist.
    """
    where = SPANS[move.force]
    line = board.cells[where]
    if 2 <= move.lifted <= 7:
        cells = list(board.cells)
        cells[where] = (*line[1 : move.lifted], line[0], *line[move.lifted :])
        before = Board(board.face, tuple(cells))
        with suppress(IllegalPush):
            if push(before, move.force) == (board, move):
                return before
    raise IllegalPush("not_made", f"{move} cannot be the move that led to this board.")


def solved(board: Board) -> Strips | None:
    """Give which way the strips run on a solved board, or None if it is not solved.

    It is solved when the middle 5x5 shows a single colour in each row, or in each column. There are only five
    blocks of each colour, so that brings all the coloured ones there.
    """
    letters = bytes(board.cells).translate(_LETTERS_A if board.face is Face.A else _LETTERS_B)
    middle = [letters[start : start + 5] for start in range(8, 43, 7)]
    columns = [bytes(column) for column in zip(*middle, strict=True)]
    for strips, lines in ((Strips.ROWS, middle), (Strips.COLUMNS, columns)):
        if all(line[0] != ord("w") and line.count(line[0]) == 5 for line in lines):
            return strips
    return None


def turn(board: Board) -> Board:
    """Give the board with every block turned over where it lies."""
    return Board(board.face.other, board.cells)
