"""Starting solitaire games, and races: reading them, and the commands on them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, func, null, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.unreadable import read_row, readable
from app.core.errors import (
    ConflictError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    UnauthenticatedError,
    found,
)
from app.core.i18n.text import _, ngettext
from app.core.ids import new_id
from app.core.moments import from_datetime, utc_now
from app.core.realtime.bus import Bus
from app.people.identity.locking import Most, lock_account, lock_open_accounts, present
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_NAME, is_ranked
from app.people.identity.service import Identity
from app.play.games import creation
from app.play.games.models import Game
from app.play.games.queries import GameSummary, count_under_way
from app.play.games.service import Games
from app.play.solitaire.models import Race, RacePlayer
from app.play.solitaire.races import (
    MINUTES,
    RaceChanged,
    RacerShown,
    RaceShown,
    RaceStarted,
    RaceTimes,
    WaitingRacer,
)
from app.play.solitaire.scores import Merit, merit
from engine.clock import CommonDeadline
from engine.game import SolitaireGame, with_defaults
from engine.registry import SOLITAIRE

_MOST_PLAYERS = 100  # of a race
_MOST_LISTED = 50  # races
_MOST_RACES = Most(
    5,
    "too_many_races",
    "You have %(count)s race under way. Let it end first.",
    "You have %(count)s races under way. Let one end first.",
)
_LONGEST_WAIT = timedelta(hours=1)  # for the start of a race
MOST_GAMES = Most(
    20,
    "too_many_games",
    "You have %(count)s unfinished game. Finish it or give it up first.",
    "You have %(count)s unfinished games. Finish one or give it up first.",
)


class Solitaire:
    """The solitaire games of the server."""

    def __init__(self, database: Database, games: Games) -> None:
        self._database = database
        self._games = games

    async def start(self, identity: Identity, game: str, options: Mapping[str, int]) -> str:
        """Start a game and return its id.

        Raise InvalidError `unknown_game`, `not_solitaire`, `bad_options`, ConflictError `too_many_games`.
        """
        complete = _complete(game, options)
        async with self._database.transaction() as session:
            return await _create(session, identity, game, complete)

    async def resume_or_start(self, identity: Identity, game: str, options: Mapping[str, int]) -> str:
        """Return the id of the player's game without a move, and start one if there is none.

        Raise what `start` raises.
        """
        complete = _complete(game, options)
        async with self._database.transaction() as session:
            await lock_account(session, identity.id)
            untouched: str | None = await session.scalar(
                select(Game.id)
                .where(Game.first_player == identity.id, is_solitaire(), Game.game == game)
                .where(Game.options == complete, Game.time_control.is_(None))
                .where(Game.status == "started", Game.ply == 0, Game.undos == 0)
                .limit(1)
            )
            return untouched or await _create(session, identity, game, complete)

    async def under_way(self, identity: Identity | None) -> list[GameSummary]:
        """Return the player's unfinished games, the latest first; none for a visitor (None)."""
        if identity is None:
            return []
        return await self._games.under_way(identity.id, is_solitaire(), limit=MOST_GAMES.number)


class Races:
    """The races of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def get(self, race_id: str) -> RaceShown:
        """Return a race. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            return await _get(session, race_id)

    async def of_game(self, game_id: str) -> str:
        """Return the id of the race that a game is part of. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            query = select(RacePlayer.race_id).where(RacePlayer.game_id == game_id)
            return found(await session.scalar(query), "race")

    async def under_way(self) -> list[RaceShown]:
        """Return the races that can be joined, those that end first at the top."""
        async with self._database.reading_now() as session:
            return readable(_race, await _rows(session, Race.ends_at > utc_now()))

    async def running(self, account_id: int) -> dict[str, str]:
        """Return the games of an account in races that have started and are not over, by the race's id."""
        query = (
            select(RacePlayer.race_id, RacePlayer.game_id)
            .join(Race, Race.id == RacePlayer.race_id)
            .where(RacePlayer.account_id == account_id, RacePlayer.game_id.is_not(None))
            .where(Race.ends_at > utc_now())
        )
        async with self._database.reading_now() as session:
            return {race_id: game_id for race_id, game_id in await session.execute(query) if game_id}

    async def ends(self) -> list[RaceTimes]:
        """Return when the races that can be joined end, the first at the top."""
        async with self._database.reading_now() as session:
            is_under_way = (Race.ends_at > utc_now(), Race.started_at.is_not(None))
            query = select(Race).where(*is_under_way).order_by(Race.ends_at).limit(_MOST_LISTED)
            return readable(_times, await session.scalars(query))

    async def make(
        self, identity: Identity, game: str, options: Mapping[str, int], minutes: int
    ) -> RaceShown:
        """Make a race that starts now, with its maker as the first player. Raise what `announce` raises."""
        async with self._database.transaction() as session:
            race = await _add(session, identity, game, options, minutes)
            await _begin(session, race)
            return await _get(session, race.id)

    async def announce(
        self, identity: Identity, game: str, options: Mapping[str, int], minutes: int
    ) -> RaceShown:
        """Make a race that waits until its maker, the first player, starts it.

        Raise InvalidError for a game, options or a duration that is not offered, ConflictError
        `too_many_races`.
        """
        async with self._database.transaction() as session:
            race = await _add(session, identity, game, options, minutes)
            return await _get(session, race.id)

    async def start(self, race_id: str, identity: Identity) -> RaceShown:
        """Start a race that waits for it: all games begin now.

        Its maker starts it, or any of its players if nobody has the maker's account any more.

        Raise NotFoundError, ForbiddenError `not_yours`, ConflictError `race_started` or `race_over`.
        """
        async with self._database.transaction() as session:
            race = await _locked(session, race_id)
            if not await _may_start(session, race, identity.id):
                raise ForbiddenError("not_yours", _("Only the maker of the race can start it."))
            _check_waiting(race)
            players = await _begin(session, race)
            shown = await _get(session, race_id)
        self._bus.publish(RaceChanged(race_id), RaceStarted(players, race_id))
        return shown

    async def join(self, race_id: str, identity: Identity) -> str | None:
        """Return the id of the player's game in a race, which starts when they join; None before its start.

        Raise NotFoundError, ConflictError `race_over`, `race_full`.
        """
        async with self._database.transaction() as session:
            if not await lock_open_accounts(session, [identity.id]):
                raise UnauthenticatedError
            game_id = await _join(session, await _locked(session, race_id), identity)
        self._bus.publish(RaceChanged(race_id))
        return game_id

    async def leave(self, race_id: str, identity: Identity) -> None:
        """Leave a race that waits for its start, if the identity is in it. If it made it, it is given up.

        Raise NotFoundError, ConflictError `race_started` or `race_over`.
        """
        async with self._database.transaction() as session:
            race = await _locked(session, race_id)
            _check_waiting(race)
            if race.maker_id == identity.id:
                race.ends_at = utc_now()
            elif (player := await session.get(RacePlayer, (race_id, identity.id))) is not None:
                await session.delete(player)
        self._bus.publish(RaceChanged(race_id))


async def _add(
    session: AsyncSession, identity: Identity, game: str, options: Mapping[str, int], minutes: int
) -> Race:
    """Add a race that is waiting to start, with its maker. Raise InvalidError, ConflictError."""
    complete = _complete(game, options)
    if minutes not in MINUTES:
        raise InvalidError(
            "bad_minutes",
            _("Choose one of these numbers of minutes: %(minutes)s.", minutes=", ".join(map(str, MINUTES))),
        )
    under_way = select(func.count()).where(Race.maker_id == identity.id, Race.ends_at > utc_now())
    await _MOST_RACES.check(session, identity.id, under_way)
    race = Race(
        id=new_id(),
        game=game,
        options=complete,
        maker_id=identity.id,
        minutes=minutes,
        started_at=null(),  # not the default of the column
        ends_at=utc_now() + _LONGEST_WAIT,
    )
    session.add(race)
    await session.flush()
    await _join(session, race, identity)
    return race


async def _begin(session: AsyncSession, race: Race) -> tuple[int, ...]:
    """Start a race that waits, and the games of its players. Return their accounts."""
    assert race.minutes is not None
    race.started_at = utc_now()
    race.ends_at = race.started_at + timedelta(minutes=race.minutes)
    players = select(RacePlayer).where(RacePlayer.race_id == race.id, is_ranked(RacePlayer.account_id))
    racers = (await session.scalars(players.order_by(RacePlayer.joined_at))).all()
    games = await _begin_games(session, race, [player.account_id for player in racers])
    for player, game_id in zip(racers, games, strict=True):
        player.game_id = game_id
    await session.flush()
    return tuple(player.account_id for player in racers)


async def _begin_games(session: AsyncSession, race: Race, account_ids: Sequence[int]) -> list[str]:
    control = CommonDeadline(from_datetime(race.ends_at))
    alone = [[account_id] for account_id in account_ids]
    return await creation.create_all(session, race.game, race.options, alone, control=control, rated=False)


async def _create(session: AsyncSession, identity: Identity, game: str, options: Mapping[str, int]) -> str:
    count = count_under_way(identity.id, is_solitaire())
    await MOST_GAMES.check(session, identity.id, count)
    return await creation.create(session, game, options, [identity.id])


def _complete(game: str, options: Mapping[str, int]) -> dict[str, int]:
    return creation.complete_options(creation.rules_of(game, 1), options)


async def _locked(session: AsyncSession, race_id: str) -> Race:
    """Return a race, locked, so that a player who joins twice at the same time gets one game."""
    return found(await session.scalar(select(Race).where(Race.id == race_id).with_for_update()), "race")


async def _may_start(session: AsyncSession, race: Race, account_id: int) -> bool:
    if race.maker_id == account_id:
        return True
    is_player = await session.get(RacePlayer, (race.id, account_id)) is not None
    return is_player and not await present(session, [race.maker_id])


def _check_waiting(race: Race) -> None:
    if race.started_at is not None:
        raise ConflictError("race_started", _("This race has started already."))
    _check_not_over(race)


def _check_not_over(race: Race) -> None:
    if utc_now() >= race.ends_at:
        raise ConflictError("race_over", _("This race is over. Create a new one, which everyone can join."))


async def _join(session: AsyncSession, race: Race, identity: Identity) -> str | None:
    own_games = select(RacePlayer.account_id, RacePlayer.game_id).where(RacePlayer.race_id == race.id)
    games = dict((await session.execute(own_games)).all())
    own = games.get(identity.id)
    if own is not None or (identity.id in games and race.started_at is None):
        return own
    _check_not_over(race)
    if identity.id not in games and len(games) >= _MOST_PLAYERS:
        raise ConflictError(
            "race_full",
            ngettext(
                "This race already has %(count)s player.",
                "This race already has %(count)s players.",
                _MOST_PLAYERS,
            ),
        )
    game_id = None
    if race.started_at is not None:
        (game_id,) = await _begin_games(session, race, [identity.id])
    place = RacePlayer(race_id=race.id, account_id=identity.id, game_id=game_id)
    await session.merge(place)  # who was away at the start has one already
    await session.flush()
    return game_id


def is_solitaire() -> ColumnElement[bool]:
    """Return the condition that a game has one player."""
    return Game.second_player.is_(None)


async def _get(session: AsyncSession, race_id: str) -> RaceShown:
    rows = await _rows(session, Race.id == race_id)
    if not rows:
        raise NotFoundError("race")
    return read_row(_race, *rows[0])


async def _rows(
    session: AsyncSession, condition: ColumnElement[bool]
) -> list[tuple[Race, str, bool, Sequence[Any]]]:
    """Return races with their makers' names, whether these can start them, and their players."""
    rows = await session.execute(
        select(Race, Account.username)
        .join(Account, Account.id == Race.maker_id)
        .where(condition)
        .order_by(Race.ends_at)
        .limit(_MOST_LISTED)
    )
    races = rows.all()
    players = await session.execute(
        select(RacePlayer.race_id, RacePlayer.account_id, SHOWN_NAME, Game)
        .join(Account, Account.id == RacePlayer.account_id)
        .outerjoin(Game, Game.id == RacePlayer.game_id)
        .where(RacePlayer.race_id.in_([race.id for race, _ in races]), is_ranked(RacePlayer.account_id))
        .order_by(RacePlayer.joined_at)
    )
    by_race: defaultdict[str, list[Any]] = defaultdict(list)
    for row in players:
        by_race[row.race_id].append(row)
    makers = await present(session, {race.maker_id for race, _maker in races if race.started_at is None})
    return [(race, maker, race.maker_id in makers, by_race[race.id]) for race, maker in races]


def _times(race: Race) -> RaceTimes:
    return RaceTimes(race.id, SOLITAIRE[race.game].key, race.started_at or race.created_at, race.ends_at)


def _race(race: Race, maker: str, has_maker: bool, players: Sequence[Any]) -> RaceShown:
    rules = SOLITAIRE[race.game]
    is_over = utc_now() >= race.ends_at
    # Later on, an account that was closed at the start has no game either.
    waiting = [] if race.started_at else [row for row in players if row.Game is None]
    return RaceShown(
        id=race.id,
        game=race.game,
        options=with_defaults(rules.options, race.options),
        maker=maker,
        has_maker=has_maker,
        minutes=race.minutes,
        ends_at=race.ends_at,
        is_waiting=race.started_at is None and not is_over,
        is_over=is_over,
        waiting=[WaitingRacer(row.account_id, row.username) for row in waiting],
        racers=_ranked(rules, [row for row in players if row.Game is not None]),
    )


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
