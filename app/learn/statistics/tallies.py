"""What is counted of finished games, for their players and for everybody."""

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from app.learn.statistics.finished import FinishedGame
from app.learn.statistics.lines import explored
from app.play.games.boards import BOARDS
from app.play.games.views import MoveKind

EVERYBODY = 0
"""The account of what is counted for everybody."""

_STEP = 10  # plies in a bucket


class Measure(StrEnum):
    """What is counted; the bucket of each is named here."""

    OPENING = "opening"  # the first move, as in the fold of the empty board
    RESULT = "result"  # "0:won", "1:lost", "0:drawn": a seat and how it fared; for everybody the first seat
    MARGIN = "margin"  # points of the first side more than the second's, without those at the start
    LENGTH = "length"  # the first of a range of ten plies of the game's own; the sum is of plies
    HIJACKS = "hijacks"  # in a game, by the player or by both
    TIME = "time"  # the first ply of a range of ten; of each move, the sum is of milliseconds
    MOVES = "moves"  # of a board of Golden Nugget, whose number is the size


class Key(NamedTuple):
    """What one row counts."""

    account_id: int
    game: str
    size: int
    measure: str
    bucket: str


def tally(game: FinishedGame) -> dict[Key, tuple[int, int]]:
    """Return counts and sums of a game, by what is counted."""
    counts: Counter[Key] = Counter()
    totals: Counter[Key] = Counter()
    for seat, account_id in ((0, EVERYBODY), *enumerate(game.accounts)):
        for measure, bucket, value in _measured(game, seat, account_id):
            key = Key(account_id, game.game, game.options["size"], measure, bucket)
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
