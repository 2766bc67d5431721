"""Choosing a move of JadeJack: alpha-beta, a ply farther each time, over the most promising placements."""

import time
from dataclasses import dataclass
from random import Random

import numpy as np

from engine import squares
from engine.jadejack import PASS, Position
from engine.search.jadejack import kernels
from engine.search.jadejack.board import board_of, geometry
from engine.search.jadejack.evaluation import table_for
from engine.search.player import Choice, Promise

_DEEPEST = 24
_INFINITE = 1_000_000_000
_ALL = 200  # more moves than there are


@dataclass(frozen=True, slots=True)
class Skill:
    """How well to play: plies to look ahead, placements looked at, positions evaluated, and carelessness.

    `noise` is the most by which a move's worth is misjudged, in hundredths of a point; so many of the best
    moves as `lines` says are worked out exactly, of the others only that they are not better.
    """

    depth: int
    width: int
    budget: int
    noise: int = 0
    lines: int = 1


LEVELS = {
    1: Skill(1, _ALL, 50_000, noise=2_000, lines=_ALL),
    2: Skill(1, _ALL, 50_000, noise=800, lines=_ALL),
    3: Skill(1, _ALL, 50_000, noise=350, lines=_ALL),
    4: Skill(1, _ALL, 50_000, noise=150, lines=_ALL),
    5: Skill(1, _ALL, 50_000),
    6: Skill(2, 8, 50_000, noise=40, lines=_ALL),
    7: Skill(3, 8, 100_000),
    8: Skill(_DEEPEST, 8, 500_000),
}
"""The levels by number. `benchmarks/levels.py` has them play one another."""

ANALYST = Skill(_DEEPEST, 8, 500_000, lines=5)
"""Who looks at a position for somebody."""


def choose(position: Position, skill: Skill, seed: int, seconds: float = 1.0) -> Choice:
    """Choose a move for the side to move, with how much it and the next best ones promise.

    The same for a skill and a seed, unless the seconds are over before the skill's depth or budget is
    reached. Raises ValueError when the game is over.
    """
    if position.passes == 2:
        raise ValueError("The game is over: there is nothing to choose.")
    search = Search(position, skill, time.monotonic() + seconds)
    worths = search.worths()
    generator = Random(seed)  # noqa: S311 - nothing secret
    seen = {move: worth + generator.randint(-skill.noise, skill.noise) for move, worth in worths.items()}
    order = sorted(seen, key=lambda move: seen[move], reverse=True)
    names = {kernels.PASS: PASS, **dict(enumerate(squares.names(position.size)))}
    promises = tuple(_promise(names[move], worths[move]) for move in order)
    return Choice(promises, search.reached, search.positions)


def _promise(move: str, worth: int) -> Promise:
    """Give what a move promises in points; a game that is over is won or lost by its margin."""
    if abs(worth) > kernels.WON // 2:
        worth -= kernels.WON if worth > 0 else -kernels.WON
    return Promise(move, worth / kernels.POINT)


class Search:
    """One search: a position for each level, and how far it came."""

    def __init__(self, position: Position, skill: Skill, deadline: float) -> None:
        board = board_of(position)
        self._boards = np.zeros((_DEEPEST + 2, *board.planes.shape), np.int8)
        self._counts = np.zeros((_DEEPEST + 2, len(board.counts)), np.int64)
        self._boards[0], self._counts[0] = board.planes, board.counts
        self._place = geometry(position.size)
        self._table = table_for(board.counts[kernels.DISKS] / position.size**2)
        self._skill, self._deadline = skill, deadline
        self._budget = np.array([skill.budget], np.int64)
        self.reached = 1

    @property
    def positions(self) -> int:
        """Give how many positions were evaluated."""
        return self._skill.budget - int(self._budget[0])

    def worths(self) -> dict[int, int]:
        """Give what each placement (by its square) and the pass are worth to the side to move.

        In hundredths of a point. What is worse than the best ones is a bound only.
        """
        moves, values = kernels.ranked(0, self._boards, self._counts, self._place, self._table, self._budget)
        worths = {int(move): int(value) for move, value in zip(moves, values, strict=True)}
        worths[kernels.PASS] = self._after(kernels.PASS, 1, -_INFINITE)
        for depth in range(2, self._skill.depth + 1):
            deeper = self._deeper(depth, worths)
            if deeper is None:
                break
            worths, self.reached = deeper, depth
            if max(worths.values()) > kernels.WON // 2:
                break
        return worths

    def _deeper(self, depth: int, worths: dict[int, int]) -> dict[int, int] | None:
        """Give the worths one ply farther, or None when there is no time left for that."""
        order = sorted(worths, key=lambda move: worths[move], reverse=True)[: self._skill.width + 1]
        found: dict[int, int] = {}
        for move in order:
            best = sorted(found.values(), reverse=True)[: self._skill.lines]
            bound = best[-1] if len(best) == self._skill.lines else -_INFINITE
            found[move] = self._after(move, depth, bound)
            if self._budget[0] <= 0 or time.monotonic() > self._deadline:
                return None
        # What was not looked at this time is not better than the worst of what was.
        worst = min(found.values())
        return {move: found.get(move, min(worth, worst - 1)) for move, worth in worths.items()}

    def _after(self, move: int, depth: int, alpha: int) -> int:
        """Give what a move is worth, looking that many plies ahead; of no interest if not above alpha."""
        kernels.make(move, 0, self._boards, self._counts, self._place)
        return -int(
            kernels.negamax(
                depth - 1, -_INFINITE, -alpha, self._boards, self._counts, self._place, self._table,
                self._skill.width, self._budget,
            )
        )  # fmt: skip
