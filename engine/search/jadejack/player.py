"""Choosing a move in JadeJack: iterative deepening alpha-beta over the most promising placements."""

import time
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from engine import squares
from engine.game import Side
from engine.jadejack import JADEJACK, PASS, Position
from engine.search.jadejack import kernels
from engine.search.jadejack.array_position import as_arrays, geometry_arrays
from engine.search.jadejack.evaluation import table_for
from engine.search.player import ALL_MOVES, INFINITE, Choice, EvaluatedMove, Searcher, Skill

_DEEPEST = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectiveSkill(Skill):
    """A skill that searches only the `width` most promising placements of each position.

    One that `plays_on` answers no pass by a pass before the board is settled: beginners do not pass to end
    the game.
    """

    width: int
    plays_on: bool = False


LEVELS = {
    1: SelectiveSkill(1, 50_000, width=ALL_MOVES, noise=2_000, lines=ALL_MOVES, plays_on=True),
    2: SelectiveSkill(1, 50_000, width=ALL_MOVES, noise=800, lines=ALL_MOVES, plays_on=True),
    3: SelectiveSkill(1, 50_000, width=ALL_MOVES, noise=350, lines=ALL_MOVES, plays_on=True),
    4: SelectiveSkill(1, 50_000, width=ALL_MOVES, noise=150, lines=ALL_MOVES, plays_on=True),
    5: SelectiveSkill(1, 50_000, width=ALL_MOVES),
    6: SelectiveSkill(2, 50_000, width=8, noise=40, lines=ALL_MOVES),
    7: SelectiveSkill(3, 100_000, width=8),
    8: SelectiveSkill(_DEEPEST, 500_000, width=8),
}
"""The skill of each level. `benchmarks/levels.py` lets the levels play each other."""

ANALYST = SelectiveSkill(_DEEPEST, 500_000, width=8, lines=5)
"""The skill for analysing positions."""


def choose(position: Position, skill: SelectiveSkill, seed: int, seconds: float = 1.0) -> Choice:
    """Choose a move for the side to move.

    The choice depends only on the skill and the seed, unless the time runs out before the depth or the budget
    of the skill is reached. Raise ValueError if the game is over.
    """
    if position.passes == 2:
        raise ValueError("The game is over: there is nothing to choose.")
    search = _Search(position, skill, time.monotonic() + seconds)
    values = search.values()
    if skill.plays_on and position.passes == 1 and len(values) > 1 and not _is_settled(position):
        del values[kernels.PASS]
    generator = Random(seed)  # noqa: S311 - nothing secret
    judged = {move: value + generator.randint(-skill.noise, skill.noise) for move, value in values.items()}
    order = sorted(judged, key=lambda move: judged[move], reverse=True)
    names = {kernels.PASS: PASS, **dict(enumerate(squares.names(position.size)))}
    ranking = tuple(EvaluatedMove(names[move], _points(values[move])) for move in order)
    return Choice(ranking, search.reached, search.positions)


SEARCHER = Searcher(JADEJACK, choose, LEVELS, ANALYST)


def _is_settled(position: Position) -> bool:
    """Return whether no placement wins points for the side that makes it."""
    return not any(_gains(replace(position, side=side)) for side in JADEJACK.sides)


def _gains(position: Position) -> bool:
    """Return whether the side to move has a placement that wins points."""
    lead = _lead(position, position.side)
    return any(
        _lead(JADEJACK.play(position, move), position.side) > lead
        for move in JADEJACK.legal_moves(position)
        if move != PASS
    )


def _lead(position: Position, side: Side) -> float:
    score = JADEJACK.score(position)
    return score["black"] - score["white"] if side is Side.BLACK else score["white"] - score["black"]


def _points(value: int) -> float:
    """Return the points of a value of the kernels, without the bonus for a game that is won or lost."""
    if abs(value) > kernels.WON // 2:
        value -= kernels.WON if value > 0 else -kernels.WON
    return value / kernels.POINT


class _Search:
    """One search, with a position for each level; `reached` is the depth of its last complete iteration."""

    def __init__(self, position: Position, skill: SelectiveSkill, deadline: float) -> None:
        root = as_arrays(position)
        self._boards = np.zeros((_DEEPEST + 2, *root.planes.shape), np.int8)
        self._counts = np.zeros((_DEEPEST + 2, len(root.counts)), np.int64)
        self._boards[0], self._counts[0] = root.planes, root.counts
        self._geometry = geometry_arrays(position.size)
        self._table = table_for(root.counts[kernels.DISKS] / position.size**2)
        self._skill, self._deadline = skill, deadline
        self._budget = np.array([skill.budget], np.int64)
        self.reached = 1

    @property
    def positions(self) -> int:
        """Return the number of positions evaluated."""
        return self._skill.budget - int(self._budget[0])

    def values(self) -> dict[int, int]:
        """Return the value of each placement (by its square) and of the pass to the side to move.

        Values are in hundredths of a point. Except for the best moves, they are upper bounds.
        """
        moves, evaluations = kernels.ranked(
            0, self._boards, self._counts, self._geometry, self._table, self._budget
        )
        values = {int(move): int(value) for move, value in zip(moves, evaluations, strict=True)}
        values[kernels.PASS] = self._after(kernels.PASS, 1, -INFINITE)
        for depth in range(2, self._skill.depth + 1):
            deeper = self._deeper(depth, values)
            if deeper is None:
                break
            values, self.reached = deeper, depth
            if max(values.values()) > kernels.WON // 2:
                break
        return values

    def _deeper(self, depth: int, values: dict[int, int]) -> dict[int, int] | None:
        """Return the values one ply deeper, or None if the time or the budget runs out."""
        order = sorted(values, key=lambda move: values[move], reverse=True)[: self._skill.width + 1]
        deeper: dict[int, int] = {}
        for move in order:
            best = sorted(deeper.values(), reverse=True)[: self._skill.lines]
            bound = best[-1] if len(best) == self._skill.lines else -INFINITE
            deeper[move] = self._after(move, depth, bound)
            if self._budget[0] <= 0 or time.monotonic() > self._deadline:
                return None
        # Moves that were not searched rank below all that were.
        worst = min(deeper.values())
        return {move: deeper.get(move, min(value, worst - 1)) for move, value in values.items()}

    def _after(self, move: int, depth: int, alpha: int) -> int:
        """Return the value of a move at a depth in plies; only an upper bound if it is not above alpha."""
        kernels.make(move, 0, self._boards, self._counts, self._geometry)
        return -int(
            kernels.negamax(
                depth - 1, -INFINITE, -alpha, self._boards, self._counts, self._geometry, self._table,
                self._skill.width, self._budget,
            )
        )  # fmt: skip
