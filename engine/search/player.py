"""The common part of all computer players: skills, results of searches, and searchers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.game import Game, PositionT

ALL_MOVES = 200
"""More moves than any position has."""

INFINITE = 1_000_000_000
"""A bound that no value of a move exceeds."""


@dataclass(frozen=True, slots=True)
class Skill:
    """How well to play: the plies to look ahead, the positions to evaluate, and the size of errors.

    `noise` is the largest error in judging a move, in hundredths of a point. The values of the best `lines`
    moves are exact; for the others it is only known that they are not better.
    """

    depth: int
    budget: int
    noise: int = 0
    lines: int = 1


SkillT = TypeVar("SkillT", bound=Skill)


@dataclass(frozen=True, slots=True)
class EvaluatedMove:
    """A move, and the points by which its side is expected to win with it (negative: to lose).

    `line` are the moves that are expected after it, if they were looked for.
    """

    move: str
    points: float
    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """The result of a search: all moves, the preferred one first, its depth (plies) and positions seen."""

    ranking: tuple[EvaluatedMove, ...]
    depth: int
    positions: int

    @property
    def move(self) -> str:
        """Return the move to play."""
        return self.ranking[0].move


@dataclass(frozen=True, slots=True)
class Searcher(Generic[PositionT, SkillT]):
    """The search of one game: `choose` takes a position, a skill, a random seed and a time limit in seconds.

    `levels` has the skill of each level of the computer player, `analyst` the skill for analysing positions.
    """

    rules: Game[PositionT]
    choose: Callable[[PositionT, SkillT, int, float], Choice]
    levels: Mapping[int, SkillT]
    analyst: SkillT
