"""Playing one board: the moves made, those taken back, and the commands that a player gives."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from engine.golden_nugget.board import (
    FORCES,
    MAX_BOARDS,
    MOVE_LIMIT,
    Board,
    IllegalPush,
    Move,
    push,
    solved,
    turn,
)


@dataclass(frozen=True)
class Play:
    """Board `number` of a run: its start, the moves made, and those taken back (the next one first).

    What is not allowed raises IllegalPush, with a reason.
    """

    number: int
    start: Board
    made: tuple[Move, ...] = ()
    undone: tuple[Move, ...] = ()

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
        return bool(self.made) and solved(self.board) is not None

    def pushed(self, force: str) -> "Play":
        """Give the play after a move; what had been taken back is forgotten."""
        if len(self.made) == MOVE_LIMIT:
            raise IllegalPush("too_many_moves", f"A board has at most {MOVE_LIMIT} moves. Take some back.")
        _, move = push(self.board, force)
        return replace(self, made=(*self.made, move), undone=())

    def at(self, count: int) -> "Play":
        """Give the play where that many moves were made: with moves taken back, or made again."""
        line = self.made + self.undone
        if not 0 <= count <= len(line):
            direction = "take back" if count < 0 else "make again"
            raise IllegalPush("no_such_move", f"There is no move to {direction}.")
        return replace(self, made=line[:count], undone=line[count:])

    def turned(self) -> "Play":
        """Turn the blocks of a solved board: the next one begins."""
        if not self.is_solved:
            raise IllegalPush("not_solved", "The blocks are turned when the board is solved.")
        if self.number == MAX_BOARDS:
            raise IllegalPush("too_many_boards", f"A run has at most {MAX_BOARDS} boards. Submit it.")
        return Play(self.number + 1, turn(self.board))

    def commanded(self, word: str) -> "Play":
        """Carry out a command: a force, `undo`, `redo`, `start`, `to:N`, or `turn`."""
        count = len(self.made)
        if word in ("undo", "redo", "start"):
            return self.at({"undo": count - 1, "redo": count + 1, "start": 0}[word])
        if word == "turn":
            return self.turned()
        if word.startswith("to:") and word[3:].isascii() and word[3:].isdigit() and len(word) < 6:
            return self.at(int(word[3:]))
        if word in FORCES:
            return self.pushed(word)
        raise IllegalPush("unknown_command", f"{word[:20]!r} is no force (1 to 7, A to U) and no command.")


def read_moves(text: str) -> tuple[Move, ...]:
    """Read moves that `write_moves` wrote."""
    return tuple(Move(word[0], int(word[1])) for word in text.split())


def write_moves(moves: Sequence[Move]) -> str:
    """Write moves as full records, separated by spaces."""
    return " ".join(map(str, moves))
