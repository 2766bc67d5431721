"""Choosing a move in JadeJack: a search that looks deeper and deeper at the most promising placements."""

import math
import time
from dataclasses import dataclass, replace
from random import Random
from typing import Self

import numpy as np

from engine import squares
from engine.game import Side
from engine.jadejack import JADEJACK, PASS, Position
from engine.search.jadejack import kernels
from engine.search.jadejack.evaluation import expected, table_for
from engine.search.jadejack.memory import DEEPEST, disks, search_of
from engine.search.jadejack.network import judge, stored
from engine.search.player import ALL_MOVES, Choice, EvaluatedMove, Searcher, Skill

_PACE = 1_000_000  # evaluations a second, until it is known how many there are
_ROOM = 1 << 10, 1 << 18  # positions in the table, at least and at most
_ROOM_SHARE = 8  # evaluations for each


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectiveSkill(Skill):
    """A skill that searches only the `width` most promising placements of each position.

    One with less `insight` sees less of what squares will be worth, and more of the points that they bring
    now. One that `plays_on` answers no pass by a pass before the board is settled: beginners do not pass to
    end the game.
    """

    width: int
    insight: float = 1.0
    network: str = ""
    plays_on: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for a number with which nothing can be searched, or a file that is no network."""
        Skill.__post_init__(self)
        if self.network:
            stored(self.network)

    def in_form(self, trouble: float) -> Self:
        """Return the skill with greater errors, as other skills, and insight that is less by the factor."""
        return replace(Skill.in_form(self, trouble), insight=min(1.0, self.insight / trouble))


LEVELS = {
    1: SelectiveSkill(1, 50_000, width=ALL_MOVES, noise=520, form=1.5, insight=0.0, plays_on=True),
    2: SelectiveSkill(1, 50_000, width=ALL_MOVES, noise=200, form=1.5, insight=0.08, plays_on=True),
    3: SelectiveSkill(1, 50_000, width=ALL_MOVES, noise=82, form=1.5, insight=0.25, plays_on=True),
    4: SelectiveSkill(2, 50_000, width=8, noise=112, form=1.5, insight=0.31, lines=ALL_MOVES),
    5: SelectiveSkill(2, 50_000, width=8, noise=48, form=1.4, lines=ALL_MOVES),
    6: SelectiveSkill(3, 100_000, width=8, noise=32, form=1.3, lines=ALL_MOVES),
    7: SelectiveSkill(DEEPEST, 8_000, width=8, form=0.5),
    8: SelectiveSkill(DEEPEST, 65_000, width=8, form=0.85),
    9: SelectiveSkill(DEEPEST, 600_000, width=8, form=0.5),
    10: SelectiveSkill(DEEPEST, 35_000_000, width=8, seconds=5.0),
}
"""The skill of each level. `benchmarks/levels.py` lets the levels play each other."""

_JUDGE = SelectiveSkill(3, 100_000, width=8)
_HOPELESS = 12.0  # points
_HOPELESS_SHARE = 0.15  # points for each square
_UNDECIDED = 0.4  # disks per square

ANALYST = SelectiveSkill(DEEPEST, 3_000_000, width=8, lines=5)
"""The skill for analysing positions."""


def choose(position: Position, skill: SelectiveSkill, seed: int, seconds: float = 1.0) -> Choice:
    """Choose a move for the side to move.

    The choice depends only on the skill and the seed, unless the time runs out before the depth or the budget
    of the skill is reached. Raise ValueError if the game is over.
    """
    if position.passes == 2:
        raise ValueError("The game is over: there is nothing to choose.")
    skill = skill.in_game(seed)
    search = _Deepening(position, skill, seconds)
    values = search.values()
    if skill.plays_on and position.passes == 1 and len(values) > 1 and not _is_settled(position):
        del values[kernels.PASS]
    elif values[kernels.PASS] < -kernels.WON // 2 and not _gains(position):
        values[kernels.PASS] += kernels.WON  # to place one more disk is no better than to lose
    generator = Random(f"{seed} {JADEJACK.format(position)}")  # noqa: S311 - nothing secret
    judged = {move: value + generator.randint(-skill.noise, skill.noise) for move, value in values.items()}
    order = sorted(judged, key=lambda move: judged[move], reverse=True)
    names = {kernels.PASS: PASS, **dict(enumerate(squares.names(position.size)))}
    ranking = tuple(EvaluatedMove(names[move], _points(values[move])) for move in order)
    return Choice(ranking, search.reached, search.positions)


def is_lost(position: Position) -> bool:
    """Return whether the side to move is expected to lose by more than is ever caught up from there on.

    It is not while many squares are free. In matches of the upper levels nobody won who was 8 points behind.
    """
    squares_ = position.size**2
    if disks(position) < _UNDECIDED * squares_:
        return False
    return choose(position, _JUDGE, 1).ranking[0].points < -max(_HOPELESS, _HOPELESS_SHARE * squares_)


SEARCHER = Searcher(JADEJACK, choose, LEVELS, ANALYST, is_lost, expected)


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


class _Deepening:
    """A search that looks one ply deeper at a time; `reached` is the depth that was searched completely."""

    def __init__(self, position: Position, skill: SelectiveSkill, seconds: float) -> None:
        table = table_for(disks(position) / position.size**2, skill.insight)
        least, most = _ROOM
        room = 1 << max(0, skill.budget // _ROOM_SHARE - 1).bit_length()
        network = judge(stored(skill.network), disks(position) / position.size**2)
        self._search = search_of(position, table, network, min(max(room, least), most))
        self._skill, self._seconds = skill, seconds
        self._began = time.monotonic()
        self.positions = 0
        self.reached = 1

    def values(self) -> dict[int, int]:
        """Return the value of each placement (by its square) and of the pass to the side to move, best first.

        Values are in hundredths of a point. Except for the best moves, they are upper bounds.
        """
        search = self._search
        search.budget[0] = self._skill.budget
        count = kernels.rank(0, search.board.shape[1], search)
        static = int(search.counts[kernels.VALUE]) * (1 - 2 * int(search.counts[kernels.SIDE]))
        gains = zip(search.moves[0, :count].tolist(), search.gains[0, :count].tolist(), strict=True)
        values = {move: static + gain for move, gain in gains}
        is_last = search.counts[kernels.PASSES] == 1
        values[kernels.PASS] = int(kernels.final(search.board, search.counts)) if is_last else static
        self.positions = count
        for depth in range(2, self._skill.depth + 1):
            deeper = self._deeper(depth, values)
            if deeper is None:
                break
            values = deeper
            if self.reached < depth or max(values.values()) > kernels.WON // 2:
                break
        return values

    def _deeper(self, depth: int, values: dict[int, int]) -> dict[int, int] | None:
        """Return the values at a depth, or None if neither time nor budget is left for them.

        If only some moves can be searched, the others rank below them.
        """
        # Its import compiles much, which levels that look one ply ahead do not wait for.
        from engine.search.jadejack.search_kernels import deepen  # noqa: PLC0415

        order = sorted(values, key=lambda move: values[move], reverse=True)
        found, exact = np.zeros(len(order), np.int64), np.zeros(len(order), np.bool_)
        tops = np.zeros(min(self._skill.lines, len(order)), np.int64)
        budget = self._budget()
        self._search.budget[0] = budget
        done = deepen(self._search, depth, self._skill.width, np.array(order, np.int64), found, exact, tops)
        self.positions += min(budget, budget - int(self._search.budget[0]))
        if done < len(tops):
            return None
        if done == len(order):
            self.reached = depth
        ranked = sorted(range(done), key=lambda place: (found[place], exact[place]), reverse=True)
        deeper = {order[place]: int(found[place]) for place in ranked}
        worst = min(deeper.values())
        return deeper | {move: min(values[move], worst - 1) for move in order[done:]}

    def _budget(self) -> int:
        """Return how many evaluations are left, by the skill and by the time."""
        used = time.monotonic() - self._began
        left = self._skill.budget - self.positions
        if self._seconds == math.inf:
            return left
        pace = self.positions / used if self.positions > _PACE // 100 else _PACE
        return max(0, min(left, round(pace * (self._seconds - used))))
