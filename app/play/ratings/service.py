"""Rating a game, in the transaction that ends it, which uses asyncpg directly."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

import asyncpg

from app.core.database.statements import Connection
from app.people.identity.suspicions import Suspicion, note_on
from app.play.ratings.counting import (
    MOST_WAITING,
    RATED_A_DAY,
    Basis,
    ChangedRating,
    CountedRating,
    Rated,
    RatedGame,
    Waiting,
    changes,
    points_of,
    with_what_counts,
)
from engine.glicko2 import Rating

_ADD_MISSING = """
INSERT INTO ratings (account_id, game, rating, deviation, volatility, games)
SELECT id, $2, $3, $4, $5, 0 FROM unnest($1::bigint[]) AS id ORDER BY id
ON CONFLICT DO NOTHING
"""

_LOCK_PAIR = "SELECT pg_advisory_xact_lock(hashtextextended('rated games of ' || $1::text, 0))"

_GAMES_OF_PAIR = """
SELECT count(*) FILTER (WHERE one.changed_at > now() - interval '1 day') AS today,
       count(*) FILTER (WHERE one.game = $3 AND one.counted) AS first_counted,
       count(*) FILTER (WHERE one.game = $3 AND other.counted) AS second_counted
FROM rating_changes one JOIN rating_changes other ON other.game_id = one.game_id
WHERE one.account_id = $1 AND other.account_id = $2
"""

# Locked in the order of the accounts, so that two games of the same players never deadlock.
_LOCK = """
SELECT account_id, rating, deviation, volatility, opponents, games,
       CASE WHEN games > 0 THEN updated_at END AS at
FROM ratings WHERE account_id = ANY($1) AND game = $2 ORDER BY account_id FOR UPDATE
"""

# The counted results of a player and the latest that wait, with the ratings of the opponents. These are not
# locked, so that players are locked in pairs only.
_RESULTS = """
SELECT own.game_id, own.counted, games.winner_seat, (games.first_player <> $1)::int AS seat,
       other.account_id, other.rating, other.deviation, other.volatility, other.opponents,
       other.games, other.updated_at AS at
FROM (
    SELECT game_id, changed_at, counted FROM rating_changes
    WHERE account_id = $1 AND game = $2 AND counted
    UNION ALL
    (
        SELECT game_id, changed_at, counted FROM rating_changes
        WHERE account_id = $1 AND game = $2 AND NOT counted ORDER BY changed_at DESC LIMIT $3
    )
) own
JOIN games ON games.id = own.game_id
JOIN ratings other ON other.game = $2
    AND other.account_id IN (games.first_player, games.second_player) AND other.account_id <> $1
ORDER BY own.changed_at
"""

_WRITE = """
WITH written AS (
    UPDATE ratings
    SET rating = $3, deviation = $4, volatility = $5, games = games + 1, opponents = opponents + $8,
        updated_at = $9
    WHERE account_id = $1 AND game = $2
    RETURNING account_id
)
INSERT INTO rating_changes
    (game_id, account_id, game, before, after, deviation, volatility, changed_at, counted)
SELECT $6, account_id, $2, $7, $3, $4, $5, $9, $10 FROM written
"""

_COUNT_WAITING = """
UPDATE rating_changes SET counted = true, counted_in = $3 WHERE account_id = $1 AND game_id = ANY($2)
"""


def _counted_rating(row: asyncpg.Record) -> CountedRating:
    rating = Rating(row["rating"], row["deviation"], row["volatility"])
    return CountedRating(Rated(rating, row["at"]), row["opponents"], row["games"])


async def rate_game(
    connection: Connection, game_id: str, game: str, account_ids: Sequence[int], winner: int | None
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
    rows = await connection.fetch(_LOCK, list(account_ids), game)
    standings = {row["account_id"]: _counted_rating(row) for row in rows}
    # Read under the locks, so that the games of a player have the order of these moments.
    at = await connection.fetchval("SELECT clock_timestamp()")
    first, second = account_ids
    of_pair = dict(zip(pair, (earlier["first_counted"], earlier["second_counted"]), strict=True))
    bases = (
        await _basis(connection, game, first, {second: of_pair[first]}, standings, at),
        await _basis(connection, game, second, {first: of_pair[second]}, standings, at),
    )
    rated = with_what_counts(
        RatedGame(game_id, (first, second), winner, at),
        bases,
        lambda player: standings[player].as_of(at).is_proven,
    )
    made = changes(rated, {player: standing.rated for player, standing in standings.items()})
    for seat, change in enumerate(made):
        await _write(connection, game, rated, seat, change, bases[seat])
    return [change.points for change in made]


async def _basis(
    connection: Connection,
    game: str,
    player: int,
    of_pair: Mapping[int, int],
    standings: dict[int, CountedRating],
    at: datetime,
) -> Basis:
    """Return what a player's rating rests on; add the ratings of earlier opponents to `standings`."""
    rating = standings[player].as_of(at)
    if rating.is_settled:
        return Basis(rating, of_pair)
    counted, waiting = Counter[int](), list[Waiting]()
    for row in await connection.fetch(_RESULTS, player, game, MOST_WAITING):
        opponent = row["account_id"]
        standings.setdefault(opponent, _counted_rating(row))
        if row["counted"]:
            counted[opponent] += 1
        else:
            points = points_of(row["seat"], row["winner_seat"])
            waiting.append(Waiting(row["game_id"], opponent, points))
    return Basis(rating, counted, waiting)


async def _write(
    connection: Connection, game: str, rated: RatedGame, seat: int, change: ChangedRating, basis: Basis
) -> None:
    """Write what a game made of a rating, and what counted in it."""
    after = change.after
    opponents = {each.opponent for each in rated.counting(seat)}
    await connection.execute(
        _WRITE,
        change.account_id,
        game,
        after.rating,
        after.deviation,
        after.volatility,
        rated.id,
        change.before.rating,
        sum(not basis.counted.get(opponent) for opponent in opponents),
        rated.at,
        rated.counted[seat],
    )
    if rated.waited[seat]:
        waited = [each.game_id for each in rated.waited[seat]]
        await connection.execute(_COUNT_WAITING, change.account_id, waited, rated.id)
