"""Choosing a move of JadeJack."""

from dataclasses import dataclass
from random import Random

import numpy as np

from engine import squares
from engine.jadejack import PASS, Position
from engine.search.jadejack import kernels
from engine.search.jadejack.board import Array, board_of, geometry

_DEEPEST = 24
_INFINITE = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Choice:
    """A move with what it promises its side (hundredths of a point), and how far and wide was looked."""

    move: str
    worth: int
    depth: int
    positions: int


@dataclass(frozen=True, slots=True)
class Skill:
    """How well to play: plies to look ahead, placements looked at, positions evaluated, and carelessness.

    `noise` is the most by which a move's worth is misjudged, in hundredths of a point.
    """

    depth: int
    width: int
    budget: int
    noise: int = 0


class Search:
    """The working memory of a search: a position for each level."""

    def __init__(self, position: Position) -> None:
        board, place = board_of(position), geometry(position.size)
        self._levels: list[Array] = []
        for start in (board.tops, board.heights, board.runs, board.strengths, board.counts):
            level = np.zeros((_DEEPEST + 2, *start.shape), start.dtype)
            level[0] = start
            self._levels.append(level)
        self._geometry = (place.rays, place.lengths, place.centre)
        self._names = squares.names(position.size)

    def choose(self, skill: Skill, generator: Random) -> Choice:
        """Choose a move for the side to move, always the same for a skill and a seed of the generator.

        Looks a ply farther each time until the skill's depth or budget is reached.
        """
        budget = np.array([skill.budget], np.int64)
        moves, values = kernels.ranked(0, *self._levels, *self._geometry, budget)
        worths = {int(move): int(value) for move, value in zip(moves, values, strict=True)}
        worths[kernels.PASS] = self._after_pass(1, skill, -_INFINITE, _INFINITE, budget)
        reached = 1
        for depth in range(2, skill.depth + 1):
            deeper = self._deeper(depth, skill, worths, budget)
            if budget[0] <= 0:
                break
            worths, reached = {**worths, **deeper}, depth
            if max(worths.values()) >= kernels.WON // 2:
                break
        noisy = {
            move: worth + generator.randrange(-skill.noise, skill.noise + 1) for move, worth in worths.items()
        }
        best = max(noisy, key=lambda move: noisy[move])
        name = PASS if best == kernels.PASS else self._names[best]
        return Choice(name, worths[best], reached, skill.budget - int(budget[0]))

    def _deeper(self, depth: int, skill: Skill, worths: dict[int, int], budget: Array) -> dict[int, int]:
        """Give the worths of the best moves known, one ply farther, and a bound for those that are worse."""
        order = sorted(worths, key=lambda move: worths[move], reverse=True)[: skill.width + 1]
        found: dict[int, int] = {}
        alpha = -_INFINITE
        for move in order:
            # With noise each worth has to be exact; without it only the best one.
            bound = -_INFINITE if skill.noise else alpha
            if move == kernels.PASS:
                found[move] = self._after_pass(depth, skill, bound, _INFINITE, budget)
            else:
                found[move] = self._after(move, depth, skill, bound, budget)
            alpha = max(alpha, found[move])
        # What was not looked at this time is not better than the worst of what was.
        worst = min(found.values())
        return {move: found.get(move, min(worth, worst - 1)) for move, worth in worths.items()}

    def _after(self, move: int, depth: int, skill: Skill, alpha: int, budget: Array) -> int:
        kernels.copy(0, *self._levels)
        rays, lengths, _ = self._geometry
        kernels.place(move, *(level[1] for level in self._levels), rays, lengths)
        return self._worth(depth, skill, alpha, _INFINITE, budget)

    def _after_pass(self, depth: int, skill: Skill, alpha: int, beta: int, budget: Array) -> int:
        kernels.copy(0, *self._levels)
        counts = self._levels[4]
        counts[1, kernels.PASSES] += 1
        counts[1, kernels.SIDE] = 1 - counts[0, kernels.SIDE]
        return self._worth(depth, skill, alpha, beta, budget)

    def _worth(self, depth: int, skill: Skill, alpha: int, beta: int, budget: Array) -> int:
        return -int(
            kernels.negamax(1, depth - 1, -beta, -alpha, *self._levels, *self._geometry, skill.width, budget)
        )
