"""Keeping the marks of all rankings up to date (see `app.core.database.marks`)."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from app.core.database.ranking import Ranking
from app.core.database.session import Database
from app.nugget import standings
from app.play.ratings import leaderboard
from app.play.solitaire import scores
from engine.registry import GAMES, SOLITAIRE


async def mark_rankings(database: Database) -> None:
    """Replace the marks of all rankings, one after the other."""
    for ranking in _rankings():
        async with database.transaction() as session:
            await ranking.set_marks(session)


def _rankings() -> Iterator[Ranking[Any]]:
    for game in GAMES:
        yield leaderboard.settled(game)
    for game, rules in SOLITAIRE.items():
        size = rules.options["size"]
        for each in range(size.minimum, size.maximum + 1):
            yield scores.ranking(game, each)
    for players, period in product(standings.PLAYERS, standings.periods()):
        yield standings.ranking(standings.name_of(players, period))
