"""Playing one board with undo and redo, and the commands of the player."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from engine.game import quoted
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

_TO = re.compile("to:([0-9]{1,2})")


@dataclass(frozen=True)
class Play:
    """Board `number` of a run: its start, the moves made, and those undone (the next to redo first).

    Methods raise IllegalPush with a reason for anything that is not allowed.
    """

    number: int
    start: Board
    made: tuple[Move, ...] = ()
    undone: tuple[Move, ...] = ()

    @cached_property
    def board(self) -> Board:
        """Return the current board."""
        return self.after(len(self.made))

    def after(self, count: int) -> Board:
        """Return the board after the first `count` moves."""
        board = self.start
        for move in self.made[:count]:
            board, _ = push(board, move.force)
        return board

    @cached_property
    def is_solved(self) -> bool:
        """Return whether the board is solved after at least one move, so that the blocks may be turned."""
        return bool(self.made) and solved(self.board) is not None

    @property
    def is_last(self) -> bool:
        """Return whether a run has no board after this one."""
        return self.number == MAX_BOARDS

    def pushed(self, force: str) -> "Play":
        """Return the play after a push, which discards the undone moves."""
        if len(self.made) == MOVE_LIMIT:
            raise IllegalPush(
                "too_many_moves", "A board has at most %(most)s moves. Take some back.", most=MOVE_LIMIT
            )
        _, move = push(self.board, force)
        return replace(self, made=(*self.made, move), undone=())

    def at(self, count: int) -> "Play":
        """Return the play with `count` moves made, by undoing or redoing moves."""
        moves = self.made + self.undone
        if not 0 <= count <= len(moves):
            if count < 0:
                raise IllegalPush("no_such_move", "There is no move to take back.")
            raise IllegalPush("no_such_move", "There is no move to redo.")
        return replace(self, made=moves[:count], undone=moves[count:])

    def turned(self) -> "Play":
        """Return the next board of the run: the blocks of the solved board turned over."""
        if not self.is_solved:
            raise IllegalPush("not_solved", "The blocks are turned when the board is solved.")
        if self.is_last:
            raise IllegalPush(
                "too_many_boards", "A run has at most %(most)s boards. Submit it.", most=MAX_BOARDS
            )
        return Play(self.number + 1, turn(self.board))

    def commanded(self, command: str) -> "Play":
        """Return the play after a command: a force, `undo`, `redo`, `start`, `to:N` or `turn`."""
        count = len(self.made)
        if command in ("undo", "redo", "start"):
            return self.at({"undo": count - 1, "redo": count + 1, "start": 0}[command])
        if command == "turn":
            return self.turned()
        if to := _TO.fullmatch(command):
            return self.at(int(to[1]))
        if command in FORCES:
            return self.pushed(command)
        raise IllegalPush(
            "unknown_command",
            "%(command)s is neither a force (1 to 7, A to U) nor a command.",
            command=quoted(command),
        )


def read_moves(text: str) -> tuple[Move, ...]:
    """Return the moves of a text from `write_moves`."""
    return tuple(map(_move, text.split()))


@cache
def _move(text: str) -> Move:
    return Move(text[0], int(text[1]))


def write_moves(moves: Sequence[Move]) -> str:
    """Return moves in full notation, separated by spaces."""
    return " ".join(map(str, moves))
