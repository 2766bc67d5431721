"""Solitaire games and races, read from the database."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.unreadable import read_row, readable
from app.core.errors import NotFoundError
from app.core.moments import utc_now
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_NAME, is_ranked
from app.play.games.models import Game
from app.play.solitaire.models import Race, RaceGame
from app.play.solitaire.races import RacerShown, RaceShown, RaceTimes
from app.play.solitaire.scores import Merit, merit
from engine.game import SolitaireGame, with_defaults
from engine.registry import SOLITAIRE

_MOST_LISTED = 50


async def untouched_game(
    session: AsyncSession, account_id: int, game: str, options: Mapping[str, int]
) -> str | None:
    """Return the id of an account's game with these complete options and no move, or None."""
    query = select(Game.id).where(
        Game.first_player == account_id,
        is_solitaire(),
        Game.game == game,
        Game.options == options,
        Game.status == "started",
        Game.ply == 0,
        Game.undos == 0,
        Game.time_control.is_(None),
    )
    game_id: str | None = await session.scalar(query.limit(1))
    return game_id


def is_solitaire() -> ColumnElement[bool]:
    """Return the condition that a game has one player."""
    return Game.second_player.is_(None)


async def race(session: AsyncSession, race_id: str) -> RaceShown:
    """Return a race. Raise NotFoundError, UnreadableError."""
    rows = await _rows(session, Race.id == race_id)
    if not rows:
        raise NotFoundError("race")
    return read_row(_race, *rows[0])


async def races_under_way(session: AsyncSession) -> list[RaceShown]:
    """Return the races that can be joined, those that end first at the top."""
    return readable(_race, await _rows(session, Race.ends_at > utc_now()))


async def ends_of_races(session: AsyncSession) -> list[RaceTimes]:
    """Return when the races that can be joined end, the first at the top."""
    query = select(Race).where(Race.ends_at > utc_now()).order_by(Race.ends_at).limit(_MOST_LISTED)
    return readable(_end, await session.scalars(query))


async def race_of_game(session: AsyncSession, game_id: str) -> str:
    """Return the id of the race that a game is part of. Raise NotFoundError."""
    query = select(RaceGame.race_id).where(RaceGame.game_id == game_id)
    race_id: str | None = await session.scalar(query)
    if race_id is None:
        raise NotFoundError("race")
    return race_id


async def race_games(session: AsyncSession, race_id: str) -> dict[int, str]:
    """Return the ids of the games in a race by their players' accounts."""
    rows = await session.execute(
        select(RaceGame.account_id, RaceGame.game_id).where(RaceGame.race_id == race_id)
    )
    return dict(rows.all())


def count_races(maker_id: int) -> Select[int]:
    """Return the query for the number of an account's races under way."""
    return select(func.count()).where(Race.maker_id == maker_id, Race.ends_at > utc_now())


async def _rows(
    session: AsyncSession, condition: ColumnElement[bool]
) -> list[tuple[Race, str, Sequence[Any]]]:
    rows = await session.execute(
        select(Race, Account.username)
        .join(Account, Account.id == Race.maker_id)
        .where(condition)
        .order_by(Race.ends_at)
        .limit(_MOST_LISTED)
    )
    races = rows.all()
    games = await _games_by_race(session, [race.id for race, _ in races])
    return [(race, maker, games[race.id]) for race, maker in races]


def _end(race: Race) -> RaceTimes:
    return RaceTimes(race.id, SOLITAIRE[race.game].key, race.created_at, race.ends_at)


def _race(race: Race, maker: str, games: Sequence[Any]) -> RaceShown:
    rules = SOLITAIRE[race.game]
    options = with_defaults(rules.options, race.options)
    is_over = utc_now() >= race.ends_at
    return RaceShown(race.id, race.game, options, maker, race.ends_at, is_over, _ranked(rules, games))


async def _games_by_race(session: AsyncSession, race_ids: Sequence[str]) -> Mapping[str, list[Any]]:
    rows = await session.execute(
        select(RaceGame.race_id, RaceGame.account_id, SHOWN_NAME, Game)
        .join(Account, Account.id == RaceGame.account_id)
        .join(Game, Game.id == RaceGame.game_id)
        .where(RaceGame.race_id.in_(race_ids), is_ranked(RaceGame.account_id))
        .order_by(RaceGame.joined_at)
    )
    games: defaultdict[str, list[Any]] = defaultdict(list)
    for row in rows:
        games[row.race_id].append(row)
    return games


def _merit(game: Game, rules: SolitaireGame[Any], row: Any) -> tuple[Merit, Any]:
    return merit(rules, rules.parse(game.position)), row


def _ranked(rules: SolitaireGame[Any], rows: Sequence[Any]) -> tuple[RacerShown, ...]:
    merits = readable(_merit, ((row.Game, rules, row) for row in rows))
    keys = sorted(each.key for each, _row in merits)
    ranks = {key: rank for rank, key in reversed(tuple(enumerate(keys, 1)))}
    racers = [
        RacerShown(
            rank=ranks[each.key],
            account_id=row.account_id,
            username=row.username,
            game_id=row.Game.id,
            points=each.points,
            tie_break=each.tie_break,
            ply=row.Game.ply,
            is_done=row.Game.status != "started",
        )
        for each, row in merits
    ]
    return tuple(sorted(racers, key=lambda racer: racer.rank))
