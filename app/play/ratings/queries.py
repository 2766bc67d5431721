"""Ratings of accounts as of now: a deviation grows with the time since the last rated game."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.unreadable import readable
from app.core.moments import from_datetime, now
from app.play.ratings.counting import PlayersRating
from app.play.ratings.models import PlayerRating
from engine.glicko2 import PERIODS_PER_DAY, Rating
from engine.registry import FOR_TWO

_DAY = 86_400_000  # milliseconds


def as_of_now(row: PlayerRating) -> PlayersRating:
    """Return a stored rating with its deviation as of now."""
    days = (now() - from_datetime(row.updated_at)) / _DAY
    rating = Rating(row.rating, row.deviation, row.volatility).after(days * PERIODS_PER_DAY)
    return PlayersRating(rating.rating, rating.deviation, rating.volatility, row.opponents)


async def current(session: AsyncSession, game: str, account_ids: Sequence[int]) -> dict[int, PlayersRating]:
    """Return the ratings of accounts at a game; an account that never played it has the initial rating."""
    rows = await session.scalars(
        select(PlayerRating).where(PlayerRating.game == game, PlayerRating.account_id.in_(account_ids))
    )
    known = {row.account_id: as_of_now(row) for row in rows}
    return {account_id: known.get(account_id, PlayersRating()) for account_id in account_ids}


async def of_accounts(
    session: AsyncSession, account_ids: Sequence[int]
) -> dict[int, dict[str, tuple[PlayersRating, int]]]:
    """Return the ratings of accounts as `of_account` does, by account; none for one without rated games."""
    rows = await session.scalars(select(PlayerRating).where(PlayerRating.account_id.in_(account_ids)))
    by_account: dict[int, dict[str, tuple[PlayersRating, int]]] = {}
    for account_id, game, rating, games in readable(_rated, rows):
        by_account.setdefault(account_id, {})[game] = (rating, games)
    return by_account


async def of_account(session: AsyncSession, account_id: int) -> dict[str, tuple[PlayersRating, int]]:
    """Return an account's ratings by game, each with its number of rated games."""
    rows = await session.scalars(select(PlayerRating).where(PlayerRating.account_id == account_id))
    return {game: (rating, games) for _account, game, rating, games in readable(_rated, rows)}


def _rated(row: PlayerRating) -> tuple[int, str, PlayersRating, int]:
    return row.account_id, FOR_TWO[row.game].key, as_of_now(row), row.games
