"""The rules of Jumping Farther & Farther: a jump that is longer than the one before scores a point."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from engine import number_grid, squares
from engine.canonical import Rows
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
from engine.jumping_form import Outlook

_SIZE = OptionRange(3, 12, 8)
_ROUNDS = OptionRange(1, 2, 1, normal=2)
_ROUND_TEXT = re.compile(r"(\S+) ([0-9]{1,3}) ([0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class Round:
    """One round. `cells` are the squares, as indices into `squares.names`, in the order of their numbers.

    `points` are those of the odd numbers and of the even numbers. `last_jump` is the distance in squares
    between the last two numbers, 0 before the second. `taken` is the set of squares with a number (see
    `number_grid`).
    """

    size: int
    cells: tuple[int, ...] = ()
    points: tuple[int, int] = (0, 0)
    last_jump: int = field(default=0, compare=False, repr=False)
    taken: int = field(default=0, compare=False, repr=False)

    def reach(self) -> list[tuple[int, int]]:
        """Return the squares for the next number, in board order, each with its distance from the last one.

        The first number may go anywhere, at distance 0. The list is empty if the round is over.
        """
        if not self.cells:
            return [(square, 0) for square in range(self.size**2)]
        taken, lines = self.taken, number_grid.queen_lines(self.size)[self.cells[-1]]
        return [(square, far) for square, far in lines if not taken >> square & 1]

    def scores(self, far: int) -> bool:
        """Return whether a jump of that distance scores: from the third number on, if it is longer."""
        return len(self.cells) >= 2 and far > self.last_jump

    def outlook(self) -> Outlook:
        """Return where the next numbers may go."""
        free = (1 << self.size**2) - 1 & ~self.taken
        longest = self.last_jump if len(self.cells) >= 2 else self.size
        return Outlook(self.size, free, dict(self.reach()), longest)

    @property
    def is_over(self) -> bool:
        """Return whether no number can follow."""
        return bool(self.cells) and not number_grid.queen_sets(self.size)[self.cells[-1]] & ~self.taken

    def written(self, square: int) -> "Round":
        """Return the round with the next number on a square.

        Raise IllegalMove with the reason `occupied` or `not_on_a_line`.
        """
        if self.taken >> square & 1:
            name = squares.names(self.size)[square]
            number = self.cells.index(square) + 1
            raise IllegalMove(
                "occupied", "%(square)s already has the number %(number)s.", square=name, number=number
            )
        far = number_grid.distance(self.cells[-1], square, self.size) if self.cells else 0
        if self.cells and not far:
            name, last = (squares.names(self.size)[cell] for cell in (square, self.cells[-1]))
            raise IllegalMove(
                "not_on_a_line",
                "%(square)s is not in line with %(last)s, the square of %(number)s.",
                square=name,
                last=last,
                number=len(self.cells),
            )
        gain, is_even = self.scores(far), len(self.cells) % 2
        odd, even = self.points
        return Round(
            self.size,
            (*self.cells, square),
            (odd, even + gain) if is_even else (odd + gain, even),
            far,
            self.taken | 1 << square,
        )


@dataclass(frozen=True, slots=True)
class Position:
    """The rounds begun so far and the number `planned`. The sides are exchanged in the second round."""

    rounds: tuple[Round, ...]
    planned: int

    @property
    def current(self) -> Round:
        """Return the round in progress, or the last round of a finished game."""
        return self.rounds[-1]

    @property
    def rounds_to_come(self) -> int:
        """Return how many rounds have not begun yet."""
        return self.planned - len(self.rounds)

    @property
    def is_over(self) -> bool:
        """Return whether all rounds are over."""
        return not self.rounds_to_come and self.current.is_over


class _Jumping:
    """The common part of the rules for one and for two players."""

    key = "jumping_farther"
    title = "Jumping Farther & Farther"
    short_title = "Jumping Farther"
    has_draws = True

    def legal_moves(self, position: Position) -> list[str]:
        """Return the squares for the next number, in board order."""
        names = squares.names(position.current.size)
        return [names[square] for square, _ in position.current.reach()]

    def forced_move(self, position: Position) -> str | None:  # noqa: ARG002 - players write every number
        """Return None: players write every number themselves, even if only one square is possible."""
        return None

    def play(self, position: Position, move: str) -> Position:
        """Return the position with the next number on a square.

        Raise MoveSyntaxError for text that is not a square, and IllegalMove with the reason `off_board`,
        `game_over`, `occupied` or `not_on_a_line`.
        """
        square = squares.locate(move, position.current.size)
        if position.is_over:
            raise IllegalMove("game_over", "The game is over: no number can follow.")
        return _continued(position, position.current.written(square))

    def format(self, position: Position) -> str:
        """Return the position string: `5:c3,c5,a5 1 0`, and `/` before the second round of a match."""
        rounds = "/".join(
            f"{number_grid.to_text(round_.size, round_.cells)} {round_.points[0]} {round_.points[1]}"
            for round_ in position.rounds
        )
        return rounds + "/" * (position.planned - len(position.rounds))

    def contents(self, position: Position) -> tuple[Sequence[str], str]:
        """Return the numbers of the rounds on each square, and the number of planned rounds."""
        written = [number_grid.numbers(position.current.size, each.cells) for each in position.rounds]
        return [" ".join(each) for each in zip(*written, strict=True)], str(position.planned)

    def canonical_form(self, position: Position) -> Rows:
        """Return where the numbers of the current round can still go, and where the next one scores."""
        return position.current.outlook().form()

    def moves_towards(
        self, position: Position, targets: Sequence[Position], plies: int
    ) -> Mapping[str, Sequence[Position]]:
        """Return the squares after which as many squares are left as in a target, or enough to go on."""
        size = position.current.size
        wanted: dict[tuple[int, int], list[Position]] = {}
        for target in targets:
            wanted.setdefault(_room(target.current), []).append(target)
        begins = (size**2, size**2) if len(position.rounds) < position.planned else (0, 0)
        names, towards = squares.names(size), {}
        for square, after in position.current.outlook().rooms().items():
            room = after if after[0] else begins
            near = [
                target
                for wanted_room, alike in wanted.items()
                if room == wanted_room or (plies > 1 and room[0] > wanted_room[0])
                for target in alike
            ]
            if near:
                towards[names[square]] = near
        return towards

    def parse(self, text: str) -> Position:
        """Return the position of a string, with the points that it states. Raise MoveSyntaxError."""
        check_length(text)
        first_text, *other_texts = text.split("/")
        if len(other_texts) >= _ROUNDS.maximum:
            raise MoveSyntaxError("A match has %(most)s rounds at most.", most=_ROUNDS.maximum)
        first = _parse_round(first_text)
        position = Position((first,), 1 + len(other_texts))
        if not other_texts or (not other_texts[0] and not first.is_over):
            return position
        second = _parse_round(other_texts[0])
        if not first.is_over or second.size != first.size:
            raise MoveSyntaxError("A second round needs a finished first round on a board of the same size.")
        return Position((first, second), 2)


class JumpingFarther(_Jumping):
    """Jumping Farther & Farther for two: one round, or a match of two rounds with the sides exchanged."""

    sides: Sequence[Side] = (Side.FIRST, Side.SECOND)
    options: Mapping[str, OptionRange] = {"size": _SIZE, "rounds": _ROUNDS}

    def initial(self, options: Mapping[str, int]) -> Position:
        """Return the empty board. Raise ValueError for an unknown option or a value out of range."""
        chosen = with_defaults(self.options, options)
        return Position((Round(chosen["size"]),), chosen["rounds"])

    def options_of(self, position: Position) -> Mapping[str, int]:
        """Return the size of the board and the number of rounds."""
        return {"size": position.current.size, "rounds": position.planned}

    def side_to_move(self, position: Position) -> Side | None:
        """Return the side that writes the next number, or None if the game is over."""
        if position.is_over:
            return None
        return self._writer(len(position.rounds) - 1, len(position.current.cells) + 1)

    def mover(self, position: Position, ply: int) -> Side:
        """Return the side that wrote the number of a ply. The numbers of each round start at 1."""
        first = len(position.rounds[0].cells)
        return self._writer(0, ply) if ply <= first else self._writer(1, ply - first)

    def outcome(self, position: Position) -> Outcome | None:
        """Return the outcome once all rounds are over: more points win, and equal points are a draw."""
        if not position.is_over:
            return None
        first, second = self.score(position).values()
        winner = None if first == second else Side.FIRST if first > second else Side.SECOND
        return Outcome(winner, Termination.NO_MOVE)

    def score(self, position: Position) -> Score:
        """Return the points of each side in all rounds."""
        points = {side.value: 0 for side in self.sides}
        for index, round_ in enumerate(position.rounds):
            for number, gained in enumerate(round_.points, start=1):
                points[self._writer(index, number).value] += gained
        return points

    def _writer(self, round_index: int, number: int) -> Side:
        """Return the side that writes a number of a round. The first side begins round 0."""
        return self.sides[(round_index + number - 1) % 2]


class JumpingSolitaire(_Jumping):
    """Jumping Farther & Farther for one: the player writes every number and gets every point."""

    sides: Sequence[Side] = (Side.SOLO,)
    options: Mapping[str, OptionRange] = {"size": _SIZE}
    tie_break: str | None = None

    def initial(self, options: Mapping[str, int]) -> Position:
        """Return the empty board. Raise ValueError for an unknown option or a value out of range."""
        return Position((Round(with_defaults(self.options, options)["size"]),), 1)

    def options_of(self, position: Position) -> Mapping[str, int]:
        """Return the size of the board."""
        return {"size": position.current.size}

    def side_to_move(self, position: Position) -> Side | None:
        """Return `Side.SOLO`, or None if the game is over."""
        return None if position.is_over else Side.SOLO

    def mover(self, position: Position, ply: int) -> Side:  # noqa: ARG002 - there is only one side
        """Return `Side.SOLO`."""
        return Side.SOLO

    def outcome(self, position: Position) -> Outcome | None:
        """Return the outcome, without a winner, once no number can follow."""
        return Outcome(None, Termination.NO_MOVE) if position.is_over else None

    def score(self, position: Position) -> Score:
        """Return the points of all numbers."""
        return {Side.SOLO.value: sum(position.current.points)}

    def ceiling(self, options: Mapping[str, int]) -> int | None:
        """Return `most_points` of the board."""
        return most_points(with_defaults(self.options, options)["size"])

    def least_tie_break(self, options: Mapping[str, int]) -> int | None:
        """Return None: no tie-break ranks games."""
        with_defaults(self.options, options)
        return None

    def parse(self, text: str) -> Position:
        """Return the position of a string, which has one round. Raise MoveSyntaxError."""
        if "/" in text:
            raise MoveSyntaxError("A solitaire game is one round.")
        return super().parse(text)


JUMPING_FARTHER = JumpingFarther()
JUMPING_SOLITAIRE = JumpingSolitaire()


def most_points(size: int) -> int:
    """Return a score that no solitaire game exceeds: size² - size - 2.

    Every jump scores except the first of each increasing run. A full board has the most jumps, size² - 1, in
    at least size + 1 runs (see `number_grid.fewest_runs`). A game with fewer jumps does not score more, as
    leaving out jumps saves at most one run for each size - 1 of them.
    """
    return size**2 - 1 - number_grid.fewest_runs(size)


@lru_cache(maxsize=4096)
def _room(round_: Round) -> tuple[int, int]:
    return round_.outlook().room


def _continued(position: Position, current: Round) -> Position:
    """Return the position with its current round replaced, and the next round begun if that one is over."""
    rounds = (*position.rounds[:-1], current)
    if len(rounds) < position.planned and current.is_over:
        rounds = (*rounds, Round(current.size))
    return Position(rounds, position.planned)


def _parse_round(text: str) -> Round:
    match = _ROUND_TEXT.fullmatch(text)
    if match is None:
        raise MoveSyntaxError("A round is its squares and the points of both sides: 5:c3,c5,a5 1 0.")
    size, cells = number_grid.parse(match[1], _SIZE)
    parsed = Round(size)
    try:
        for square in cells:
            parsed = parsed.written(square)
    except IllegalMove as error:
        raise MoveSyntaxError(error.message, **error.figures) from None
    # As in chess, a position need not be reachable: any points are accepted that this many numbers can score.
    odd, even = int(match[2]), int(match[3])
    scoring = max(0, len(cells) - 2)
    if odd > (scoring + 1) // 2 or even > scoring // 2:
        raise MoveSyntaxError(
            "%(numbers)s numbers cannot have scored %(odd)s and %(even)s points.",
            numbers=len(cells),
            odd=odd,
            even=even,
        )
    return replace(parsed, points=(odd, even))
