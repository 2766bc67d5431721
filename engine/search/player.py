"""The common part of all computer players: skills, results of searches, and searchers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Generic, Self, TypeVar

from engine.game import Game, PositionT

ALL_MOVES = 200
"""More moves than any position has."""

INFINITE = 1_000_000_000
"""A bound that no value of a move exceeds."""

_MOST_NOISE = 10**6

_RANGES = {
    "depth": (1, 1_000),
    "budget": (1, 10**12),
    "lines": (1, 1_000),
    "width": (1, 1_000),
    "noise": (0, _MOST_NOISE),
    "form": (0, 10),
    "insight": (0, 1),
    "seconds": (0.001, 10**6),
}
"""What numbers of a skill, or of a skill of one game, may be."""


@dataclass(frozen=True, slots=True)
class Skill:
    """How well to play: the plies to look ahead, the positions to evaluate, and the size of errors.

    `noise` is the largest error in judging a move, in hundredths of a point. It is greater in some games than
    in others: `form` is the standard deviation of its binary logarithm. The values of the best `lines` moves
    are exact; for the others it is only known that they are not better. A move takes at most so many
    `seconds`.
    """

    depth: int
    budget: int
    noise: int = 0
    form: float = 0.0
    lines: int = 1
    seconds: float = 1.0

    def __post_init__(self) -> None:
        """Raise ValueError for a number with which nothing can be searched."""
        for name, (least, most) in _RANGES.items():
            if not least <= getattr(self, name, least) <= most:
                raise ValueError(f"{name} must be from {least} to {most}.")

    def in_game(self, seed: int) -> Self:
        """Return the skill with the form that it has in the game with a seed."""
        return self.in_form(2.0 ** Random(seed).gauss(0, self.form))  # noqa: S311 - nothing secret

    def in_form(self, trouble: float) -> Self:
        """Return the skill with errors that are greater by a factor, as far as a skill may have them."""
        return replace(self, noise=min(round(self.noise * trouble), _MOST_NOISE))


SkillT = TypeVar("SkillT", bound=Skill)


@dataclass(frozen=True, slots=True)
class EvaluatedMove:
    """A move, and the points by which its side is expected to win with it (negative: to lose).

    `line` are the moves that are expected after it, and `expected` the points that each square is expected to
    bring the first side after it (negative: the second), if they were looked for.
    """

    move: str
    points: float
    line: tuple[str, ...] = ()
    expected: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """The result of a search: all moves, the preferred one first, its depth (plies) and positions seen.

    `expected` is as that of a move, for the position itself.
    """

    ranking: tuple[EvaluatedMove, ...]
    depth: int
    positions: int
    expected: tuple[float, ...] = ()

    @property
    def move(self) -> str:
        """Return the move to play."""
        return self.ranking[0].move


@dataclass(frozen=True, slots=True)
class Searcher(Generic[PositionT, SkillT]):
    """The search of one game: `choose` takes a position, a skill, a random seed and a time limit in seconds.

    `levels` has the skill of each level of the computer player, `analyst` the skill for analysing positions.
    `is_lost` returns whether a person would resign as the side to move.
    `expected` returns what each square is expected to bring the first side, in games with territory.
    """

    rules: Game[PositionT]
    choose: Callable[[PositionT, SkillT, int, float], Choice]
    levels: Mapping[int, SkillT]
    analyst: SkillT
    is_lost: Callable[[PositionT], bool]
    expected: Callable[[PositionT], tuple[float, ...]] | None = None
