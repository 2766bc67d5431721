"""Choosing a square in Jumping Farther & Farther: alpha-beta, exact once it reaches the end of the round."""

import time
from functools import cache
from random import Random

import numpy as np

from engine import squares
from engine.jumping_farther import JUMPING_FARTHER, Position, Round
from engine.number_grid import queen_lines
from engine.search.arrays import Array, line_arrays
from engine.search.jumping import kernels
from engine.search.player import ALL_MOVES, INFINITE, Choice, EvaluatedMove, Searcher, Skill

LEVELS = {
    1: Skill(1, 10_000, noise=190, form=0.8, lines=ALL_MOVES),
    2: Skill(1, 10_000, noise=130, form=0.8, lines=ALL_MOVES),
    3: Skill(1, 10_000, noise=90, form=0.8, lines=ALL_MOVES),
    4: Skill(2, 10_000, noise=145, form=0.8, lines=ALL_MOVES),
    5: Skill(2, 10_000, noise=90, form=1.0, lines=ALL_MOVES),
    6: Skill(3, 50_000, noise=90, form=1.0, lines=ALL_MOVES),
    7: Skill(3, 50_000, noise=38, form=1.0, lines=ALL_MOVES),
    8: Skill(144, 10_000, noise=48, form=1.2, lines=ALL_MOVES),
    9: Skill(144, 10_000),
    10: Skill(144, 40_000_000, seconds=5.0),
}
"""The skill of each level. `benchmarks/levels.py` lets the levels play each other."""

ANALYST = Skill(144, 8_000_000, lines=5)
"""The skill for analysing positions."""


def choose(position: Position, skill: Skill, seed: int, seconds: float = 1.0) -> Choice:
    """Choose a square for the side to move. The points are those of the match until the current round ends.

    The choice depends only on the skill and the seed, unless the time runs out before the depth or the budget
    of the skill is reached. Raise ValueError if the game is over.
    """
    if position.is_over:
        raise ValueError("The game is over: there is nothing to choose.")
    skill = skill.in_game(seed)
    search = _Search(position.current, skill, time.monotonic() + seconds)
    values = search.values()
    # Errors differ from move to move of a game, which has one seed. Proofs of puzzles make none.
    source = f"{seed} {JUMPING_FARTHER.format(position)}" if skill.noise else seed
    generator = Random(source)  # noqa: S311 - nothing secret
    # Moves of equal value are ranked at random.
    judged = {
        square: (value + generator.randint(-skill.noise, skill.noise), generator.random())
        for square, value in values.items()
    }
    order = sorted(judged, key=lambda square: judged[square], reverse=True)
    lead = _lead(position) * kernels.POINT
    names = squares.names(position.current.size)
    ranking = tuple(EvaluatedMove(names[square], (lead + values[square]) / kernels.POINT) for square in order)
    return Choice(ranking, search.reached, skill.budget - int(search.budget[0]))


def is_lost(position: Position) -> bool:
    """Return whether the side to move could not even draw if all of its numbers scored."""
    room = position.current.size**2
    left = room - len(position.current.cells), *[room] * position.rounds_to_come
    return -_lead(position) > sum((numbers + 1) // 2 for numbers in left)


SEARCHER = Searcher(JUMPING_FARTHER, choose, LEVELS, ANALYST, is_lost)


def _lead(position: Position) -> float:
    """Return the points by which the side to move leads in a match."""
    mover = JUMPING_FARTHER.side_to_move(position)
    return sum(
        points if side == mover else -points for side, points in JUMPING_FARTHER.score(position).items()
    )


@cache
def _lines(size: int) -> tuple[Array, Array, Array]:
    """Return the queen lines of a board as the kernels expect them: targets, fars and reaches."""
    return line_arrays([sorted(line, key=lambda target: -target[1]) for line in queen_lines(size)])


class _Search:
    """One search of a round; `reached` is the depth of its last complete iteration."""

    def __init__(self, round_: Round, skill: Skill, deadline: float) -> None:
        self._round, self._skill, self._deadline = round_, skill, deadline
        self._taken = np.array([round_.taken >> square & 1 for square in range(round_.size**2)], np.int8)
        self._lines = _lines(round_.size)
        self.budget = np.array([skill.budget, 0], np.int64)
        self.reached = 0

    def values(self) -> dict[int, int]:
        """Return, by square, how much the side to move outscores the other in the rest of the round.

        In hundredths of a point.
        """
        moves = self._round.reach()
        values = {square: 0 for square, _ in moves}
        fars = dict(moves)
        for depth in range(1, min(self._skill.depth, self._round.size**2 - len(self._round.cells)) + 1):
            self.budget[1] = 0
            deeper: dict[int, int] = {}
            for square in sorted(values, key=lambda square: values[square], reverse=True):
                best = sorted(deeper.values(), reverse=True)[: self._skill.lines]
                # Moves of equal value need exact values too, because they are ranked at random.
                bound = best[-1] - 1 if len(best) == self._skill.lines else -INFINITE
                deeper[square] = self._after(square, fars[square], depth, bound)
                if self.budget[0] <= 0 or time.monotonic() > self._deadline:
                    return values if self.reached else {**values, **deeper}
            values, self.reached = deeper, depth
            if not self.budget[1]:
                break  # every line of play reached the end of the round
        return values

    def _after(self, square: int, far: int, depth: int, alpha: int) -> int:
        """Return the value of a move at a depth in plies; only an upper bound if it is not above alpha."""
        gain = kernels.POINT if self._round.scores(far) else 0
        # A jump of `size` squares before the first number keeps the second number from scoring.
        jump = far if self._round.cells else self._round.size
        self._taken[square] = 1
        rest = kernels.negamax(
            square, jump, depth - 1, gain - INFINITE, gain - alpha, self._taken, *self._lines, self.budget
        )
        self._taken[square] = 0
        return gain - int(rest)
