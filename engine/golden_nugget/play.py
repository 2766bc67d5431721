"""Playing one board: the moves made, those taken back, and the commands that a player gives."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from engine.golden_nugget.board import FORCES, MAX_MOVES, Board, IllegalPush, Push, is_solved, push, turn
from engine.golden_nugget.ranking import MAX_BOARDS


class PlayError(ValueError):
    """A command that cannot be carried out here: a stable `code`, and a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Play:
    """Board `number` of a run: its start, the moves made, and those taken back (the next one first)."""

    number: int
    start: Board
    made: tuple[Push, ...] = ()
    undone: tuple[Push, ...] = ()

    @cached_property
    def board(self) -> Board:
        """Give the board as it lies."""
        return self.after(len(self.made))

    def after(self, count: int) -> Board:
        """Give the board as it lay after that many of its moves."""
        board = self.start
        for move in self.made[:count]:
            board, _ = push(board, move.force)
        return board

    @cached_property
    def is_solved(self) -> bool:
        """Tell whether the blocks may be turned."""
        return bool(self.made) and is_solved(self.board)

    def pushed(self, force: str) -> "Play":
        """Make a move; what had been taken back is forgotten. Raises PlayError."""
        if len(self.made) == MAX_MOVES:
            raise PlayError("too_many_moves", f"A board has at most {MAX_MOVES} moves. Take some back.")
        try:
            _, move = push(self.board, force)
        except IllegalPush as illegal:
            raise PlayError(illegal.reason, f"Force {force}: {illegal}") from None
        return replace(self, made=(*self.made, move), undone=())

    def at(self, count: int) -> "Play":
        """Go to where that many moves were made: take moves back, or make them again. Raises PlayError."""
        line = self.made + self.undone
        if not 0 <= count <= len(line):
            direction = "take back" if count < 0 else "make again"
            raise PlayError("no_such_move", f"There is no move to {direction}.")
        return replace(self, made=line[:count], undone=line[count:])

    def turned(self) -> "Play":
        """Turn the blocks of a solved board: the next one begins. Raises PlayError."""
        if not self.is_solved:
            raise PlayError("not_solved", "The blocks are turned when the board is solved.")
        if self.number == MAX_BOARDS:
            raise PlayError("too_many_boards", f"A run has at most {MAX_BOARDS} boards. Submit it.")
        return Play(self.number + 1, turn(self.board))

    def commanded(self, word: str) -> "Play":
        """Carry out a command: a force, `undo`, `redo`, `start`, `to:N`, or `turn`. Raises PlayError."""
        count = len(self.made)
        if word in ("undo", "redo", "start"):
            return self.at({"undo": count - 1, "redo": count + 1, "start": 0}[word])
        if word == "turn":
            return self.turned()
        if word.startswith("to:") and word[3:].isdecimal() and len(word) < 6:
            return self.at(int(word[3:]))
        if word in FORCES and len(word) == 1:
            return self.pushed(word)
        raise PlayError("unknown_command", f"{word[:20]!r} is no force (1 to 7, A to U) and no command.")


def read_moves(text: str) -> tuple[Push, ...]:
    """Read moves that `write_moves` wrote."""
    return tuple(Push(word[0], int(word[1])) for word in text.split())


def write_moves(moves: Sequence[Push]) -> str:
    """Write moves as full records, separated by spaces."""
    return " ".join(move.full for move in moves)
