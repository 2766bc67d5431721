"""The rules of Up And Up: each number goes one square farther from the last one than the number before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine import number_grid, squares
from engine.game import (
    IllegalMove,
    MoveSyntaxError,
    OptionRange,
    Outcome,
    Score,
    Side,
    Termination,
    choose,
)

_SIZE = OptionRange(1, 12, 8)


@dataclass(frozen=True, slots=True)
class Position:
    """The squares (indices as in `squares.names`) in the order of their numbers; the rest follows from them.

    `k` is the distance in squares that the next number is to be from the last one; `resets` counts how often
    it fell back to 1; `taken` has a bit for each square that is written on.
    """

    size: int
    cells: tuple[int, ...] = ()
    k: int = field(default=1, compare=False, repr=False)
    resets: int = field(default=0, compare=False, repr=False)
    taken: int = field(default=0, compare=False, repr=False)

    def free_at(self, far: int) -> list[int]:
        """Give the empty squares exactly so far from the last number, in board order."""
        lines = number_grid.rook_lines(self.size)[self.cells[-1]]
        return [square for square, away in lines if away == far and number_grid.is_free(self.taken, square)]

    @property
    def step(self) -> int:
        """Give the distance that holds for the next number: k, or 1 when no square is free k away."""
        return self.k if not self.cells or self.free_at(self.k) else 1

    def reach(self) -> list[int]:
        """Give the squares for the next number, in board order; none when the game is over."""
        return self.free_at(self.step) if self.cells else list(range(self.size**2))


class UpAndUp:
    """Up And Up as a game of the registry."""

    key = "up_and_up"
    title = "Up And Up"
    sides: Sequence[Side] = (Side.SOLO,)
    options: Mapping[str, OptionRange] = {"size": _SIZE}
    tie_break: str | None = "resets"

    def initial(self, options: Mapping[str, int]) -> Position:
        """Give the empty board. Raises ValueError for an option unknown or out of range."""
        return Position(choose(self.options, options)["size"])

    def side_to_move(self, position: Position) -> Side | None:
        """Give the one side, or None when the game is over."""
        return Side.SOLO if position.reach() else None

    def mover(self, position: Position, ply: int) -> Side:  # noqa: ARG002 - there is only one
        """Give the one side."""
        return Side.SOLO

    def legal_moves(self, position: Position) -> list[str]:
        """Give the squares for the next number, in board order."""
        names = squares.names(position.size)
        return [names[square] for square in position.reach()]

    def forced_move(self, position: Position) -> str | None:  # noqa: ARG002 - each number is the player's
        """Give None: even a number with one square left is written by the player."""
        return None

    def play(self, position: Position, move: str) -> Position:
        """Give the position after the next number is written on a square.

        Raises MoveSyntaxError for text that is no square, and IllegalMove with the reason `off_board`,
        `game_over`, `occupied`, `not_k_away` or `reset_not_allowed`.
        """
        square = squares.locate(move, position.size)
        if not position.reach():
            raise IllegalMove("game_over", "The game is over: no number can follow.")
        return _written(position, square)

    def outcome(self, position: Position) -> Outcome | None:
        """Give the end when even k = 1 finds no square; nobody wins a solitaire."""
        return None if position.reach() else Outcome(None, Termination.NO_MOVE)

    def score(self, position: Position) -> Score:
        """Give the last number written, and how often k fell back."""
        return {Side.SOLO.value: len(position.cells), "resets": position.resets}

    def ceiling(self, options: Mapping[str, int]) -> int | None:
        """Give the number of squares: a full board cannot be bettered."""
        return choose(self.options, options)["size"] ** 2

    def parse(self, text: str) -> Position:
        """Read a position string such as `6:d3,d4,b4`. Raises MoveSyntaxError."""
        size, cells = number_grid.parse(text, _SIZE)
        position = Position(size)
        try:
            for square in cells:
                position = _written(position, square)
        except IllegalMove as error:
            raise MoveSyntaxError(str(error)) from None
        return position

    def format(self, position: Position) -> str:
        """Write the position string that `parse` reads back."""
        return number_grid.to_text(position.size, position.cells)


UP_AND_UP = UpAndUp()


def _written(position: Position, square: int) -> Position:
    """Give the position with the next number on a square. Raises IllegalMove."""
    size, cells, step = position.size, position.cells, position.step
    if not number_grid.is_free(position.taken, square):
        name = squares.names(size)[square]
        raise IllegalMove("occupied", f"{name} holds {cells.index(square) + 1} already.")
    if cells and square not in position.free_at(step):
        raise _why_not(position, square)
    return Position(
        size,
        (*cells, square),
        step + 1 if cells else 1,
        position.resets + (step < position.k),
        position.taken | 1 << square,
    )


def _why_not(position: Position, square: int) -> IllegalMove:
    """Give the reason why the next number may not go on an empty square."""
    names, step = squares.names(position.size), position.step
    name, last = names[square], names[position.cells[-1]]
    if square in position.free_at(1):
        return IllegalMove(
            "reset_not_allowed",
            f"{name} is 1 square from {last}, but k is {step} and may not fall back while a square "
            f"{step} away is free.",
        )
    away = f"{step} square{'s' if step > 1 else ''}"
    return IllegalMove("not_k_away", f"{name} is not {away} up, down, left or right of {last}; k is {step}.")
