"""Races: several players, each alone on a board of the same size, until one common moment."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError, InvalidError, NotFoundError
from app.games import creation
from app.games.models import Game
from app.identity.models import Account
from app.identity.service import Identity
from app.ids import new_id
from app.moments import from_datetime, now, to_datetime, utc_now
from app.scores import service as scores
from app.solitaire.models import Race, RaceGame
from engine.clock import CommonDeadline
from engine.registry import SOLITAIRE

MINUTES: Mapping[int, str] = {
    5: "5 minutes",
    10: "10 minutes",
    20: "20 minutes",
    60: "an hour",
    24 * 60: "a day",
    7 * 24 * 60: "a week",
}
"""How long a race may last, in words."""

_MOST_PLAYERS = 100
_MOST_LISTED = 20
_MOST_OPEN = 5  # of one maker


@dataclass(frozen=True, slots=True)
class Racer:
    """One row of a race. Equal points and tie-breaks share the rank; `is_done`: the game is over."""

    rank: int
    account_id: int
    username: str
    game_id: str
    points: int
    tie_break: int
    ply: int
    is_done: bool


@dataclass(frozen=True, slots=True)
class RaceInfo:
    """A race as it stands, the best first."""

    id: str
    game: str
    options: Mapping[str, int]
    maker: str
    ends_at: datetime
    racers: tuple[Racer, ...]

    @property
    def is_over(self) -> bool:
        """Tell whether its moment has come."""
        return utc_now() >= self.ends_at

    def game_of(self, account_id: int | None) -> str | None:
        """Give the game of an account that takes part, or None."""
        return next((racer.game_id for racer in self.racers if racer.account_id == account_id), None)


async def make(
    session: AsyncSession, maker: Identity, game: str, options: Mapping[str, int], minutes: int
) -> str:
    """Make a race that its maker takes part in, and return its id.

    Raises InvalidError for a game, options or a time that cannot be, ConflictError `too_many_races`.
    """
    complete = creation.complete_options(creation.rules_of(game, 1), options)
    if minutes not in MINUTES:
        raise InvalidError("bad_minutes", f"A race lasts one of {', '.join(map(str, MINUTES))} minutes.")
    await session.execute(select(Account.id).where(Account.id == maker.id).with_for_update())
    mine = select(func.count()).where(Race.maker_id == maker.id, Race.ends_at > func.now())
    if (await session.scalar(mine) or 0) >= _MOST_OPEN:
        raise ConflictError("too_many_races", f"You have {_MOST_OPEN} races under way. Let one end first.")
    race = Race(
        id=new_id(),
        game=game,
        options=complete,
        maker_id=maker.id,
        ends_at=to_datetime(now() + minutes * 60_000),
    )
    session.add(race)
    await session.flush()
    await join(session, race.id, maker)
    return race.id


async def join(session: AsyncSession, race_id: str, account: Identity) -> str:
    """Give an account's game in a race, which begins if there is none yet.

    Raises NotFoundError, ConflictError `race_over` or `race_full`.
    """
    # Who joins twice at once joins one after the other.
    race = await session.scalar(select(Race).where(Race.id == race_id).with_for_update())
    if race is None:
        raise NotFoundError("race")
    games = await session.execute(
        select(RaceGame.account_id, RaceGame.game_id).where(RaceGame.race_id == race_id)
    )
    taken = dict(games.tuples().all())
    if account.id in taken:
        return taken[account.id]
    if utc_now() >= race.ends_at:
        raise ConflictError("race_over", "This race is over. Make one of your own, and everybody can join.")
    if len(taken) >= _MOST_PLAYERS:
        raise ConflictError("race_full", f"This race has its {_MOST_PLAYERS} players already.")
    control = CommonDeadline(from_datetime(race.ends_at))
    game_id = await creation.create(session, race.game, race.options, [account.id], control=control)
    session.add(RaceGame(race_id=race_id, account_id=account.id, game_id=game_id))
    await session.flush()
    return game_id


async def get(session: AsyncSession, race_id: str) -> RaceInfo:
    """Give a race as it stands. Raises NotFoundError."""
    row = (
        await session.execute(
            select(Race, Account.username)
            .join(Account, Account.id == Race.maker_id)
            .where(Race.id == (race_id if race_id.isalnum() else ""))
        )
    ).one_or_none()
    if row is None:
        raise NotFoundError("race")
    race, maker = row
    return RaceInfo(
        race.id, race.game, race.options, maker, race.ends_at, tuple(await _racers(session, race))
    )


async def of_game(session: AsyncSession, game_id: str) -> str:
    """Give the race that a game is part of. Raises NotFoundError."""
    race_id = await session.scalar(select(RaceGame.race_id).where(RaceGame.game_id == game_id))
    if race_id is None:
        raise NotFoundError("race")
    return race_id


async def under_way(session: AsyncSession) -> list[RaceInfo]:
    """List the races that can be joined, those that end first at the top."""
    ids = await session.scalars(
        select(Race.id).where(Race.ends_at > func.now()).order_by(Race.ends_at).limit(_MOST_LISTED)
    )
    return [await get(session, race_id) for race_id in ids.all()]


async def _racers(session: AsyncSession, race: Race) -> list[Racer]:
    rows = await session.execute(
        select(RaceGame.account_id, Account.username, Game.id, Game.position, Game.ply, Game.status)
        .join(Account, Account.id == RaceGame.account_id)
        .join(Game, Game.id == RaceGame.game_id)
        .where(RaceGame.race_id == race.id)
        .order_by(RaceGame.joined_at)
    )
    rules = SOLITAIRE[race.game]
    found = [(scores.merit(rules, rules.parse(row.position)), row) for row in rows]
    found.sort(key=lambda one: one[0].key)
    keys = [merit.key for merit, _ in found]
    return [
        Racer(
            rank=1 + keys.index(merit.key),
            account_id=row.account_id,
            username=row.username,
            game_id=row.id,
            points=merit.points,
            tie_break=merit.tie_break,
            ply=row.ply,
            is_done=row.status != "started",
        )
        for merit, row in found
    ]
