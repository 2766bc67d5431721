"""Rating a game, in the transaction that ends it, which uses asyncpg directly."""

from collections.abc import Sequence

import asyncpg

from app.identity.suspicions import Suspicion, note_on
from app.ratings.replaying import Rated, RatedGame, changes
from app.ratings.settling import RATED_A_DAY
from engine.glicko2 import Rating

_ADD_MISSING = """
INSERT INTO ratings (account_id, game, rating, deviation, volatility, games)
SELECT id, $2, $3, $4, $5, 0 FROM unnest($1::bigint[]) AS id ORDER BY id
ON CONFLICT DO NOTHING
"""

_LOCK_PAIR = "SELECT pg_advisory_xact_lock(hashtextextended('rated games of ' || $1::text, 0))"

_GAMES_OF_PAIR = """
SELECT count(*) FILTER (WHERE one.changed_at > now() - interval '1 day') AS today,
       coalesce(bool_or(one.game = $3), false) AS have_met
FROM rating_changes one JOIN rating_changes other ON other.game_id = one.game_id
WHERE one.account_id = $1 AND other.account_id = $2
"""

# Locked in the order of the accounts, so that two games of the same players never deadlock.
_LOCK = """
SELECT account_id, rating, deviation, volatility, CASE WHEN games > 0 THEN updated_at END AS at
FROM ratings WHERE account_id = ANY($1) AND game = $2 ORDER BY account_id FOR UPDATE
"""

_WRITE = """
WITH written AS (
    UPDATE ratings
    SET rating = $3, deviation = $4, volatility = $5, games = games + 1, opponents = opponents + $8,
        updated_at = $9
    WHERE account_id = $1 AND game = $2
    RETURNING account_id
)
INSERT INTO rating_changes (game_id, account_id, game, before, after, deviation, volatility, changed_at)
SELECT $6, account_id, $2, $7, $3, $4, $5, $9 FROM written
"""


async def rate_game(
    connection: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]",
    game_id: str,
    game: str,
    account_ids: Sequence[int],
    winner: int | None,
) -> list[float] | None:
    """Rate a game between two accounts and return how their ratings changed, in the accounts' order.

    `winner` is an index of `account_ids`, None for a draw. The caller's transaction ends the game. Return
    None, and change nothing, if RATED_A_DAY games of these two were rated within 24 hours.
    """
    pair = sorted(account_ids)
    # So that two games that end at once do not both count as the last one of the day.
    await connection.execute(_LOCK_PAIR, f"{pair[0]} and {pair[1]}")
    earlier = await connection.fetchrow(_GAMES_OF_PAIR, *pair, game)
    assert earlier is not None
    if earlier["today"] >= RATED_A_DAY:
        return None
    if earlier["today"] == RATED_A_DAY - 1:
        for account_id in pair:
            await note_on(connection, account_id, Suspicion.PAIR, f"game:{game_id}")
    start = Rating()
    await connection.execute(
        _ADD_MISSING, list(account_ids), game, start.rating, start.deviation, start.volatility
    )
    rows = {row["account_id"]: row for row in await connection.fetch(_LOCK, list(account_ids), game)}
    # Read under the locks, so that the games of a player have the order of these moments.
    at = await connection.fetchval("SELECT clock_timestamp()")
    first, second = account_ids
    rated = changes(
        RatedGame(game_id, (first, second), winner, at), (_rated(rows[first]), _rated(rows[second]))
    )
    for change in rated:
        after = change.after
        await connection.execute(
            _WRITE,
            change.account_id,
            game,
            after.rating,
            after.deviation,
            after.volatility,
            game_id,
            change.before.rating,
            0 if earlier["have_met"] else 1,
            at,
        )
    return [change.points for change in rated]


def _rated(row: asyncpg.Record) -> Rated:
    return Rated(Rating(row["rating"], row["deviation"], row["volatility"]), row["at"])
