"""What is counted of games that are over: the first plies for the explorer, tallies for the statistics."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from app.play.games.boards import BOARDS
from app.play.games.views import MoveKind
from engine import replay, symmetry
from engine.game import Game, is_variant
from engine.registry import FOR_TWO

EXPLORED_PLIES = 12
"""How many plies of each game the explorer knows: later positions hardly ever occur twice."""

RATED_ABOVE = (1400, 1600, 1800, 2000, 2200)
"""The ratings above which the explorer can look at games alone."""

EVERYBODY = 0
"""The account of what is counted for everybody."""

_STEP = 10  # plies in a bucket


@dataclass(frozen=True)
class FinishedGame:
    """A game for two that is over. `winner` is a seat, None for a draw; `rating` the mean if it was rated.

    The first `first_ply` moves led to the position in which it began. `spent` has the milliseconds that each
    move took, None without a clock.
    """

    id: str
    ended_at: datetime
    game: str
    options: Mapping[str, int]
    accounts: tuple[int, int]
    winner: int | None
    rating: float | None
    moves: Sequence[str]
    spent: Sequence[int | None]
    first_ply: int = 0

    @property
    def rules(self) -> Game[Any]:
        """Return the rules of the game."""
        return FOR_TWO[self.game]

    @cached_property
    def positions(self) -> Sequence[Any]:
        """Return the first position and that after each move."""
        return list(replay.positions(self.rules, self.options, self.moves))

    @property
    def is_played_out(self) -> bool:
        """Return whether the game ended by its own rules."""
        return self.rules.outcome(self.positions[-1]) is not None


class FoldedMove(NamedTuple):
    """A move in a position, both as in the position's fold."""

    position: int
    move: str


def explored(game: FinishedGame) -> Iterator[FoldedMove]:
    """Yield the moves of a game's first plies, without those of the game from which it went on."""
    plies = slice(game.first_ply, EXPLORED_PLIES)
    for position, move in zip(game.positions[plies], game.moves[plies], strict=False):
        fold = symmetry.fold(game.rules, position)
        yield FoldedMove(fold.key, fold.folded(move))


def band_of(rating: float | None) -> int:
    """Return the band of a game: 0 if it was casual, and one more for each of RATED_ABOVE otherwise."""
    return 0 if rating is None else 1 + bisect_right(RATED_ABOVE, rating)


def lowest_band(above: int | None) -> int:
    """Return the lowest band of games rated above a number, all games if it is None."""
    return 0 if above is None else 2 + RATED_ABOVE.index(above)


class Measure(StrEnum):
    """What is counted; the bucket of each is named here."""

    OPENING = "opening"  # the first move, as in the fold of the empty board
    RESULT = "result"  # "0:won", "1:lost", "0:drawn": a seat and how it fared; for everybody the first seat
    MARGIN = "margin"  # points of the first side more than the second's, without those at the start
    KOMI = "komi"  # "9.5:won": an unusual lead of the second side at the start, and how the first one fared
    LENGTH = "length"  # the first of a range of ten plies of the game's own; the sum is of plies
    HIJACKS = "hijacks"  # in a game, by the player or by both
    TIME = "time"  # the first ply of a range of ten; of each move, the sum is of milliseconds
    MOVES = "moves"  # of a board of Golden Nugget, whose number is the size


class TallyKey(NamedTuple):
    """What one row counts."""

    account_id: int
    game: str
    size: int
    measure: str
    bucket: str


def tally(game: FinishedGame) -> dict[TallyKey, tuple[int, int]]:
    """Return counts and sums of a game, by what is counted."""
    counts: Counter[TallyKey] = Counter()
    totals: Counter[TallyKey] = Counter()
    for seat, account_id in ((0, EVERYBODY), *enumerate(game.accounts)):
        for measure, bucket, value in _measured(game, seat, account_id):
            key = TallyKey(account_id, game.game, game.options["size"], measure, bucket)
            counts[key] += 1
            totals[key] += value
    return {key: (count, totals[key]) for key, count in counts.items()}


def _measured(game: FinishedGame, seat: int, account_id: int) -> Iterator[tuple[Measure, str, int]]:
    """Yield measure, bucket and value of what is counted of a game for the account in a seat."""
    rules, end = game.rules, game.positions[-1]
    own = [
        ply > game.first_ply and (account_id == EVERYBODY or rules.mover(end, ply) is rules.sides[seat])
        for ply in range(1, len(game.moves) + 1)
    ]
    if game.moves and not game.first_ply:
        yield Measure.OPENING, next(explored(game)).move, 0
    fared = "drawn" if game.winner is None else "won" if game.winner == seat else "lost"
    yield Measure.RESULT, f"{seat}:{fared}", 0
    if account_id == EVERYBODY and is_variant(rules.options, game.options):
        yield Measure.KOMI, f"{-_lead(game, game.positions[0]):g}:{fared}", 0
    if game.is_played_out and not game.first_ply:
        margin = _lead(game, end) - _lead(game, game.positions[0])
        yield Measure.MARGIN, f"{margin:g}", 0
    plies = len(game.moves) - game.first_ply
    yield Measure.LENGTH, _range(plies), plies
    kinds = BOARDS[rules].kinds(end, game.moves)
    hijacks = sum(mine and kind is MoveKind.HIJACK for mine, kind in zip(own, kinds, strict=True))
    yield Measure.HIJACKS, str(hijacks), hijacks
    for ply, (mine, spent) in enumerate(zip(own, game.spent, strict=True)):
        if mine and spent is not None:
            yield Measure.TIME, _range(ply), spent


def _lead(game: FinishedGame, position: object) -> float:
    score = game.rules.score(position)
    first, second = game.rules.sides
    return score[first] - score[second]


def _range(ply: int) -> str:
    return str(ply // _STEP * _STEP)
