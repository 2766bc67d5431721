"""Voiding a rated game: the ratings are as if it had never been rated, those of all later games included."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.session import Database
from app.ratings.replaying import Change, Rated, RatedGame, changes, replay
from engine.glicko2 import Rating

_EVER = datetime(1970, 1, 1, tzinfo=UTC)

_HISTORY = text("""
SELECT game.id, game.first_player, game.second_player, game.winner_seat, first.changed_at,
       first.after AS first_rating, first.deviation AS first_deviation, first.volatility AS first_volatility,
       second.after AS second_rating, second.deviation AS second_deviation,
       second.volatility AS second_volatility
FROM rating_changes first
JOIN games game ON game.id = first.game_id AND game.first_player = first.account_id
JOIN rating_changes second ON second.game_id = game.id AND second.account_id = game.second_player
WHERE first.game = :game AND first.changed_at >= :since
ORDER BY first.changed_at, game.id
""")
_BEFORE = text("""
SELECT DISTINCT ON (account_id) account_id, after, deviation, volatility, changed_at
FROM rating_changes WHERE game = :game AND changed_at < :since AND account_id = ANY(:accounts)
ORDER BY account_id, changed_at DESC
""")
_VOIDED = text("SELECT game, changed_at FROM rating_changes WHERE game_id = :game_id LIMIT 1")
# Locked in the order of the accounts, as rating a game does.
_LOCK = text("""
SELECT account_id, updated_at FROM ratings WHERE game = :game AND account_id = ANY(:accounts)
ORDER BY account_id FOR UPDATE
""")
_FORGET = (
    text("DELETE FROM rating_changes WHERE game_id = :game_id"),
    text("""
UPDATE games SET rated = false, rating_changes = NULL, voided_at = now(), version = version + 1
WHERE id = :game_id
"""),
)
_WRITE_CHANGES = text("""
UPDATE rating_changes SET before = new.before, after = new.after, deviation = new.deviation,
    volatility = new.volatility
FROM unnest(
    CAST(:games AS text[]), CAST(:accounts AS bigint[]), CAST(:before AS float8[]), CAST(:after AS float8[]),
    CAST(:deviations AS float8[]), CAST(:volatilities AS float8[])
) AS new(game_id, account_id, before, after, deviation, volatility)
WHERE rating_changes.game_id = new.game_id AND rating_changes.account_id = new.account_id
""")
_WRITE_GAMES = text("""
UPDATE games SET rating_changes = ARRAY[new.first, new.second]
FROM unnest(CAST(:games AS text[]), CAST(:first AS float8[]), CAST(:second AS float8[]))
    AS new(id, first, second)
WHERE games.id = new.id
""")
_WRITE_RATINGS = text("""
UPDATE ratings SET rating = new.rating, deviation = new.deviation, volatility = new.volatility,
    updated_at = coalesce(new.at, ratings.updated_at)
FROM unnest(
    CAST(:accounts AS bigint[]), CAST(:ratings AS float8[]), CAST(:deviations AS float8[]),
    CAST(:volatilities AS float8[]), CAST(:at AS timestamptz[])
) AS new(account_id, rating, deviation, volatility, at)
WHERE ratings.game = :game AND ratings.account_id = new.account_id
""")
_COUNT = text("""
UPDATE ratings SET games = counted.games, opponents = counted.opponents
FROM (
    SELECT one.account_id, count(own.game_id) AS games, count(DISTINCT other.account_id) AS opponents
    FROM unnest(CAST(:accounts AS bigint[])) AS one(account_id)
    LEFT JOIN rating_changes own ON own.account_id = one.account_id AND own.game = :game
    LEFT JOIN rating_changes other ON other.game_id = own.game_id AND other.account_id <> own.account_id
    GROUP BY one.account_id
) counted
WHERE ratings.game = :game AND ratings.account_id = counted.account_id
""")


@dataclass(frozen=True, slots=True)
class Past:
    """A rated game, and what its players' ratings were after it; None if that is not known exactly."""

    game: RatedGame
    after: tuple[Rating, Rating] | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What voiding a game changes: changes of later games, and the ratings of accounts, at a kind of game.

    `seen` has the moment of the last rated game of each of these accounts as it was read.
    """

    game: str
    game_id: str
    players: tuple[int, int]
    later: Sequence[Change]
    ratings: Mapping[int, Rated]
    seen: Mapping[int, datetime]


async def plan(database: Database, game_id: str) -> Plan | None:
    """Return what voiding a game changes, or None if it is not rated."""
    async with database.transaction() as session:
        # All statements see the same games.
        await session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        voided = (await session.execute(_VOIDED, {"game_id": game_id})).one_or_none()
        if voided is None:
            return None
        history, before = await _read(session, voided.game, voided.changed_at)
        if before is None:
            history, before = await _read(session, voided.game, _EVER)
    return await asyncio.to_thread(_planned, voided.game, game_id, history, before)


async def _read(
    session: AsyncSession, game: str, since: datetime
) -> tuple[list[Past], dict[int, Rated] | None]:
    """Return the rated games since a moment, and their players' ratings before it, None if not all are known.

    Ratings are not known exactly before the first game whose volatility was stored.
    """
    history = [_past(row) for row in await session.execute(_HISTORY, {"game": game, "since": since})]
    players = {player for past in history for player in past.game.players}
    parameters = {"game": game, "since": since, "accounts": sorted(players)}
    before = (await session.execute(_BEFORE, parameters)).all()
    if any(row.volatility is None for row in before):
        return history, None
    if since > _EVER and any(past.after is None for past in history):
        return history, None
    return history, {
        row.account_id: Rated(Rating(row.after, row.deviation, row.volatility), row.changed_at)
        for row in before
    }


async def carry_out(session: AsyncSession, planned: Plan) -> bool:
    """Void a game as planned. Return False, having changed nothing, if a rated game has ended since."""
    affected = {"game": planned.game, "accounts": sorted(planned.ratings)}
    locked = {row.account_id: row.updated_at for row in await session.execute(_LOCK, affected)}
    if locked != planned.seen:
        return False
    for statement in _FORGET:
        await session.execute(statement, {"game_id": planned.game_id})
    later, ratings = planned.later, planned.ratings
    await session.execute(
        _WRITE_CHANGES,
        {
            "games": [change.game_id for change in later],
            "accounts": [change.account_id for change in later],
            "before": [change.before.rating for change in later],
            "after": [change.after.rating for change in later],
            "deviations": [change.after.deviation for change in later],
            "volatilities": [change.after.volatility for change in later],
        },
    )
    pairs = list(zip(later[::2], later[1::2], strict=True))
    await session.execute(
        _WRITE_GAMES,
        {
            "games": [first.game_id for first, _second in pairs],
            "first": [first.points for first, _second in pairs],
            "second": [second.points for _first, second in pairs],
        },
    )
    await session.execute(
        _WRITE_RATINGS,
        {
            "game": planned.game,
            "accounts": list(ratings),
            "ratings": [rated.rating.rating for rated in ratings.values()],
            "deviations": [rated.rating.deviation for rated in ratings.values()],
            "volatilities": [rated.rating.volatility for rated in ratings.values()],
            "at": [rated.at for rated in ratings.values()],
        },
    )
    await session.execute(_COUNT, {"game": planned.game, "accounts": list(planned.players)})
    return True


def _planned(kind: str, game_id: str, history: Sequence[Past], before: Mapping[int, Rated] | None) -> Plan:
    seen = {player: past.game.at for past in history for player in past.game.players}
    number = next(number for number, past in enumerate(history) if past.game.id == game_id)
    players = history[number].game.players
    if before is not None and all(past.after for past in history):
        later, ratings = without(history, number, before)
    else:
        ratings = dict.fromkeys(players, Rated())
        later = replay((past.game for past in history if past.game.id != game_id), ratings)
    return Plan(kind, game_id, players, later, ratings, {player: seen[player] for player in ratings})


def without(
    history: Sequence[Past], number: int, before: Mapping[int, Rated]
) -> tuple[list[Change], dict[int, Rated]]:
    """Return what leaving a game out makes of later games, and the ratings of all who are affected.

    `before` has the ratings before all of these games. Only games whose players' ratings differ are computed,
    in the order of their ends.
    """
    known = dict(before)
    for past in history[:number]:
        known.update(_ratings_after(past))
    ratings = {player: known.get(player, Rated()) for player in history[number].game.players}
    later: list[Change] = []
    for past in history[number + 1 :]:
        game = past.game
        if ratings.keys().isdisjoint(game.players):
            known.update(_ratings_after(past))
            continue
        first, second = (ratings.get(player) or known.get(player, Rated()) for player in game.players)
        for change in changes(game, (first, second)):
            ratings[change.account_id] = Rated(change.after, game.at)
            later.append(change)
    return later, ratings


def _ratings_after(past: Past) -> Iterator[tuple[int, Rated]]:
    assert past.after is not None
    for player, rating in zip(past.game.players, past.after, strict=True):
        yield player, Rated(rating, past.game.at)


def _past(row: Any) -> Past:
    game = RatedGame(row.id, (row.first_player, row.second_player), row.winner_seat, row.changed_at)
    if row.first_volatility is None or row.second_volatility is None:
        return Past(game, None)
    first = Rating(row.first_rating, row.first_deviation, row.first_volatility)
    return Past(game, (first, Rating(row.second_rating, row.second_deviation, row.second_volatility)))
