"""The record file of Golden Nugget: reading it, with all syntax problems reported, and writing it.

docs/golden-nugget-record.md describes the format.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from engine.game import quoted
from engine.golden_nugget.board import FORCES
from engine.golden_nugget.problems import Code, Problem, Problems

MAX_BYTES = 256 * 1024
"""The maximum size of a record file, in bytes."""

_MOVES = {
    form: move
    for force in FORCES
    for lifted in ("", *"1234567")
    for move in (force + lifted,)
    for form in (move, move.lower())
}
"""The form of a move in a Record, by each form that is accepted in a file."""

_BLOCKS = {form: block for block in range(1, 50) for form in (f"{block}", f"{block:02}")}

_NUMBER = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class RecordedBoard:
    """The moves of a board, each in short (`P`) or full notation (`P7`), and the 49 blocks after them.

    `moves` also has the words of the file that are not moves, unchanged; `is_move` tells them apart.
    """

    moves: tuple[str, ...]
    position: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """The boards of a run, starting with board 1."""

    boards: tuple[RecordedBoard, ...]


@dataclass(frozen=True, slots=True)
class Parsed:
    """The readable part of a record, with its syntax problems (only the first ones if there are `more`).

    The first `in_order` boards are numbered 1, 2, 3, …; the numbers of the others are not reliable.
    """

    record: Record
    in_order: int
    problems: tuple[Problem, ...] = ()
    more: bool = False


class RecordUnreadable(ValueError):  # noqa: N818 - a description of the record
    """The file is too large, or is not text."""


def is_move(text: str) -> bool:
    """Return whether a text is a move in the form that a Record has."""
    return _MOVES.get(text) == text


def decode(data: bytes) -> str:
    """Return the text of a record file. Raise RecordUnreadable if it is over MAX_BYTES or not UTF-8."""
    if len(data) > MAX_BYTES:
        raise RecordUnreadable(f"The record is over {MAX_BYTES // 1024} KiB.")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise RecordUnreadable("The record is in UTF-16; save it as UTF-8.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordUnreadable(f"The record is not UTF-8 text: see its byte {error.start + 1}.") from error
    if "\0" in text:
        raise RecordUnreadable("The record has NUL bytes, so it is not a text file.")
    return text


def parse(text: str) -> Parsed:
    """Return the record of a text. Never raises: syntax errors are in `problems` of the result."""
    reader = _Reader()
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        reader.read(number, line.partition("#")[0])
    return reader.parsed()


def from_moves(boards: Iterable[Iterable[str]]) -> Parsed:
    """Return the record with these moves on each board, in short or full notation, upper or lower case.

    Never raises. The caller limits the number of boards and moves.
    """
    reader = _Reader()
    for number, moves in enumerate(boards, start=1):
        reader.boards.append(_Lines(number, list(moves)))
    reader.in_order = len(reader.boards)
    return reader.parsed()


def to_text(record: Record) -> str:
    """Return a record as text that `parse` accepts: a line for each board and each known position."""
    lines = []
    for number, board in enumerate(record.boards, start=1):
        lines.append(f"board {number}: {' '.join(board.moves)}")
        if board.position is not None:
            lines.append(f"position {number}: {' '.join(map(str, board.position))}")
    return "".join(f"{line}\n" for line in lines)


def without_positions(record: Record) -> Record:
    """Return the record without positions."""
    return Record(tuple(replace(board, position=None) for board in record.boards))


def in_short(record: Record) -> Record:
    """Return the record with all moves in short notation."""
    boards = (replace(board, moves=tuple(move[:1] for move in board.moves)) for board in record.boards)
    return Record(tuple(boards))


@dataclass(slots=True)
class _Lines:
    """The words of the file for one board, and the number that the file gives it."""

    number: int
    moves: list[str] = field(default_factory=list)
    position: list[str] | None = None


class _Reader:
    """Reads a record line by line. `words` is the list that continuation lines add to, or None at first."""

    def __init__(self) -> None:
        self.problems = Problems()
        self.boards: list[_Lines] = []
        self.in_order = 0
        self.words: list[str] | None = None

    def read(self, line: int, text: str) -> None:
        head, colon, rest = text.partition(":")
        words = (rest if colon else head).replace(",", " ").split()
        if colon:
            self.words = self.begin(line, head)
        elif self.words is None:
            if not words:
                return
            self.problems.report(
                Code.SYNTAX, "Line %(line)s continues a line, but there is none before it.", line=line
            )
            self.words = []
        self.words += words

    def begin(self, line: int, head: str) -> list[str]:
        """Begin a board or a position and return the list for its words."""
        match head.lower().split():
            case ["board", number] if _NUMBER.fullmatch(number):
                return self.begin_board(line, int(number))
            case ["position", number] if _NUMBER.fullmatch(number):
                return self.begin_position(line, int(number))
        self.problems.report(
            Code.SYNTAX,
            "Line %(line)s starts with %(start)s instead of `board` or `position` and a number.",
            line=line,
            start=quoted(head),
        )
        return []

    def begin_board(self, line: int, number: int) -> list[str]:
        expected = self.boards[-1].number + 1 if self.boards else 1
        if number != expected:
            self.problems.report(
                Code.BOARD_ORDER,
                "Line %(line)s has board %(number)s instead of board %(expected)s.",
                number,
                line=line,
                number=number,
                expected=expected,
            )
        elif self.in_order == len(self.boards):
            self.in_order += 1
        self.boards.append(_Lines(number))
        return self.boards[-1].moves

    def begin_position(self, line: int, number: int) -> list[str]:
        words: list[str] = []
        if self.boards and self.boards[-1].number == number and self.boards[-1].position is None:
            self.boards[-1].position = words
        else:
            self.problems.report(
                Code.BOARD_ORDER,
                "Line %(line)s has position %(number)s, which belongs right after board %(number)s.",
                number,
                line=line,
                number=number,
            )
        return words

    def parsed(self) -> Parsed:
        boards = tuple(RecordedBoard(self.moves_of(lines), self.position_of(lines)) for lines in self.boards)
        return Parsed(Record(boards), self.in_order, tuple(self.problems.listed), self.problems.more)

    def moves_of(self, lines: _Lines) -> tuple[str, ...]:
        moves = tuple(_MOVES.get(word, word) for word in lines.moves)
        for number, move in enumerate(moves, start=1):
            if move not in _MOVES:
                self.problems.report(
                    Code.SYNTAX,
                    "%(text)s is not a move such as P or P7.",
                    lines.number,
                    number,
                    text=quoted(move),
                )
        return moves

    def position_of(self, lines: _Lines) -> tuple[int, ...] | None:
        if lines.position is None:
            return None
        if len(lines.position) == 49 and all(word in _BLOCKS for word in lines.position):
            return tuple(_BLOCKS[word] for word in lines.position)
        self.problems.report(
            Code.SYNTAX,
            "Position %(number)s is not 49 numbers from 1 to 49.",
            lines.number,
            number=lines.number,
        )
        return None
