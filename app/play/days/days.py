"""Boards of the day: drawn by lot, announced the day before, and tried at from 00:00 UTC on."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Generic, TypeVar

from cachetools import LRUCache
from sqlalchemy import ColumnElement, Select, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.rank_order import RankedPage, RankOrder
from app.core.database.ranking import Ranking
from app.core.database.session import Database
from app.core.errors import ConflictError, NotFoundError
from app.core.i18n.text import Text, _, joined
from app.core.moments import utc_now
from app.core.web.paths import register_pattern
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_COUNTRY, SHOWN_NAME, is_listed
from app.play.days.models import DayTried, DrawnDay
from engine.lottery import SEED_BYTES, commitment

A_DAY = timedelta(days=1)
_LONGEST_STREAK = 1_000  # days that are looked at
_MONTH = 31  # days of the calendar
_KEPT = 32  # rankings
_MOST_UNSOLVED = 2  # days that workers are asked for at a time

DayT = TypeVar("DayT", bound=DrawnDay)
RowT = TypeVar("RowT")


register_pattern("day", "[0-9]{4}-[0-9]{2}-[0-9]{2}")


def day_of(text: str) -> date:
    """Return the day that an address names, such as 2026-11-27. Raise NotFoundError if there is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NotFoundError("day") from None


def today() -> date:
    """Return the day, in UTC."""
    return utc_now().date()


def check_is_today(day: date) -> None:
    """Raise ConflictError `day_over` if a command is for the board of another day."""
    if day != today():
        raise ConflictError("day_over", _("This day is over. Reload the page for the board of today."))


def already_tried() -> ConflictError:
    """Return the refusal of a second try at a board."""
    return ConflictError(
        "already_tried", _("You have handed in your try at this board. You can go on for fun.")
    )


def line_to_share(result: Text, streak: int, address: str) -> str:
    """Return a line to share, which gives nothing away."""
    said = [result, _("%(count)s days in a row.", count=streak)] if streak > 1 else [result]
    return f"{joined(*said).translated()} {address}"


@dataclass(frozen=True, slots=True)
class Lot:
    """The lot of a day: the SHA-256 of its seed, and once it is over the seed and the computer's solution."""

    day: date
    seed_commitment: str
    seed: str | None
    best: Sequence[str] | None
    announced_at: datetime

    @classmethod
    def of(cls, stored: DrawnDay) -> "Lot":
        """Return what may be told of a day now."""
        is_over = stored.day < today()
        return cls(
            stored.day,
            commitment(stored.seed),
            stored.seed.hex() if is_over else None,
            stored.best.split() if is_over and stored.best else None,
            stored.announced_at,
        )

    @property
    def is_over(self) -> bool:
        """Return whether the day is over."""
        return self.seed is not None

    @property
    def ends_at(self) -> datetime:
        """Return the midnight with which the day ends."""
        return datetime.combine(self.day + timedelta(days=1), time(), UTC)


@dataclass(frozen=True, slots=True)
class PastDay:
    """A day of the calendar: the best figure of anybody, and that of the viewer."""

    day: date
    best: int | None
    mine: int | None


@dataclass(frozen=True, slots=True)
class PastDays:
    """Days of the calendar, the latest first; before the day `earlier` there are more, unless it is None."""

    days: Sequence[PastDay]
    earlier: date | None


@dataclass(frozen=True)
class Days(Generic[DayT, RowT]):
    """The days of one game, and the tries at their boards.

    `order` is that of the rankings, of which `read` makes the rows. `game` has the columns that tell the game
    from others in the same tables, with their values.
    """

    database: Database
    drawn: type[DayT]
    tries: type[DayTried]
    order: RankOrder
    read: Callable[[int, Any], RowT]
    game: Mapping[str, str] = field(default_factory=dict)
    _rankings: LRUCache[date, Ranking[RowT]] = field(default_factory=lambda: LRUCache(_KEPT), init=False)

    async def get(self, day: date) -> DayT:
        """Return a day that has begun. Raise NotFoundError."""
        async with self.database.reading_now() as session:
            stored = await session.scalar(self._days(self.drawn.day == day)) if day <= today() else None
        if stored is None and day == today():
            await self.make()  # the first one of the site
            return await self.get(day)
        if stored is None:
            raise NotFoundError("day")
        return stored

    async def next_commitment(self) -> str | None:
        """Return the SHA-256 of tomorrow's seed, None while it has not been announced."""
        async with self.database.reading_now() as session:
            stored = await session.scalar(self._days(self.drawn.day == today() + A_DAY))
        return commitment(stored.seed) if stored else None

    async def make(self) -> None:
        """Draw the seeds of today and tomorrow, unless that has been done."""
        rows = [
            {**self.game, "day": today() + ahead * A_DAY, "seed": secrets.token_bytes(SEED_BYTES)}
            for ahead in (0, 1)
        ]
        async with self.database.transaction() as session:
            await session.execute(insert(self.drawn).values(rows).on_conflict_do_nothing())

    async def unsolved(self) -> Sequence[DayT]:
        """Return the latest days that have begun and that the computer has not solved."""
        unsolved = self._days(self.drawn.best.is_(None), self.drawn.day <= today())
        async with self.database.reading_now() as session:
            latest = unsolved.order_by(self.drawn.day.desc()).limit(_MOST_UNSOLVED)
            return (await session.scalars(latest)).all()

    async def keep_best(self, day: date, moves: Sequence[str]) -> None:
        """Store the computer's solution of a day."""
        row = update(self.drawn).where(*self._is_of_game(self.drawn), self.drawn.day == day)
        async with self.database.transaction() as session:
            await session.execute(row.values(best=" ".join(moves)))

    async def ranking(self, day: date, cursor: str, limit: int) -> RankedPage[RowT]:
        """Return a page of the ranking of a day. Raise InvalidError `bad_cursor`."""
        async with self.database.reading_now() as session:
            return await self.ranking_of(day).page(session, cursor, limit)

    async def rank_of(self, session: AsyncSession, tried: DayTried) -> int | None:
        """Return the rank that a try has now, None before it was handed in."""
        if tried.found_at is None:
            return None
        key = [getattr(tried, str(column.key)) for column in self.order.expressions]
        return await self.ranking_of(tried.day).rank_of(session, key)

    async def streak(self, account_id: int, day: date) -> int:
        """Return on how many days in a row up to a day an account has handed in.

        As long as it has not handed in today, those up to yesterday count.
        """
        days = (
            self._tries(self.tries.day)
            .where(self.tries.account_id == account_id, self.tries.day <= day)
            .order_by(self.tries.day.desc())
            .limit(_LONGEST_STREAK)
        )
        async with self.database.reading_now() as session:
            done = (await session.scalars(days)).all()
        last = day - A_DAY if day == today() and done[:1] != [day] else day
        return sum(day == last - number * A_DAY for number, day in enumerate(done))

    async def calendar(self, before: date, account_id: int | None) -> PastDays:
        """Return the month of days before one that are over, with an account's results."""
        of_day = self.tries.day == self.drawn.day
        figure = self.order.expressions[0]
        # The first of the ranking, by its index: the best of all tries would read them all.
        best = (
            self._tries(figure)
            .where(of_day, figure.is_not(None), is_listed(self.tries.account_id))
            .order_by(*self.order.clauses)
            .limit(1)
        )
        mine = self._tries(figure).where(of_day, self.tries.account_id == account_id)
        days = (
            select(self.drawn.day, best.scalar_subquery(), mine.scalar_subquery())
            .where(*self._is_of_game(self.drawn), self.drawn.day < min(before, today()))
            .order_by(self.drawn.day.desc())
            .limit(_MONTH + 1)
        )
        async with self.database.reading_now() as session:
            past = [PastDay(*row) for row in await session.execute(days)]
        return PastDays(past[:_MONTH], past[_MONTH - 1].day if len(past) > _MONTH else None)

    def ranking_of(self, day: date) -> Ranking[RowT]:
        """Return the ranking of a day."""
        if day not in self._rankings:
            self._rankings[day] = self._ranking(day)
        return self._rankings[day]

    def _ranking(self, day: date) -> Ranking[RowT]:
        account = self.tries.account_id
        rows = select(account, SHOWN_NAME, SHOWN_COUNTRY).join(Account, Account.id == account)
        # What was handed in has both; the indexes of some tables are for the one, of others for the other.
        is_handed_in = (self.tries.found_at.is_not(None), self.order.expressions[0].is_not(None))
        members = (*self._is_of_game(self.tries), self.tries.day == day, *is_handed_in)
        name = ":".join([self.tries.__tablename__, *self.game.values(), day.isoformat()])
        return Ranking(self.order, rows, members, account, is_listed, self.read, name)

    def _days(self, *conditions: ColumnElement[bool]) -> Select[DayT]:
        return select(self.drawn).where(*self._is_of_game(self.drawn), *conditions)

    def _tries(self, column: Any) -> Select[Any]:
        """Return the query for a column of what was handed in."""
        return (
            select(column)
            .select_from(self.tries)
            .where(*self._is_of_game(self.tries), self.tries.found_at.is_not(None))
        )

    def _is_of_game(self, table: Any) -> list[ColumnElement[bool]]:
        return [getattr(table, name) == value for name, value in self.game.items()]
