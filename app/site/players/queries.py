"""What the database has of a player: results, ratings, and what the profile tells."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, func, literal, or_, select, text, union_all
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.statements import made_once
from app.core.web.params import GameWanted
from app.people.identity.models import Account, ProfileRow
from app.play.games.models import Game
from app.play.ratings import leaderboard, speeds
from app.play.ratings import queries as ratings
from app.play.ratings.counting import PlayersRating
from app.play.ratings.leaderboard import RatingPlace
from app.play.ratings.models import RatingChange
from engine.registry import FOR_TWO
from engine.speed import Speed

Change = tuple[datetime, float, float]
"""When a rating changed, and what it was before and after."""

_MOST_CHANGES = 500  # of a rating's history, the latest
_MOST_NAMED = 1_000
_YEAR = timedelta(days=365)
_LAST_GAMES = 50
_SEATS = ((Game.first_player, Game.second_player), (Game.second_player, Game.first_player))
_IN_ORDER_OF_INDEX = text("lower(accounts.username) USING ~<~")  # the one that finds names by their beginning


@dataclass(frozen=True, slots=True)
class About:
    """What a player tells: a text, a country and languages by their codes ("" and () for none), and links."""

    text: str = ""
    country: str = ""
    languages: Sequence[str] = ()
    links: Sequence[str] = ()

    def has_other_words_than(self, before: "About") -> bool:
        """Return whether it has anything that the player has written since another one."""
        return self.text not in ("", before.text) or not set(self.links).issubset(before.links)


@dataclass(frozen=True, slots=True)
class GamesWanted:
    """Which games of a player a list shows; None means any. The API takes the members as parameters."""

    game: GameWanted = None
    rated: bool | None = None
    status: Literal["started", "finished", "aborted"] | None = None

    @property
    def conditions(self) -> list[ColumnElement[bool]]:
        """Return the conditions that these games meet."""
        columns = {Game.game: self.game, Game.rated: self.rated, Game.status: self.status}
        return [column == value for column, value in columns.items() if value is not None]


@dataclass(frozen=True, slots=True)
class Results:
    """The number of finished games for two by how they ended for a player."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """Return the number of all finished games."""
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class GameRating:
    """A player's rating at one game, its place on the leaderboard, and its latest changes.

    `by_speed` has the ratings by speed and their places.
    """

    game: str
    rating: PlayersRating
    place: RatingPlace | None
    history: Sequence[Change]
    by_speed: Mapping[Speed, tuple[PlayersRating, RatingPlace | None]]


async def about(session: AsyncSession, account_id: int) -> About:
    """Return what a player tells about themselves."""
    row = await session.scalar(*_about(account_id))
    return _told_in(row) if row else About()


async def locked_about(session: AsyncSession, account_id: int) -> About:
    """Return what a player tells about themselves, which is stored and locked until the transaction ends."""
    nothing = insert(ProfileRow).values(account_id=account_id, **asdict(About()))
    await session.execute(nothing.on_conflict_do_nothing())
    return _told_in(await session.get_one(ProfileRow, account_id, with_for_update=True))


def _told_in(row: ProfileRow) -> About:
    return About(row.text, row.country, tuple(row.languages), tuple(row.links))


@made_once
def _about(account_id: int) -> Select[ProfileRow]:
    return select(ProfileRow).where(ProfileRow.account_id == account_id)


async def game_ratings(session: AsyncSession, account_id: int) -> list[GameRating]:
    """Return an account's ratings at the games that it has played rated."""
    of_games = await ratings.of_account(session, account_id)
    if not of_games:
        return []
    of_speeds = await speeds.of_account(session, account_id)
    places = await leaderboard.places(
        session,
        account_id,
        {(game, None): rating for game, rating in of_games.items()}
        | {(game, speed): rating for game, by in of_speeds.items() for speed, rating in by.items()},
    )
    histories = await _histories(session, account_id)
    return [
        GameRating(
            game,
            rating,
            places.get((game, None)),
            histories[game],
            {speed: (each, places.get((game, speed))) for speed, each in of_speeds.get(game, {}).items()},
        )
        for game, rating in of_games.items()
    ]


async def results(session: AsyncSession, account_id: int, opponent_id: int | None = None) -> Results:
    """Return how an account's games for two ended: all of them, or those against one opponent."""
    query = _all_results(account_id) if opponent_id is None else _results_against(account_id, opponent_id)
    won, drawn, count = (await session.execute(*query)).one()
    return Results(won, drawn, count - won - drawn)


@made_once
def _all_results(account_id: int) -> Select[int, int, int]:
    return _results(account_id, lambda other: other.is_not(None))


@made_once
def _results_against(account_id: int, opponent_id: int) -> Select[int, int, int]:
    return _results(account_id, lambda other: other == opponent_id)


def _results(account_id: int, is_meant: Callable[[Any], ColumnElement[bool]]) -> Select[int, int, int]:
    """Count the games that count (`app.play.games.queries.counts`).

    The index of each seat has all that this needs, but not whether a moderator has voided a game. There are
    few of those, so they are counted as well, and taken off.
    """
    games = union_all(
        *(
            select(
                (Game.winner_seat == seat).label("is_won"),
                Game.winner_seat.is_(None).label("is_drawn"),
                literal(sign).label("sign"),
            ).where(own == account_id, Game.status == "finished", is_meant(other), *conditions)
            for seat, (own, other) in enumerate(_SEATS)
            for sign, *conditions in ((1,), (-1, Game.voided_at.is_not(None)))
        )
    ).subquery()
    count = func.sum(games.c.sign)
    won, drawn = count.filter(games.c.is_won), count.filter(games.c.is_drawn)
    return select(*(func.coalesce(each, 0) for each in (won, drawn, count))).select_from(games)


async def activity(session: AsyncSession, account_id: int) -> dict[date, int]:
    """Return how many games of an account have ended on each day of the last year."""
    return dict((await session.execute(*_activity(account_id))).all())


@made_once
def _activity(account_id: int) -> Select[date, int]:
    days = union_all(
        *(
            select(func.date(func.timezone("UTC", Game.ended_at)).label("day")).where(
                seat == account_id, Game.ended_at > func.now() - _YEAR, Game.status == "finished"
            )
            for seat in (Game.first_player, Game.second_player)
        )
    ).subquery()
    return select(days.c.day, func.count()).group_by(days.c.day)


async def named(session: AsyncSession, start: str, limit: int) -> list[Account]:
    """Return the registered players and computers whose names begin so, the shortest names first.

    They are chosen from the first `_MOST_NAMED` ones in the alphabet.
    """
    first = (
        select(Account)
        .where(
            func.lower(Account.username).startswith(start.lower(), autoescape=True),
            Account.closed_at.is_(None),
            or_(Account.password_hash.is_not(None), Account.computer_level.is_not(None)),
        )
        .order_by(_IN_ORDER_OF_INDEX)
        .limit(_MOST_NAMED)
        .subquery()
    )
    account = aliased(Account, first)
    rows = await session.scalars(
        select(account).order_by(func.length(account.username), func.lower(account.username)).limit(limit)
    )
    return list(rows)


async def players(session: AsyncSession, account_ids: Collection[int], limit: int) -> Sequence[Account]:
    """Return the registered players among some accounts, by their names."""
    is_player = (
        Account.password_hash.is_not(None),
        Account.computer_level.is_(None),
        Account.closed_at.is_(None),
    )
    query = select(Account).where(Account.id.in_(account_ids), *is_player)
    return (await session.scalars(query.order_by(func.lower(Account.username)).limit(limit))).all()


async def recent_opponents(session: AsyncSession, account_id: int, limit: int) -> Sequence[Account]:
    """Return the players whom an account has played against in its last games, the last one first."""
    last = [
        select(other.label("id"), Game.ended_at.label("at"))
        .where(own == account_id, other.is_not(None), Game.ended_at.is_not(None))
        .order_by(Game.ended_at.desc())
        .limit(_LAST_GAMES)
        .subquery()
        for own, other in _SEATS
    ]
    games = union_all(*(select(each) for each in last)).subquery()
    met = select(games.c.id, func.max(games.c.at).label("at")).group_by(games.c.id).subquery()
    query = select(Account).join(met, met.c.id == Account.id).where(Account.closed_at.is_(None))
    return (await session.scalars(query.order_by(met.c.at.desc()).limit(limit))).all()


@cache
def is_over() -> ColumnElement[bool]:
    """Return the condition that a game is over."""
    return Game.status != "started"


async def _histories(
    session: AsyncSession, account_id: int
) -> Mapping[str, list[tuple[datetime, float, float]]]:
    """Return the latest changes of an account's ratings by game, the earliest of them first."""
    histories = defaultdict(list)
    for game, at, before, after in await session.execute(*_changes(account_id)):
        histories[game].append((at, before, after))
    return histories


@made_once
def _changes(account_id: int) -> Select[Any]:
    changes = union_all(*(_of_game(account_id, game) for game in FOR_TWO)).subquery()
    return select(changes).order_by(changes.c.changed_at)


def _of_game(account_id: int, game: str) -> Select[str, datetime, float, float]:
    return (
        select(RatingChange.game, RatingChange.changed_at, RatingChange.before, RatingChange.after)
        .where(RatingChange.account_id == account_id, RatingChange.game == game)
        .order_by(RatingChange.changed_at.desc())
        .limit(_MOST_CHANGES)
    )
