"""Reviewing a game: what each move lost, by the evaluations of the positions before and after it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from engine import jadejack, jumping_farther
from engine.game import Game, Side


@dataclass(frozen=True, slots=True)
class Scale:
    """What points mean in a game.

    With an expected lead of `certain` points a side wins about seven games of eight. A move that loses
    `half` percent of the chances to win has an accuracy of 50.
    """

    certain: float
    half: float


_JADEJACK = Scale(6.0, 10)
_LAST_ROUND = Scale(4.0, 6)
_EARLIER_ROUND = Scale(7.0, 6)
"""From games of the computer against itself (`benchmarks/accuracy.py`), this one from matches."""
_USUAL = Scale(12, 25)

_COSTLY, _COSTLY_CHANCE = 1.0, 1.0  # points, and percent of the chances to win
_LEAST_WEIGHT = 0.01  # of a move for the accuracy
_MOST_COSTLY = 3


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The best move of a position, and the points by which the side to move is expected to win with it.

    `played` is the same for the move that was played, if `is_exact`; otherwise it is at most that. It is None
    after the last move.
    """

    best: str
    points: float
    played: float | None
    is_exact: bool


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """The move of a ply, counted from 1.

    `lead` is by how many points the first side is expected to win after it (negative: to lose). `loss` is
    what the move lost, in points of its side, compared with `best`; `chance_lost` the same in percent of the
    chances to win. `openness` is from 1, if both sides had the same chances before the move, to 0.

    In a game for one, `lead` is the best result within reach after the move (more is better), `loss` what the
    move gave away of it, and `chance_lost` the same in percent. `best` is empty where it is best to stop, and
    all moves are alike in openness.
    """

    ply: int
    side: Side
    move: str
    best: str
    lead: float
    loss: float
    chance_lost: float
    openness: float = 1.0

    @property
    def is_costly(self) -> bool:
        """Return whether the move lost points that mattered: in a decided game they change nothing."""
        return self.loss >= _COSTLY and self.chance_lost >= _COSTLY_CHANCE


@dataclass(frozen=True, slots=True)
class Review:
    """The reviewed moves of a game; `start` is the expected lead of the first side before the first one.

    The first one follows `first_ply` plies. A move that loses `half` percent of the chances has an accuracy
    of 50.
    """

    start: float
    moves: Sequence[ReviewedMove]
    first_ply: int = 0
    half: float = _USUAL.half

    def move_of(self, ply: int) -> ReviewedMove | None:
        """Return the move that led to a ply, or None if the game began there or later."""
        return self.moves[ply - self.first_ply - 1] if ply > self.first_ply else None

    def accuracy(self, side: Side) -> float | None:
        """Return how well a side played, from 0 to 100: the mean of its moves, or None if it has none.

        A move that loses nothing counts 100, one that loses `half` percent of the chances 50, twice as much
        25, and so on. Moves weigh as much as the game is open, since in a decided one all moves lose little.
        """
        own = [move for move in self.moves if move.side == side]
        if not own:
            return None
        weights = [max(move.openness, _LEAST_WEIGHT) for move in own]
        return 100 * fmean((0.5 ** (move.chance_lost / self.half) for move in own), weights)

    def average_loss(self, side: Side) -> float | None:
        """Return the mean loss of a side's moves in points, or None if it has none."""
        own = [move.loss for move in self.moves if move.side == side]
        return sum(own) / len(own) if own else None

    def costliest(self) -> list[ReviewedMove]:
        """Return the three costly moves that lost most, the costliest first; fewer if there are no more."""
        costly = [move for move in self.moves if move.is_costly]
        return sorted(costly, key=lambda move: -move.loss)[:_MOST_COSTLY]

    def turning_point(self) -> ReviewedMove | None:
        """Return the move after which the side that is ahead at the end was ahead for good.

        Return None if it was ahead from the start, or if nobody is ahead at the end.
        """
        leads = [self.start, *(move.lead for move in self.moves)]
        final = math.copysign(1, leads[-1])
        if abs(leads[-1]) == 0 or all(lead * final > 0 for lead in leads):
            return None
        last = max(ply for ply, lead in enumerate(leads) if lead * final <= 0)
        return self.moves[last]


def review(
    rules: Game[Any],
    positions: Sequence[Any],
    moves: Sequence[str],
    evaluations: Mapping[int, Evaluation],
    first_ply: int = 0,
) -> Review:
    """Return the review of a game from its positions, the first one included, and their evaluations.

    `evaluations` are by the ply of the position, from `first_ply` on, where the game began; a position in
    which the game is over needs none.
    """
    leads = [_lead(rules, position, evaluations.get(ply)) for ply, position in enumerate(positions)]
    reviewed = []
    for ply, move in enumerate(moves[first_ply:], start=first_ply + 1):
        side = rules.mover(positions[-1], ply)
        sign = 1 if side == rules.sides[0] else -1
        before, after = evaluations[ply - 1], sign * leads[ply]
        value = _value(before, after)
        loss = max(0.0, before.points - value)
        # A search flatters the side to move, so the lead is the mean of those before and after the move.
        lead = sign * (value + after) / 2 if ply in evaluations else leads[ply]
        chances = chance(positions[ply - 1], before.points)
        chance_lost = chances - chance(positions[ply - 1], before.points - loss)
        openness = chances * (100 - chances) / 50**2
        reviewed.append(ReviewedMove(ply, side, move, before.best, lead, loss, chance_lost, openness))
    return Review(leads[first_ply], reviewed, first_ply, _scale(positions[first_ply]).half)


def _value(before: Evaluation, after: float) -> float:
    """Return what the played move is worth to its side; `after` is its expected lead after the move."""
    if before.played is None:
        return after
    return before.played if before.is_exact else min(before.played, after)


def chance(position: Any, lead: float) -> float:
    """Return the chance to win of a side with an expected lead in points in a position, in percent."""
    return 50 + 50 * math.tanh(lead / _scale(position).certain)


def _scale(position: Any) -> Scale:
    """Return what points mean in a position: a lead in a round says less while another one is to come."""
    match position:
        case jadejack.Position():
            return _JADEJACK
        case jumping_farther.Position():
            return _EARLIER_ROUND if position.rounds_to_come else _LAST_ROUND
    return _USUAL


def _lead(rules: Game[Any], position: Any, evaluation: Evaluation | None) -> float:
    """Return the expected lead of the first side."""
    if evaluation is None:
        score = rules.score(position)
        return score[rules.sides[0]] - score[rules.sides[1]]
    return evaluation.points if rules.side_to_move(position) == rules.sides[0] else -evaluation.points
