"""The record file: boards and their moves as text (docs/golden-nugget-record.md)."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.golden_nugget.blocks import BLOCKS
from engine.golden_nugget.board import Board, Push

MAX_BYTES = 256 * 1024
MAX_PROBLEMS = 1000
"""How many problems are listed; the first are the ones to mend."""

_HEAD = re.compile(r"\s*(board|position)\s+([0-9]{1,6})\s*", re.IGNORECASE)
_MOVE = re.compile(r"([1-7A-U])([1-7]?)", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s,]+")
_SHOWN = 20  # characters of an unreadable word that a message repeats


class RecordUnreadable(ValueError):  # noqa: N818 - the file is, not the program
    """The bytes are not the text of a record file at all; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a record: a code, a sentence, and where; no move means the board as a whole.

    `position` is how the board lay there (before the move), where a replay gets as far.
    """

    board: int | None
    move: int | None
    code: str
    message: str
    position: Board | None = None

    def as_dict(self) -> dict[str, int | str | None]:
        """Give the problem as the API tells it."""
        return {"board": self.board, "move": self.move, "code": self.code, "message": self.message}


@dataclass(frozen=True, slots=True)
class WrittenMove:
    """A move as it is written: the force, and in a full record the square of the lifted block."""

    force: str
    lifted: int | None


@dataclass(slots=True)
class WrittenBoard:
    """A board as it is written. A move or a position that cannot be read is None (and a problem is told)."""

    number: int
    moves: list[WrittenMove | None]
    position: bytes | None = None


@dataclass(slots=True)
class WrittenRecord:
    """What could be read of a record, and what could not."""

    boards: list[WrittenBoard]
    problems: list[Problem]


def decode(data: bytes) -> str:
    """Give the text of a record file. Raises RecordUnreadable."""
    if len(data) > MAX_BYTES:
        raise RecordUnreadable("A record file has at most 256 KiB. Remove comments or use the short record.")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise RecordUnreadable("This file is UTF-16. Save it as UTF-8 and try again.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RecordUnreadable("This is not a text file in UTF-8. Save the record as plain text.") from None
    if "\0" in text:
        raise RecordUnreadable("This file holds bytes that are not text. Save the record as plain text.")
    return text


def parse(text: str) -> WrittenRecord:
    """Read a record, as much of it as can be read; every problem of its writing is told, none is raised."""
    return _Reader().read(text)


def parse_lists(boards: Sequence[Sequence[str]]) -> WrittenRecord:
    """Take a record whose moves come as lists, one for each board."""
    reader = _Reader()
    for number, words in enumerate(boards, 1):
        reader.begin_board(number)
        for word in words:
            reader.add_move(word)
    return reader.record


class _Reader:
    """Reads line after line; knows the board and the kind of line that a continuation goes on with."""

    def __init__(self) -> None:
        self.record = WrittenRecord([], [])
        self._kind = ""
        self._numbers: list[str] = []

    def read(self, text: str) -> WrittenRecord:
        for number, raw in enumerate(text.splitlines(), 1):
            line = raw.partition("#")[0].strip()
            if not line:
                continue
            head, colon, rest = line.partition(":")
            if colon:
                self._end_position()
                self._begin(head, number)
            elif not self._kind:
                self._tell(None, "syntax", f"Line {number} stands before the first board.")
                continue
            else:
                rest = line
            for word in filter(None, _SEPARATORS.split(rest)):
                self._add(word)
        self._end_position()
        return self.record

    def begin_board(self, number: int) -> None:
        boards = self.record.boards
        expected = boards[-1].number + 1 if boards else 1
        if number != expected:
            self._tell(
                None, "board_order", f"Board {expected} should stand here, not board {number}.", board=number
            )
        boards.append(WrittenBoard(number, []))

    def add_move(self, word: str) -> None:
        moves = self.record.boards[-1].moves
        match = _MOVE.fullmatch(word)
        if match:
            force, lifted = match.groups()
            moves.append(WrittenMove(force.upper(), int(lifted) if lifted else None))
        else:
            moves.append(None)
            self._tell(
                len(moves),
                "syntax",
                f"{word[:_SHOWN]!r} is not a move. Write the force (1-7, A-U), or force and square: P or P7.",
            )

    def _begin(self, head: str, line: int) -> None:
        match = _HEAD.fullmatch(head)
        boards = self.record.boards
        if match is None:
            self._kind = "nothing"
            self._tell(None, "syntax", f"Line {line} begins with neither 'board N:' nor 'position N:'.")
            return
        self._kind, number = match[1].lower(), int(match[2])
        if self._kind == "board":
            self.begin_board(number)
        elif not boards or boards[-1].number != number or boards[-1].position is not None:
            self._kind = "nothing"
            self._tell(
                None,
                "board_order",
                f"Position {number} should follow the moves of board {number}.",
                board=number,
            )

    def _add(self, word: str) -> None:
        if self._kind == "board":
            self.add_move(word)
        elif self._kind == "position":
            self._numbers.append(word)

    def _end_position(self) -> None:
        if self._kind != "position":
            return
        words, self._numbers = self._numbers, []
        blocks = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) <= 2]
        if sorted(blocks) == list(BLOCKS) and len(words) == len(blocks):
            self.record.boards[-1].position = bytes(blocks)
        else:
            self._tell(None, "syntax", "A position is the 49 block numbers, each of 1 to 49 once.")

    def _tell(self, move: int | None, code: str, message: str, *, board: int | None = None) -> None:
        if board is None and self.record.boards:
            board = self.record.boards[-1].number
        if len(self.record.problems) < MAX_PROBLEMS:
            self.record.problems.append(Problem(board, move, code, message))


def full_record(boards: Sequence[Sequence[Push]]) -> str:
    """Write a record with full moves (P7), a line a board."""
    return _write([[push.full for push in board] for board in boards])


def short_record(boards: Sequence[Sequence[Push]]) -> str:
    """Write a record with short moves (P), a line a board."""
    return _write([[push.force for push in board] for board in boards])


def digest(boards: Sequence[Sequence[Push]]) -> str:
    """Give the SHA-256 (64 hexadecimal digits) by which a record is known: that of its full record."""
    return hashlib.sha256(full_record(boards).encode()).hexdigest()


def _write(boards: Sequence[Sequence[str]]) -> str:
    return "".join(f"board {number}: {' '.join(words)}\n" for number, words in enumerate(boards, 1))
