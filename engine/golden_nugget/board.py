"""A board of Golden Nugget: the squares of its 49 blocks, pushing a line by a force, and the solved test."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from engine.game import IllegalMove, MoveSyntaxError
from engine.golden_nugget.blocks import COLOURS, Colour, Face

MOVE_LIMIT = 99
"""The maximum number of moves on one board."""

MIN_BOARDS, MAX_BOARDS = 20, 200
"""The minimum and maximum number of boards in an entry."""


@dataclass(frozen=True, slots=True)
class Board:
    """The face that all blocks show, and the 49 block numbers row by row from the top left."""

    face: Face
    cells: tuple[int, ...]


START = Board(Face.A, tuple(range(1, 50)))
"""Board 1 before its first move: block k on square k."""

_TEXT = re.compile("([AB]):([1-9][0-9]?(?:,[1-9][0-9]?){48})")


def parse(text: str) -> Board:
    """Return the board of a text: its face and its 49 blocks from the top left. Raise MoveSyntaxError."""
    match = _TEXT.fullmatch(text)
    cells = tuple(map(int, match[2].split(","))) if match else ()
    if match is None or sorted(cells) != [*START.cells]:
        raise MoveSyntaxError("A board is its face, A or B, and its 49 blocks: A:1,2,3 and so on.")
    return Board(Face(match[1]), cells)


def to_text(board: Board) -> str:
    """Return the text that `parse` accepts."""
    return f"{board.face}:{','.join(map(str, board.cells))}"


@dataclass(frozen=True, slots=True)
class Move:
    """A move: the force, and the square of the lifted block on the line, 1 to 7 counted from the force."""

    force: str
    lifted: int

    @property
    def short(self) -> str:
        """Return the short notation, which is the force alone: `P`."""
        return self.force

    def __str__(self) -> str:
        """Return the full notation: `P7`."""
        return f"{self.force}{self.lifted}"


class Strips(StrEnum):
    """The direction of the five strips of a solved board."""

    ROWS = "rows"
    COLUMNS = "columns"


class IllegalPush(IllegalMove):
    """A push that the rules do not allow on the board, or a move that cannot have led to it.

    `reason` is `no_white`, `no_colour_moves` or, from `undo`, `not_made`.
    """


def _lines() -> dict[str, tuple[int, ...]]:
    rows = [tuple(range(start, start + 7)) for start in range(0, 49, 7)]
    columns = list(zip(*rows, strict=True))
    # Clockwise from the top left, so the forces at the bottom and on the left are in reverse order.
    clockwise = [
        *columns,
        *(row[::-1] for row in rows),
        *(column[::-1] for column in reversed(columns)),
        *reversed(rows),
    ]
    return dict(zip("1234567ABCDEFGHIJKLMNOPQRSTU", clockwise, strict=True))


FORCES: Mapping[str, tuple[int, ...]] = MappingProxyType(_lines())
"""The 28 forces clockwise from the top left, each with the 7 squares of its line, the nearest first.

A square is an index into `Board.cells`. There are seven forces on each side: top, right, bottom, left.
"""


def _span(line: tuple[int, ...]) -> slice:
    step = line[1] - line[0]
    stop = line[-1] + step
    return slice(line[0], stop if stop >= 0 else None, step)


SPANS: Mapping[str, slice] = MappingProxyType({force: _span(line) for force, line in FORCES.items()})
"""The lines of the forces as slices of `Board.cells`, which are faster than squares."""

# Lookup tables for `push`: the colours of the blocks as letters (w for white), and all moves.
_LETTERS_A, _LETTERS_B = (
    bytes(ord(COLOURS[face].get(block, Colour.WHITE)[0]) for block in range(256)) for face in Face
)
_A = Face.A  # looking it up takes as long as all the rest of `lifted`
_MOVES = {force: tuple(Move(force, square) for square in range(8)) for force in FORCES}


def push(board: Board, force: str) -> tuple[Board, Move]:
    """Push a line by a force. Return the board after the push and the move made.

    The white block farthest from the force is lifted. The blocks between it and the force slide one square
    away from the force, and the lifted block goes on the square next to the force. Raise IllegalPush if
    there is no white block to lift or no coloured block would slide, and KeyError for an unknown force.
    """
    where = SPANS[force]
    line = board.cells[where]
    far = lifted(board.face, bytes(line), force)
    cells = list(board.cells)
    cells[where] = line[far : far + 1] + line[:far] + line[far + 1 :]
    return Board(board.face, tuple(cells)), _MOVES[force][far + 1]


def lifted(face: Face, line: bytes | bytearray, force: str) -> int:
    """Return the place of the block, from 0 on, that a force lifts of the blocks on its line.

    Raise IllegalPush as `push` does.
    """
    letters = line.translate(_LETTERS_A if face is _A else _LETTERS_B)
    far = letters.rfind(b"w")
    if far < 1 or letters.count(b"w", 0, far) == far:
        raise _illegal(force, far)
    return far


def _illegal(force: str, before: int) -> IllegalPush:
    """Return why a push is illegal that would slide `before` blocks (-1: there is no white block to lift)."""
    if before < 0:
        return IllegalPush("no_white", "The line of force %(force)s has no white block to lift.", force=force)
    return IllegalPush("no_colour_moves", "Force %(force)s would move no coloured block.", force=force)


def pushes(board: Board) -> dict[str, Move | IllegalPush]:
    """Return, for each of the 28 forces, the move that it would make or the reason why it cannot push."""
    results: dict[str, Move | IllegalPush] = {}
    for force in FORCES:
        try:
            results[force] = push(board, force)[1]
        except IllegalPush as illegal:
            results[force] = illegal
    return results


def undo(board: Board, move: Move) -> Board:
    """Return the board before a move that led to this board.

    Raise IllegalPush (`not_made`) if the move cannot have led to it, and KeyError for an unknown force.
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
    raise IllegalPush("not_made", "%(move)s cannot be the move that led to this board.", move=str(move))


def solved(board: Board) -> Strips | None:
    """Return the direction of the strips if the board is solved, else None.

    A board is solved when the middle 5 × 5 squares show a single colour in each row, or in each column. There
    are only five blocks of each colour, so all coloured blocks are then in the middle.
    """
    letters = bytes(board.cells).translate(_LETTERS_A if board.face is Face.A else _LETTERS_B)
    middle = [letters[start : start + 5] for start in range(8, 43, 7)]
    columns = [bytes(column) for column in zip(*middle, strict=True)]
    for strips, lines in ((Strips.ROWS, middle), (Strips.COLUMNS, columns)):
        if all(line[0] != ord("w") and line.count(line[0]) == 5 for line in lines):
            return strips
    return None


def turn(board: Board) -> Board:
    """Return the board with every block turned over on its square."""
    return Board(board.face.other, board.cells)
