"""Starting solitaire games, and the commands on races."""

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.errors import ConflictError, InvalidError, NotFoundError
from app.core.i18n.text import _, ngettext
from app.core.ids import new_id
from app.core.moments import from_datetime, now, to_datetime, utc_now
from app.core.realtime.bus import Bus
from app.people.identity.limits import check_limit
from app.people.identity.locking import lock_account
from app.people.identity.service import Identity
from app.play.games import creation
from app.play.games.queries import GameSummary, count_under_way
from app.play.games.service import Games
from app.play.solitaire import queries
from app.play.solitaire.models import Race, RaceGame
from app.play.solitaire.races import MINUTES, RaceChanged, RaceShown, RaceTimes
from engine.clock import CommonDeadline

_MOST_PLAYERS = 100  # of a race
_MOST_RACES = 5  # under way, of one maker
MOST_GAMES = 20  # unfinished, of one player


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
            untouched = await queries.untouched_game(session, identity.id, game, complete)
            return untouched or await _create(session, identity, game, complete)

    async def under_way(self, identity: Identity | None) -> list[GameSummary]:
        """Return the player's unfinished games, the latest first; none for a visitor (None)."""
        if identity is None:
            return []
        return await self._games.under_way(identity.id, queries.is_solitaire(), limit=MOST_GAMES)


class Races:
    """The races of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def get(self, race_id: str) -> RaceShown:
        """Return a race. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            return await queries.race(session, race_id)

    async def of_game(self, game_id: str) -> str:
        """Return the id of the race that a game is part of. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            return await queries.race_of_game(session, game_id)

    async def under_way(self) -> list[RaceShown]:
        """Return the races that can be joined, those that end first at the top."""
        async with self._database.reading_now() as session:
            return await queries.races_under_way(session)

    async def ends(self) -> list[RaceTimes]:
        """Return when the races that can be joined end, the first at the top."""
        async with self._database.reading_now() as session:
            return await queries.ends_of_races(session)

    async def make(
        self, identity: Identity, game: str, options: Mapping[str, int], minutes: int
    ) -> RaceShown:
        """Make a race that starts now, with its maker as the first player.

        Raise InvalidError for a game, options or a duration that is not offered, ConflictError
        `too_many_races`.
        """
        complete = _complete(game, options)
        if minutes not in MINUTES:
            raise InvalidError(
                "bad_minutes",
                _("A race lasts one of %(minutes)s minutes.", minutes=", ".join(map(str, MINUTES))),
            )
        error = ConflictError(
            "too_many_races",
            ngettext(
                "You have %(count)s race under way. Let it end first.",
                "You have %(count)s races under way. Let one end first.",
                _MOST_RACES,
            ),
        )
        async with self._database.transaction() as session:
            await check_limit(session, identity.id, queries.count_races(identity.id), _MOST_RACES, error)
            race = Race(
                id=new_id(),
                game=game,
                options=complete,
                maker_id=identity.id,
                ends_at=to_datetime(now() + minutes * 60_000),
            )
            session.add(race)
            await session.flush()
            await _join(session, race.id, identity)
            return await queries.race(session, race.id)

    async def join(self, race_id: str, identity: Identity) -> str:
        """Return the id of the player's game in a race, which starts when they join.

        Raise NotFoundError, ConflictError `race_over`, `race_full`.
        """
        async with self._database.transaction() as session:
            game_id = await _join(session, race_id, identity)
        self._bus.publish(RaceChanged(race_id))
        return game_id


async def _create(session: AsyncSession, identity: Identity, game: str, options: Mapping[str, int]) -> str:
    error = ConflictError(
        "too_many_games",
        ngettext(
            "You have %(count)s unfinished game. Finish it or give it up first.",
            "You have %(count)s unfinished games. Finish one or give it up first.",
            MOST_GAMES,
        ),
    )
    count = count_under_way(identity.id, queries.is_solitaire())
    await check_limit(session, identity.id, count, MOST_GAMES, error)
    return await creation.create(session, game, options, [identity.id])


def _complete(game: str, options: Mapping[str, int]) -> dict[str, int]:
    return creation.complete_options(creation.rules_of(game, 1), options)


async def _join(session: AsyncSession, race_id: str, identity: Identity) -> str:
    # Locked, so that a player who joins twice at the same time gets one game.
    race = await session.scalar(select(Race).where(Race.id == race_id).with_for_update())
    if race is None:
        raise NotFoundError("race")
    games = await queries.race_games(session, race_id)
    if identity.id in games:
        return games[identity.id]
    if utc_now() >= race.ends_at:
        raise ConflictError("race_over", _("This race is over. Create a new one, which everyone can join."))
    if len(games) >= _MOST_PLAYERS:
        raise ConflictError(
            "race_full",
            ngettext(
                "This race already has %(count)s player.",
                "This race already has %(count)s players.",
                _MOST_PLAYERS,
            ),
        )
    control = CommonDeadline(from_datetime(race.ends_at))
    game_id = await creation.create(session, race.game, race.options, [identity.id], control=control)
    session.add(RaceGame(race_id=race_id, account_id=identity.id, game_id=game_id))
    return game_id
