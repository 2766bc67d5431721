"""The rules of Up And Up: each jump is one square longer than the one before, as long as that is possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine import number_grid, squares
from engine.canonical import DEAD, Rows, least_image
from engine.game import (
    IllegalMove,
    MoveSyntaxError,
    OptionRange,
    Outcome,
    Score,
    Side,
    Termination,
    check_length,
    with_defaults,
)

_SIZE = OptionRange(1, 12, 8)


@dataclass(frozen=True, slots=True)
class Position:
    """The squares, as indices into `squares.names`, in the order of their numbers.

    The other fields follow from them: `k` is the distance in squares that the next number has to be from the
    last one, `resets` the number of times it was reset to 1, and `taken` the set of squares with a number
    (see `number_grid`).
    """

    size: int
    cells: tuple[int, ...] = ()
    k: int = field(default=1, compare=False, repr=False)
    resets: int = field(default=0, compare=False, repr=False)
    taken: int = field(default=0, compare=False, repr=False)

    def free_at(self, far: int) -> list[int]:
        """Return the empty squares at exactly that distance from the last number, in board order."""
        at_distance, taken = number_grid.rook_squares(self.size)[self.cells[-1]][far], self.taken
        return [square for square in at_distance if not taken >> square & 1]

    @property
    def step(self) -> int:
        """Return the distance of the next number from the last: k, or 1 if no square at k is free."""
        return self.k if not self.cells or self.free_at(self.k) else 1

    def reach(self) -> list[int]:
        """Return the squares for the next number, in board order. The list is empty if the game is over."""
        if not self.cells:
            return list(range(self.size**2))
        return self.free_at(self.k) or self.free_at(1)


class UpAndUp:
    """Up And Up as a game of the registry."""

    key = "up_and_up"
    title = short_title = "Up And Up"
    sides: Sequence[Side] = (Side.SOLO,)
    options: Mapping[str, OptionRange] = {"size": _SIZE}
    tie_break: str | None = "resets"
    has_draws = False

    def initial(self, options: Mapping[str, int]) -> Position:
        """Return the empty board. Raise ValueError for an unknown option or a value out of range."""
        return Position(with_defaults(self.options, options)["size"])

    def side_to_move(self, position: Position) -> Side | None:
        """Return `Side.SOLO`, or None if the game is over."""
        return Side.SOLO if position.reach() else None

    def mover(self, position: Position, ply: int) -> Side:  # noqa: ARG002 - there is only one side
        """Return `Side.SOLO`."""
        return Side.SOLO

    def legal_moves(self, position: Position) -> list[str]:
        """Return the squares for the next number, in board order."""
        names = squares.names(position.size)
        return [names[square] for square in position.reach()]

    def forced_move(self, position: Position) -> str | None:  # noqa: ARG002 - the player writes every number
        """Return None: the player writes every number, even if only one square is possible."""
        return None

    def play(self, position: Position, move: str) -> Position:
        """Return the position with the next number on a square.

        Raise MoveSyntaxError for text that is not a square, and IllegalMove with the reason `off_board`,
        `game_over`, `occupied`, `not_k_away` or `reset_not_allowed`.
        """
        square = squares.locate(move, position.size)
        if not position.reach():
            raise IllegalMove("game_over", "The game is over: no number can follow.")
        return _written(position, square)

    def outcome(self, position: Position) -> Outcome | None:
        """Return the outcome, without a winner, once no square is free even for k = 1."""
        return None if position.reach() else Outcome(None, Termination.NO_MOVE)

    def score(self, position: Position) -> Score:
        """Return the last number written as points, and the number of resets of k."""
        return {Side.SOLO.value: len(position.cells), "resets": position.resets}

    def ceiling(self, options: Mapping[str, int]) -> int | None:
        """Return the number of squares, which is the score of a full board."""
        return with_defaults(self.options, options)["size"] ** 2

    def least_tie_break(self, options: Mapping[str, int]) -> int | None:
        """Return a number of resets that no full board goes below: each begins a run, except the first."""
        return number_grid.fewest_runs(with_defaults(self.options, options)["size"]) - 1

    def parse(self, text: str) -> Position:
        """Return the position of a string such as `6:d3,d4,b4`. Raise MoveSyntaxError."""
        check_length(text)
        size, cells = number_grid.parse(text, _SIZE)
        position = Position(size)
        try:
            for square in cells:
                position = _written(position, square)
        except IllegalMove as error:
            raise MoveSyntaxError(error.message, **error.figures) from None
        return position

    def format(self, position: Position) -> str:
        """Return the position string that `parse` accepts."""
        return number_grid.to_text(position.size, position.cells)

    def options_of(self, position: Position) -> Mapping[str, int]:
        """Return the size of the board."""
        return {"size": position.size}

    def contents(self, position: Position) -> tuple[Sequence[str], str]:
        """Return the number on each square."""
        return number_grid.numbers(position.size, position.cells), ""

    def canonical_form(self, position: Position) -> Rows:
        """Return where the next numbers may go, with k and whether it is being reset."""
        size, reach = position.size, position.reach()
        if not reach:
            return ()
        left = _left(position)
        pace = f"{position.step}{'r' if position.step < position.k else ''}"
        cells = [pace if square in reach else "-" if square in left else DEAD for square in range(size**2)]
        return least_image(cells[start : start + size] for start in range(0, size**2, size))

    def moves_towards(
        self,
        position: Position,
        targets: Sequence[Position],
        plies: int,  # noqa: ARG002 - there are few moves
    ) -> Mapping[str, Sequence[Position]]:
        """Return all legal moves, each with all targets."""
        return dict.fromkeys(self.legal_moves(position), targets)


UP_AND_UP = UpAndUp()


def _left(position: Position) -> set[int]:
    """Return the squares that may still get a number. Some of them cannot if others get theirs first."""
    at_distance = number_grid.rook_squares(position.size)
    waiting = [(square, position.step + 1 if position.cells else 1) for square in position.reach()]
    seen = set(waiting)
    while waiting:
        square, k = waiting.pop()
        for step in {k, 1} if k < position.size else {1}:
            following = {(other, step + 1) for other in at_distance[square][step]} - seen
            free = [each for each in following if not position.taken >> each[0] & 1]
            seen.update(free)
            waiting += free
    return {square for square, _ in seen}


def _written(position: Position, square: int) -> Position:
    """Return the position with the next number on a square. Raise IllegalMove."""
    size, cells, step = position.size, position.cells, position.step
    if position.taken >> square & 1:
        name = squares.names(size)[square]
        number = cells.index(square) + 1
        raise IllegalMove(
            "occupied", "%(square)s already has the number %(number)s.", square=name, number=number
        )
    if cells and square not in number_grid.rook_squares(size)[cells[-1]][step]:
        raise _why_not(position, square)
    return Position(
        size,
        (*cells, square),
        step + 1 if cells else 1,
        position.resets + (step < position.k),
        position.taken | 1 << square,
    )


def _why_not(position: Position, square: int) -> IllegalMove:
    """Return the reason why the next number may not go on an empty square."""
    names, step = squares.names(position.size), position.step
    name, last = names[square], names[position.cells[-1]]
    if square in position.free_at(1):
        return IllegalMove(
            "reset_not_allowed",
            "%(square)s is next to %(last)s, but k is %(k)s and must not be reset while a square that "
            "far away "
            "is free.",
            square=name,
            last=last,
            k=step,
        )
    return IllegalMove(
        "not_k_away",
        "%(square)s is not %(k)s up, down, left or right of %(last)s: k is %(k)s.",
        square=name,
        last=last,
        k=step,
    )
