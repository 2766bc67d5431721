"""Ratings: read for many, and updated in the transaction that ends a rated game."""

from collections.abc import Sequence

import asyncpg
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.moments import from_datetime, now
from app.ratings.models import PlayerRating
from engine.glicko2 import PERIODS_PER_DAY, Rating, rate

_DAY = 86_400_000  # milliseconds

_ENTER = """
INSERT INTO ratings (account_id, game, rating, deviation, volatility, games)
SELECT id, $2, $3, $4, $5, 0 FROM unnest($1::bigint[]) AS id ORDER BY id
ON CONFLICT DO NOTHING
"""

# Locked in one order, so that two games of the same players never wait for each other.
_LOCK = """
SELECT account_id, rating, deviation, volatility,
       extract(epoch FROM now() - updated_at)::float8 / 86400 AS days
FROM ratings WHERE account_id = ANY($1) AND game = $2 ORDER BY account_id FOR UPDATE
"""

_WRITE = """
WITH written AS (
    UPDATE ratings
    SET rating = $3, deviation = $4, volatility = $5, games = games + 1, updated_at = now()
    WHERE account_id = $1 AND game = $2
    RETURNING account_id
)
INSERT INTO rating_changes (game_id, account_id, game, before, after, deviation)
SELECT $6, account_id, $2, $7, $3, $4 FROM written
"""


def as_of_now(row: PlayerRating) -> Rating:
    """Give a stored rating with the deviation that it has by now."""
    days = (now() - from_datetime(row.updated_at)) / _DAY
    return Rating(row.rating, row.deviation, row.volatility).after(days * PERIODS_PER_DAY)


async def current(session: AsyncSession, game: str, account_ids: Sequence[int]) -> dict[int, Rating]:
    """Give the ratings of accounts at a game as of now; a newcomer has the starting one."""
    rows = await session.scalars(
        select(PlayerRating).where(PlayerRating.game == game, PlayerRating.account_id.in_(account_ids))
    )
    known = {row.account_id: as_of_now(row) for row in rows}
    return {account_id: known.get(account_id, Rating()) for account_id in account_ids}


async def of_account(session: AsyncSession, account_id: int) -> dict[str, tuple[Rating, int]]:
    """Give an account's ratings by game as of now, each with the number of rated games."""
    rows = await session.scalars(select(PlayerRating).where(PlayerRating.account_id == account_id))
    return {row.game: (as_of_now(row), row.games) for row in rows}


async def rate_game(
    connection: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]",
    game_id: str,
    game: str,
    account_ids: Sequence[int],
    winner: int | None,
) -> list[float]:
    """Rate a game between two accounts that ends in the caller's transaction.

    `winner` is a place in `account_ids`, None for a draw. Returns the changes in the order of the accounts.
    """
    start = Rating()
    await connection.execute(_ENTER, list(account_ids), game, start.rating, start.deviation, start.volatility)
    rows = {row["account_id"]: row for row in await connection.fetch(_LOCK, list(account_ids), game)}
    before = [_rating(rows[account_id]) for account_id in account_ids]
    changes = []
    for place, account_id in enumerate(account_ids):
        points = 0.5 if winner is None else float(winner == place)
        other = before[1 - place].after(rows[account_ids[1 - place]]["days"] * PERIODS_PER_DAY)
        after = rate(before[place], [(other, points)], periods=rows[account_id]["days"] * PERIODS_PER_DAY)
        await connection.execute(
            _WRITE,
            account_id,
            game,
            after.rating,
            after.deviation,
            after.volatility,
            game_id,
            before[place].rating,
        )
        changes.append(after.rating - before[place].rating)
    return changes


def _rating(row: asyncpg.Record) -> Rating:
    return Rating(row["rating"], row["deviation"], row["volatility"])
