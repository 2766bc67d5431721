"""Voiding a rated game: the ratings are as if it had never been rated, those of all later games included."""

import asyncio
from collections import ChainMap, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import ARRAY, BigInteger, and_, any_, delete, func, literal, select, update
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Bundle, aliased

from app.core.database.session import Database
from app.core.database.statements import is_one_of
from app.core.moments import EPOCH
from app.play.games.models import Game
from app.play.ratings import queries
from app.play.ratings.counting import ChangedRating, Rated, RatedGame, Waiting, changes, replay
from app.play.ratings.models import PlayerRating, RatingChange
from engine.glicko2 import Rating

Waited: TypeAlias = defaultdict[tuple[str, int], tuple[Waiting, ...]]

_GAME = (Game.id, Game.first_player, Game.second_player, Game.winner_seat)
_first, _second = aliased(RatingChange), aliased(RatingChange)


def _after(seat: str, change: type[RatingChange]) -> Bundle[Any]:
    """Return the rating of a seat after a game, and whether its result counted there."""
    counted = and_(change.counted, change.counted_in.is_(None)).label("counted")
    return Bundle(seat, change.after, change.deviation, change.volatility, counted)


_HISTORY = (
    select(*_GAME, _first.changed_at, _after("first", _first), _after("second", _second))
    .join(_first, and_(_first.game_id == Game.id, _first.account_id == Game.first_player))
    .join(_second, and_(_second.game_id == Game.id, _second.account_id == Game.second_player))
    .order_by(_first.changed_at, Game.id)
)
_LATEST = (
    select(
        RatingChange.account_id,
        RatingChange.after,
        RatingChange.deviation,
        RatingChange.volatility,
        RatingChange.changed_at,
    )
    .ext(distinct_on(RatingChange.account_id))
    .order_by(RatingChange.account_id, RatingChange.changed_at.desc())
)
_WAITED = (
    select(RatingChange.counted_in, RatingChange.account_id, *_GAME)
    .join(Game, Game.id == RatingChange.game_id)
    .where(RatingChange.counted_in.is_not(None))
    .order_by(RatingChange.changed_at)
)


@dataclass(frozen=True, slots=True)
class PastGame:
    """A rated game, and what its players' ratings were after it; None if that is not known exactly."""

    game: RatedGame
    after: tuple[Rating, Rating] | None


@dataclass(frozen=True, slots=True)
class VoidingPlan:
    """What voiding a game changes: changes of later games, and the ratings of accounts, at a kind of game.

    `seen` has the mark of the rating of each of these accounts as it was read.
    """

    game: str
    game_id: str
    players: tuple[int, int]
    later: Sequence[ChangedRating]
    ratings: Mapping[int, Rated]
    seen: Mapping[int, str]


async def plan(database: Database, game_id: str) -> VoidingPlan | None:
    """Return what voiding a game changes, or None if it is not rated."""
    async with database.snapshot() as session:
        of_game = select(RatingChange).where(RatingChange.game_id == game_id).limit(1)
        voided = await session.scalar(of_game)
        if voided is None:
            return None
        history, before = await _read(session, voided.game, voided.changed_at)
        if before is None:
            history, before = await _read(session, voided.game, EPOCH)
        players = {player for past in history for player in past.game.players}
        is_theirs = is_one_of(PlayerRating.account_id, list(players))
        seen = await queries.marks(session, voided.game, is_theirs)
    return await asyncio.to_thread(_planned, voided.game, game_id, history, before, seen)


async def _read(
    session: AsyncSession, game: str, since: datetime
) -> tuple[list[PastGame], dict[int, Rated] | None]:
    """Return the rated games since a moment, and their players' ratings before it, None if not all are known.

    Ratings are not known exactly before the first game whose volatility was stored.
    """
    waited = await _waited(session, game)
    later = _HISTORY.where(_first.game == game, _first.changed_at >= since)
    history = [_past(row, waited) for row in await session.execute(later)]
    players = {player for past in history for player in past.game.concerned()}
    is_theirs = RatingChange.account_id == any_(literal(sorted(players), ARRAY(BigInteger)))
    earlier = _LATEST.where(RatingChange.game == game, RatingChange.changed_at < since, is_theirs)
    before = (await session.execute(earlier)).all()
    if any(row.volatility is None for row in before):
        return history, None
    if since > EPOCH and any(past.after is None for past in history):
        return history, None
    return history, {
        row.account_id: Rated(Rating(row.after, row.deviation, row.volatility), row.changed_at)
        for row in before
    }


async def _waited(session: AsyncSession, game: str) -> Waited:
    """Return the results that counted later, by the game in which they did and by player."""
    waited: Waited = defaultdict(tuple)
    for row in await session.execute(_WAITED.where(RatingChange.game == game)):
        earlier = RatedGame(row.id, (row.first_player, row.second_player), row.winner_seat, EPOCH)
        result = earlier.result_of(earlier.players.index(row.account_id))
        waited[row.counted_in, row.account_id] += (result,)
    return waited


async def carry_out(session: AsyncSession, planned: VoidingPlan) -> bool:
    """Void a game as planned. Return False, having changed nothing, if a rating was written since."""
    if not await queries.lock(session, planned.game, planned.seen):
        return False
    await session.execute(delete(RatingChange).where(RatingChange.game_id == planned.game_id))
    await session.execute(  # what counted in it waits again
        update(RatingChange)
        .where(RatingChange.account_id.in_(planned.players), RatingChange.counted_in == planned.game_id)
        .values(counted=False, counted_in=None)
    )
    await session.execute(
        update(Game)
        .where(Game.id == planned.game_id)
        .values(rated=False, rating_changes=None, voided_at=func.now(), version=Game.version + 1)
    )
    await queries.write_changes(session, planned.later)
    await queries.write_ratings(session, planned.game, planned.ratings)
    await queries.count_games(session, planned.game, planned.ratings)
    return True


def _planned(
    kind: str,
    game_id: str,
    history: Sequence[PastGame],
    before: Mapping[int, Rated] | None,
    seen: Mapping[int, str],
) -> VoidingPlan:
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
        (row.first.counted, row.second.counted),
        (first_waited, second_waited),
    )
    if row.first.volatility is None or row.second.volatility is None:
        return PastGame(game, None)
    first, second = (Rating(side.after, side.deviation, side.volatility) for side in (row.first, row.second))
    return PastGame(game, (first, second))
