"""Noting games as rated on a server that has no ratings yet; `rerating` then computes these."""

from collections.abc import Sequence
from dataclasses import astuple

from sqlalchemy import func, insert, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.play.ratings.counting import RatedGame
from app.play.ratings.models import PlayerRating, RatingChange
from engine.glicko2 import Rating

_START = Rating()


async def note_rated(session: AsyncSession, game: str, rated: Sequence[RatedGame]) -> None:
    """Note games of a kind as rated, with ratings that have not changed."""
    rows = [
        {
            "game_id": each.id,
            "account_id": player,
            "game": game,
            "before": _START.rating,
            "after": _START.rating,
            "deviation": _START.deviation,
            "volatility": _START.volatility,
            "changed_at": each.at,
            "counted": False,
        }
        for each in rated
        for player in each.players
    ]
    await session.execute(insert(RatingChange), rows)


async def add_missing(session: AsyncSession) -> None:
    """Add the ratings of all whose games are noted as rated; none of them may have a rating."""
    of_player = (RatingChange.account_id, RatingChange.game)
    start = [literal(value) for value in (*astuple(_START), 0)]
    ratings = select(*of_player, *start, func.max(RatingChange.changed_at)).group_by(*of_player)
    columns = ["account_id", "game", "rating", "deviation", "volatility", "games", "updated_at"]
    await session.execute(insert(PlayerRating).from_select(columns, ratings))
