"""Voiding a rated game: the ratings are as if it had never been rated, those of all later games included."""

import asyncio
from collections import ChainMap, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeAlias

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.play.ratings import queries
from app.play.ratings.counting import ChangedRating, Rated, RatedGame, Waiting, changes, replay
from engine.glicko2 import Rating

_EVER = datetime(1970, 1, 1, tzinfo=UTC)

Waited: TypeAlias = defaultdict[tuple[str, int], tuple[Waiting, ...]]

_HISTORY = text("""
SELECT game.id, game.first_player, game.second_player, game.winner_seat, first.changed_at,
       first.after AS first_rating, first.deviation AS first_deviation, first.volatility AS first_volatility,
       first.counted AND first.counted_in IS NULL AS first_counted,
       second.after AS second_rating, second.deviation AS second_deviation,
       second.volatility AS second_volatility,
       second.counted AND second.counted_in IS NULL AS second_counted
FROM rating_changes first
JOIN games game ON game.id = first.game_id AND game.first_player = first.account_id
JOIN rating_changes second ON second.game_id = game.id AND second.account_id = game.second_player
WHERE first.game = :game AND first.changed_at >= :since
ORDER BY first.changed_at, game.id
""")
_WAITED = text("""
SELECT own.counted_in, own.account_id, own.game_id, game.winner_seat, game.first_player, game.second_player
FROM rating_changes own JOIN games game ON game.id = own.game_id
WHERE own.game = :game AND own.counted_in IS NOT NULL
ORDER BY own.changed_at
""")
_BEFORE = text("""
SELECT DISTINCT ON (account_id) account_id, after, deviation, volatility, changed_at
FROM rating_changes WHERE game = :game AND changed_at < :since AND account_id = ANY(:accounts)
ORDER BY account_id, changed_at DESC
""")
_VOIDED = text("SELECT game, changed_at FROM rating_changes WHERE game_id = :game_id LIMIT 1")
_FORGET = (
    text("DELETE FROM rating_changes WHERE game_id = :game_id"),
    # What counted in it waits again.
    text("""
UPDATE rating_changes SET counted = false, counted_in = NULL
WHERE account_id = ANY(:players) AND counted_in = :game_id
"""),
    text("""
UPDATE games SET rated = false, rating_changes = NULL, voided_at = now(), version = version + 1
WHERE id = :game_id
"""),
)


@dataclass(frozen=True, slots=True)
class PastGame:
    """A rated game, and what its players' ratings were after it; None if that is not known exactly."""

    game: RatedGame
    after: tuple[Rating, Rating] | None


@dataclass(frozen=True, slots=True)
class VoidingPlan:
    """What voiding a game changes: changes of later games, and the ratings of accounts, at a kind of game.

    `seen` has the moment of the last rated game of each of these accounts as it was read.
    """

    game: str
    game_id: str
    players: tuple[int, int]
    later: Sequence[ChangedRating]
    ratings: Mapping[int, Rated]
    seen: Mapping[int, datetime]


async def plan(database: Database, game_id: str) -> VoidingPlan | None:
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
) -> tuple[list[PastGame], dict[int, Rated] | None]:
    """Return the rated games since a moment, and their players' ratings before it, None if not all are known.

    Ratings are not known exactly before the first game whose volatility was stored.
    """
    waited = await _waited(session, game)
    history = [_past(row, waited) for row in await session.execute(_HISTORY, {"game": game, "since": since})]
    players = {player for past in history for player in past.game.concerned()}
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


async def _waited(session: AsyncSession, game: str) -> Waited:
    """Return the results that counted later, by the game in which they did and by player."""
    waited: Waited = defaultdict(tuple)
    for row in await session.execute(_WAITED, {"game": game}):
        earlier = RatedGame(row.game_id, (row.first_player, row.second_player), row.winner_seat, _EVER)
        result = earlier.result_of(earlier.players.index(row.account_id))
        waited[row.counted_in, row.account_id] += (result,)
    return waited


async def carry_out(session: AsyncSession, planned: VoidingPlan) -> bool:
    """Void a game as planned. Return False, having changed nothing, if a rated game has ended since."""
    if not await queries.lock(session, planned.game, planned.seen):
        return False
    for statement in _FORGET:
        await session.execute(statement, {"game_id": planned.game_id, "players": list(planned.players)})
    await queries.write_changes(session, planned.later)
    await queries.write_ratings(session, planned.game, planned.ratings)
    await queries.count_games(session, planned.game, planned.ratings)
    return True


def _planned(
    kind: str, game_id: str, history: Sequence[PastGame], before: Mapping[int, Rated] | None
) -> VoidingPlan:
    seen = {player: past.game.at for past in history for player in past.game.players}
    number = next(number for number, past in enumerate(history) if past.game.id == game_id)
    players = history[number].game.players
    if before is not None and all(past.after for past in history):
        later, ratings = without(history, number, before)
    else:
        ratings = dict.fromkeys(players, Rated())
        games = (_without_result(past.game, game_id) for past in history if past.game.id != game_id)
        later = replay(games, ratings)
    return VoidingPlan(kind, game_id, players, later, ratings, {player: seen[player] for player in ratings})


def without(
    history: Sequence[PastGame], number: int, before: Mapping[int, Rated]
) -> tuple[list[ChangedRating], dict[int, Rated]]:
    """Return what leaving a game out makes of later games, and the ratings of all who are affected.

    `before` has the ratings before all of these games. Only games whose players' ratings differ are computed,
    in the order of their ends.
    """
    known = dict(before)
    for past in history[:number]:
        known.update(_ratings_after(past))
    ratings = {player: known.get(player, Rated()) for player in history[number].game.players}
    later: list[ChangedRating] = []
    for past in history[number + 1 :]:
        game = _without_result(past.game, history[number].game.id)
        if ratings.keys().isdisjoint(game.concerned()):
            known.update(_ratings_after(past))
            continue
        for change in changes(game, ChainMap(ratings, known)):
            ratings[change.account_id] = Rated(change.after, game.at)
            later.append(change)
    return later, ratings


def _without_result(game: RatedGame, game_id: str) -> RatedGame:
    """Return a game in which the results of another one, which had waited, do not count."""
    first, second = (tuple(each for each in waited if each.game_id != game_id) for waited in game.waited)
    return replace(game, waited=(first, second))


def _ratings_after(past: PastGame) -> Iterator[tuple[int, Rated]]:
    assert past.after is not None
    for player, rating in zip(past.game.players, past.after, strict=True):
        yield player, Rated(rating, past.game.at)


def _past(row: Any, waited: Waited) -> PastGame:
    players = (row.first_player, row.second_player)
    first_waited, second_waited = (waited[row.id, player] for player in players)
    game = RatedGame(
        row.id,
        players,
        row.winner_seat,
        row.changed_at,
        (row.first_counted, row.second_counted),
        (first_waited, second_waited),
    )
    if row.first_volatility is None or row.second_volatility is None:
        return PastGame(game, None)
    first = Rating(row.first_rating, row.first_deviation, row.first_volatility)
    return PastGame(game, (first, Rating(row.second_rating, row.second_deviation, row.second_volatility)))
