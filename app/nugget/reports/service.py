"""Final reports of competitions: the winner's boards, all records, and the methods of the players."""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, ScalarSelect, delete, func, select, true, tuple_
from sqlalchemy.dialects.postgresql import insert

from app.core import json
from app.core.database.rank_order import RankedPage, RankOrder
from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError
from app.core.errors import ConflictError, ForbiddenError
from app.core.i18n.text import _
from app.core.ids import new_id
from app.core.web.shown import Hidden, Id, Text, Username
from app.nugget.competitions import Competitions, CompetitionShown
from app.nugget.contents import first_readable, plays_of
from app.nugget.models import Entry
from app.nugget.rankings import Rankings
from app.nugget.reports.models import Method
from app.nugget.standings import of_competition
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_NAME, is_ranked
from app.people.identity.sanctions import check_not_muted
from engine.golden_nugget.play import Play

_PART = 100  # records that are read at a time
_METHODS = select(Method.id, Method.account_id, Account.username, Method.text, Method.updated_at).join(
    Account, Account.id == Method.account_id
)
_FIRST_TO_WRITE = RankOrder(Method.updated_at, Method.id, ties=2)


@dataclass(frozen=True, slots=True)
class MethodShown:
    """A player's description of the method."""

    id: Id
    account_id: Hidden[int]
    username: Username
    text: Text
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Winner:
    """The first entry of a competition's ranking: its player, None for a closed account, and its boards."""

    entry_id: str
    username: str | None
    boards: Sequence[Play]


class Reports:
    """The final reports of the competitions that are over."""

    def __init__(self, database: Database, competitions: Competitions, rankings: Rankings) -> None:
        self._database = database
        self._competitions = competitions
        self._rankings = rankings

    async def winner(self, competition: CompetitionShown) -> Winner | None:
        """Return the winner of a competition that is over; None without one, or if its moves are secret."""
        if not competition.is_over:
            return None
        first = (await self._rankings.page(of_competition(competition.id), "", 1)).rows
        with suppress(UnreadableError):
            if (found := await first_readable(self._database, first)) is not None:
                winner, record = found
                return Winner(winner.entry_id, winner.username, await plays_of(winner.entry_id, record))
        return None

    async def methods(
        self, competition: CompetitionShown, cursor: str, limit: int
    ) -> RankedPage[MethodShown]:
        """Return a page of the methods of a competition's players, the first to write first.

        Raise ConflictError `competition_not_over`, InvalidError `bad_cursor`.
        """
        _check_is_over(competition)
        described = _METHODS.where(
            Method.competition_id == competition.id,
            Method.text != "",
            Account.closed_at.is_(None),
            _takes_part(competition.id, Method.account_id),
        )
        async with self._database.reading_now() as session:
            rows = await session.execute(_FIRST_TO_WRITE.select_page(described, cursor, limit))
        shown = [MethodShown(*row) for row in rows]
        return _FIRST_TO_WRITE.page(shown, limit, lambda method: (method.updated_at, method.id))

    async def own_method(self, competition_id: str, account_id: int) -> str | None:
        """Return how an account describes its method, "" if it does not; None if it has no entry there."""
        own = select(Method.text).where(
            Method.competition_id == competition_id, Method.account_id == account_id
        )
        described = select(func.coalesce(own.scalar_subquery(), ""))
        async with self._database.reading_now() as session:
            text: str | None = await session.scalar(described.where(_takes_part(competition_id, account_id)))
        return text

    async def describe(self, competition_id: str, account_id: int, text: str) -> None:
        """Store how an account found what it entered; an empty text removes it.

        Raise NotFoundError, ConflictError `competition_not_over`, ForbiddenError for an account without an
        entry in the competition, or if muted.
        """
        _check_is_over(await self._competitions.get(competition_id))
        async with self._database.transaction() as session:
            if not await session.scalar(select(_takes_part(competition_id, account_id))):
                raise ForbiddenError(
                    "no_entry", _("Only players with an entry in this competition can describe their method.")
                )
            if not text:
                await session.execute(
                    delete(Method).where(
                        Method.competition_id == competition_id, Method.account_id == account_id
                    )
                )
                return
            await check_not_muted(session, account_id)
            written = insert(Method).values(
                id=new_id(), competition_id=competition_id, account_id=account_id, text=text
            )
            await session.execute(
                written.on_conflict_do_update(
                    index_elements=["competition_id", "account_id"],
                    set_={"text": text, "updated_at": func.now()},
                    where=Method.text != text,
                )
            )

    async def records(self, competition_id: str) -> AsyncIterator[bytes]:
        """Return the open records of a competition as JSON lines, in parts, the first to submit first.

        Raise NotFoundError, ConflictError `competition_not_over`.
        """
        _check_is_over(await self._competitions.get(competition_id))
        return self._records(competition_id)

    async def _records(self, competition_id: str) -> AsyncIterator[bytes]:
        """Yield the records in parts; no connection is kept while a reader is slow."""
        order = (Entry.submitted_at, Entry.id)
        query = (
            select(Entry.id, Entry.submitted_at, Entry.record_sha256, Entry.record, SHOWN_NAME.label("name"))
            .join(Account, Account.id == Entry.account_id)
            .where(
                Entry.competition_id == competition_id,
                Entry.withdrawn_at.is_(None),
                Entry.is_readable,
                is_ranked(Entry.account_id),
            )
            .order_by(*order)
            .limit(_PART)
        )
        following = query
        while True:
            async with self._database.reading_now() as session:
                rows = (await session.execute(following)).all()
            if not rows:
                return
            yield b"".join(map(_line, rows))
            following = query.where(tuple_(*order) > (rows[-1].submitted_at, rows[-1].id))


def _check_is_over(competition: CompetitionShown) -> None:
    if not competition.is_over:
        raise ConflictError(
            "competition_not_over", _("The final report follows when the competition is over.")
        )


def _takes_part(competition_id: str, account_id: Any) -> ScalarSelect[bool]:
    """Return SQL that is true if an account has an entry in a competition.

    It is a value: for EXISTS the planner expects a few methods, and reads and sorts all for one page of them.
    """
    own = select(true()).where(
        Entry.competition_id == competition_id,
        Entry.account_id == account_id,
        Entry.withdrawn_at.is_(None),
    )
    return own.limit(1).scalar_subquery()


def _line(row: Row[*tuple[Any, ...]]) -> bytes:
    return (
        json.encode(
            {
                "entry_id": row.id,
                "username": row.name,
                "submitted_at": row.submitted_at.isoformat(),
                "record_sha256": row.record_sha256,
                "record": row.record,
            }
        )
        + b"\n"
    )
