"""Choosing a square in Jumping Farther & Farther: alpha-beta, exact as soon as the end is in sight."""

import time
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np

from engine import squares
from engine.jumping_farther import Position, Round
from engine.number_grid import queen_lines
from engine.search.arrays import Array
from engine.search.jumping import kernels
from engine.search.player import Choice, Promise

_INFINITE = 1_000_000_000
_ALL = 200  # more moves than there are


@dataclass(frozen=True, slots=True)
class Skill:
    """How well to play: numbers to look ahead, positions looked at, and carelessness.

    `noise` is the most by which a move's worth is misjudged, in hundredths of a point; so many of the best
    moves as `lines` says are worked out exactly, of the others only that they are not better.
    """

    depth: int
    budget: int
    noise: int = 0
    lines: int = 1


LEVELS = {
    1: Skill(1, 10_000, noise=400, lines=_ALL),
    2: Skill(1, 10_000, noise=110, lines=_ALL),
    3: Skill(1, 10_000, noise=70, lines=_ALL),
    4: Skill(2, 10_000, noise=110, lines=_ALL),
    5: Skill(2, 10_000, noise=60, lines=_ALL),
    6: Skill(2, 20_000),
    7: Skill(3, 50_000),
    8: Skill(144, 8_000_000),
}
"""The levels by number. `benchmarks/levels.py` has them play one another."""

ANALYST = Skill(144, 8_000_000, lines=5)
"""Who looks at a position for somebody."""


def choose(position: Position, skill: Skill, seed: int, seconds: float = 1.0) -> Choice:
    """Choose a square for the side to move, with how much it and the next best ones promise in this round.

    The same for a skill and a seed, unless the seconds are over before the skill's depth or budget is
    reached. Raises ValueError when the game is over.
    """
    if position.is_over:
        raise ValueError("The game is over: there is nothing to choose.")
    played = position.current
    search = _Search(played, skill, time.monotonic() + seconds)
    worths = search.worths()
    generator = Random(seed)  # noqa: S311 - nothing secret
    # Of moves that are worth the same, chance takes one.
    seen = {
        square: (worth + generator.randint(-skill.noise, skill.noise), generator.random())
        for square, worth in worths.items()
    }
    order = sorted(seen, key=lambda square: seen[square], reverse=True)
    so_far = _lead(played) * kernels.POINT
    names = squares.names(played.size)
    promises = tuple(Promise(names[square], (so_far + worths[square]) / kernels.POINT) for square in order)
    return Choice(promises, search.reached, skill.budget - int(search.budget[0]))


def _lead(played: Round) -> int:
    """Give by how many points the side to move leads in a round."""
    odd, even = played.points
    return even - odd if len(played.cells) % 2 else odd - even


@cache
def _lines(size: int) -> tuple[Array, Array, Array]:
    """Give the queen lines of a board for the kernels."""
    lines = [sorted(line, key=lambda one: -one[1]) for line in queen_lines(size)]
    most = max(map(len, lines))
    targets, fars = np.zeros((size**2, most), np.int64), np.zeros((size**2, most), np.int64)
    for square, line in enumerate(lines):
        targets[square, : len(line)] = [target for target, _ in line]
        fars[square, : len(line)] = [far for _, far in line]
    return targets, fars, np.array([len(line) for line in lines])


class _Search:
    """One search, and how far it came."""

    def __init__(self, played: Round, skill: Skill, deadline: float) -> None:
        self._round, self._skill, self._deadline = played, skill, deadline
        self._taken = np.array([played.taken >> square & 1 for square in range(played.size**2)], np.int8)
        self._lines = _lines(played.size)
        self.budget = np.array([skill.budget, 0], np.int64)
        self.reached = 0

    def worths(self) -> dict[int, int]:
        """Give by how much the side to move outscores the other from here on, by square."""
        moves = self._round.reach()
        worths = {square: 0 for square, _ in moves}
        fars = dict(moves)
        for depth in range(1, min(self._skill.depth, self._round.size**2 - len(self._round.cells)) + 1):
            self.budget[1] = 0
            found: dict[int, int] = {}
            for square in sorted(worths, key=lambda square: worths[square], reverse=True):
                best = sorted(found.values(), reverse=True)[: self._skill.lines]
                # Those that are worth the same are worked out too: chance may choose among them.
                bound = best[-1] - 1 if len(best) == self._skill.lines else -_INFINITE
                found[square] = self._after(square, fars[square], depth, bound)
                if self.budget[0] <= 0 or time.monotonic() > self._deadline:
                    return worths if self.reached else {**worths, **found}
            worths, self.reached = found, depth
            if not self.budget[1]:
                break  # every line of play was seen to its end
        return worths

    def _after(self, square: int, far: int, depth: int, alpha: int) -> int:
        """Give what a move is worth, looking that many numbers ahead; of no interest if not above alpha."""
        gain = kernels.POINT if self._round.scores(far) else 0
        # No second number can better the jump of the first one, which counts as the size of the board.
        jump = far if self._round.cells else self._round.size
        self._taken[square] = 1
        rest = kernels.negamax(
            square, jump, depth - 1, gain - _INFINITE, gain - alpha, self._taken, *self._lines, self.budget
        )
        self._taken[square] = 0
        return gain - int(rest)
