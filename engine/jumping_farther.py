"""The rules of Jumping Farther & Farther: whoever jumps farther than the jump before scores a point."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

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

_SIZE = OptionRange(3, 12, 8)
_ROUNDS = OptionRange(1, 2, 1, normal=2)
_ROUND_TEXT = re.compile(r"(\S+) ([0-9]{1,3}) ([0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the squares (indices as in `squares.names`) in the order of their numbers.

    `points` are those of the odd numbers and of the even ones. `last_jump` is the distance between the last
    two numbers in squares, 0 before the second; `taken` has a bit for each square that is written on.
    """

    size: int
    cells: tuple[int, ...] = ()
    points: tuple[int, int] = (0, 0)
    last_jump: int = field(default=0, compare=False, repr=False)
    taken: int = field(default=0, compare=False, repr=False)

    def reach(self) -> list[tuple[int, int]]:
        """Give the squares for the next number, in board order, each with its distance from the last one.

        The first number may go anywhere, from a distance of 0. There are none when the round is over.
        """
        if not self.cells:
            return [(square, 0) for square in range(self.size**2)]
        lines = number_grid.queen_lines(self.size)[self.cells[-1]]
        return [(square, far) for square, far in lines if number_grid.is_free(self.taken, square)]

    def scores(self, far: int) -> bool:
        """Tell whether a jump of that distance scores: from the third number on, if it is the farther one."""
        return len(self.cells) >= 2 and far > self.last_jump

    @property
    def is_over(self) -> bool:
        """Tell whether no number can follow."""
        return bool(self.cells) and not self.reach()

    def written(self, square: int) -> "Round":
        """Give the round with the next number on a square.

        Raises IllegalMove: `occupied`, `not_on_a_line`.
        """
        name = squares.names(self.size)[square]
        if not number_grid.is_free(self.taken, square):
            raise IllegalMove("occupied", f"{name} holds {self.cells.index(square) + 1} already.")
        far = number_grid.distance(self.cells[-1], square, self.size) if self.cells else 0
        if self.cells and not far:
            last = squares.names(self.size)[self.cells[-1]]
            raise IllegalMove(
                "not_on_a_line", f"{name} is on no line with {last}, where {len(self.cells)} stands."
            )
        gain, writer = self.scores(far), len(self.cells) % 2
        odd, even = self.points
        return Round(
            self.size,
            (*self.cells, square),
            (odd, even + gain) if writer else (odd + gain, even),
            far,
            self.taken | 1 << square,
        )


@dataclass(frozen=True, slots=True)
class Position:
    """The rounds that were begun, and how many there are to be: in the second one the sides are exchanged."""

    rounds: tuple[Round, ...]
    planned: int

    @property
    def current(self) -> Round:
        """Give the round that is played, or the last one."""
        return self.rounds[-1]

    @property
    def is_over(self) -> bool:
        """Tell whether all rounds are over."""
        return len(self.rounds) == self.planned and self.current.is_over


class _Jumping:
    """What the game for two and the solitaire have in common."""

    key = "jumping_farther"
    title = "Jumping Farther & Farther"

    def legal_moves(self, position: Position) -> list[str]:
        """Give the squares for the next number, in board order."""
        names = squares.names(position.current.size)
        return [names[square] for square, _ in position.current.reach()]

    def forced_move(self, position: Position) -> str | None:  # noqa: ARG002 - each number is its player's
        """Give None: even a number with one square left is written by its player."""
        return None

    def play(self, position: Position, move: str) -> Position:
        """Give the position after the next number is written on a square.

        Raises MoveSyntaxError for text that is no square, and IllegalMove with the reason `off_board`,
        `game_over`, `occupied` or `not_on_a_line`.
        """
        square = squares.locate(move, position.current.size)
        if position.is_over:
            raise IllegalMove("game_over", "The game is over: no number can follow.")
        return _continued(position, position.current.written(square))

    def format(self, position: Position) -> str:
        """Write the position string: `5:c3,c5,a5 1 0`, and `/` before the second round of a match."""
        written = "/".join(
            f"{number_grid.to_text(one.size, one.cells)} {one.points[0]} {one.points[1]}"
            for one in position.rounds
        )
        return written + "/" * (position.planned - len(position.rounds))

    def parse(self, text: str) -> Position:
        """Read a position string; its points are taken as they stand. Raises MoveSyntaxError."""
        first, *others = text.split("/")
        if len(others) >= _ROUNDS.maximum:
            raise MoveSyntaxError(f"A match has {_ROUNDS.maximum} rounds at most.")
        played = _parse_round(first)
        position = Position((played,), 1 + len(others))
        if not others or (not others[0] and not played.is_over):
            return position
        second = _parse_round(others[0])
        if not played.is_over or second.size != played.size:
            raise MoveSyntaxError("The second round follows on a whole first one, on a board of its size.")
        return Position((played, second), 2)


class JumpingFarther(_Jumping):
    """Jumping Farther & Farther for two: one round, or a match of two with the sides exchanged."""

    sides: Sequence[Side] = (Side.FIRST, Side.SECOND)
    options: Mapping[str, OptionRange] = {"size": _SIZE, "rounds": _ROUNDS}

    def initial(self, options: Mapping[str, int]) -> Position:
        """Give the empty board. Raises ValueError for an option unknown or out of range."""
        chosen = choose(self.options, options)
        return Position((Round(chosen["size"]),), chosen["rounds"])

    def side_to_move(self, position: Position) -> Side | None:
        """Give the side that writes the next number, or None when the game is over."""
        return (
            None if position.is_over else self._writer(len(position.rounds) - 1, len(position.current.cells))
        )

    def mover(self, position: Position, ply: int) -> Side:
        """Give the side that wrote the number of a ply; each round begins with 1 anew."""
        first = len(position.rounds[0].cells)
        return self._writer(0, ply - 1) if ply <= first else self._writer(1, ply - first - 1)

    def outcome(self, position: Position) -> Outcome | None:
        """Give who has more points when all rounds are over, nobody if they are level; None before that."""
        if not position.is_over:
            return None
        first, second = self.score(position).values()
        winner = None if first == second else Side.FIRST if first > second else Side.SECOND
        return Outcome(winner, Termination.NO_MOVE)

    def score(self, position: Position) -> Score:
        """Give each side's points of all rounds."""
        points = {side.value: 0 for side in self.sides}
        for number, played in enumerate(position.rounds):
            for place, gained in enumerate(played.points):
                points[self._writer(number, place).value] += gained
        return points

    def _writer(self, number: int, place: int) -> Side:
        """Give who writes the number at that place of a round; round 0 begins with the first side."""
        return self.sides[(number + place) % 2]


class JumpingSolitaire(_Jumping):
    """The solitaire: one player writes every number and gets every point."""

    sides: Sequence[Side] = (Side.SOLO,)
    options: Mapping[str, OptionRange] = {"size": _SIZE}
    tie_break: str | None = None

    def initial(self, options: Mapping[str, int]) -> Position:
        """Give the empty board. Raises ValueError for an option unknown or out of range."""
        return Position((Round(choose(self.options, options)["size"]),), 1)

    def side_to_move(self, position: Position) -> Side | None:
        """Give the one side, or None when the game is over."""
        return None if position.is_over else Side.SOLO

    def mover(self, position: Position, ply: int) -> Side:  # noqa: ARG002 - there is only one
        """Give the one side."""
        return Side.SOLO

    def outcome(self, position: Position) -> Outcome | None:
        """Give the end when no number can follow; nobody wins a solitaire."""
        return Outcome(None, Termination.NO_MOVE) if position.is_over else None

    def score(self, position: Position) -> Score:
        """Give the points of all numbers."""
        return {Side.SOLO.value: sum(position.current.points)}

    def ceiling(self, options: Mapping[str, int]) -> int | None:  # noqa: ARG002 - no bound is known
        """Give None: the rules alone set no bound that a game could be held against."""
        return None

    def parse(self, text: str) -> Position:
        """Read a position string of one round. Raises MoveSyntaxError."""
        if "/" in text:
            raise MoveSyntaxError("A solitaire game is one round.")
        return super().parse(text)


JUMPING_FARTHER = JumpingFarther()
JUMPING_SOLITAIRE = JumpingSolitaire()


def _continued(position: Position, current: Round) -> Position:
    """Give the position with the current round as it is now; after its end the next one begins."""
    rounds = (*position.rounds[:-1], current)
    if current.is_over and len(rounds) < position.planned:
        rounds = (*rounds, Round(current.size))
    return replace(position, rounds=rounds)


def _parse_round(text: str) -> Round:
    found = _ROUND_TEXT.fullmatch(text)
    if found is None:
        raise MoveSyntaxError("A round is its squares and the points of both sides: 5:c3,c5,a5 1 0.")
    size, cells = number_grid.parse(found[1], _SIZE)
    played = Round(size)
    try:
        for square in cells:
            played = played.written(square)
    except IllegalMove as error:
        raise MoveSyntaxError(str(error)) from None
    # Like a chess position that no game leads to, a string is taken at its word, within what can be.
    odd, even = int(found[2]), int(found[3])
    scoring = max(0, len(cells) - 2)
    if odd > (scoring + 1) // 2 or even > scoring // 2:
        raise MoveSyntaxError(f"{len(cells)} numbers cannot have scored {odd} and {even} points.")
    return replace(played, points=(odd, even))
