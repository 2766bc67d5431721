"""Awarding achievements: for what has just ended, and all of them from the stored games."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, func, literal_column, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.statements import is_one_of
from app.core.realtime.bus import Bus
from app.people.identity.names import player
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify
from app.site.awards import queries
from app.site.awards.models import Award, AwardMark
from app.site.awards.queries import AwardCandidate, Window

_LAG = timedelta(seconds=30)  # transactions that began before have ended
HAS_NEWS = queries.has_news(_LAG)
"""Whether there is anything to judge."""
_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)

_Key = tuple[int, str]
_Rows = dict[_Key, dict[str, Any]]


class Awards:
    """The achievements of the players of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def of_player(self, username: str) -> Sequence[Award]:
        """Return the achievements of a player, the earliest first. Raise NotFoundError."""
        async with self._database.reading() as session:
            account = await player(session, username)
            return await queries.of_account(session, account.id) if account.closed_at is None else []

    async def award_new(self) -> None:
        """Judge what has ended since the last time, some games at once, and notify the players."""
        async with self._database.transaction() as session:
            since = await session.scalar(select(AwardMark.judged_until).with_for_update(skip_locked=True))
            if since is None:
                return
            window = Window(since, await session.scalar(select(func.now() - _LAG)) or since)
            window = Window(since, await queries.end_of_games(session, window))
            new = await _store_proved(session, window)
            lost = await queries.lost_proofs(session, window)
            if lost:  # some of their proofs do not count now
                await session.execute(delete(Award).where(is_one_of(Award.account_id, lost)))
                await _judge_all(session, Window(_BEGINNING, window.until, lost))
            news = (
                News(account_id, NewsKind.ACHIEVEMENT, achievement, account_id, {"achievement": achievement})
                for account_id, achievement in new
            )
            await notify(session, *news)
            await session.execute(update(AwardMark).values(judged_until=window.until))
        if new:
            self._bus.publish(InboxChanged(tuple({account_id for account_id, _achievement in new})))


async def recompute(database: Database) -> int:
    """Judge all stored games and entries again, and return the number of achievements. Nobody is notified."""
    async with database.transaction() as session:
        until = await session.scalar(select(AwardMark.judged_until).with_for_update())
        assert until is not None
        await session.execute(delete(Award))
        await _judge_all(session, Window(_BEGINNING, until))
        return await session.scalar(select(func.count()).select_from(Award)) or 0


async def _judge_all(session: AsyncSession, window: Window) -> None:
    """Store what the games and entries of a window prove, some games at once."""
    since = window.since
    while since < window.until:
        end = await queries.end_of_games(session, replace(window, since=since))
        part = replace(window, since=since, until=end)
        await _store_proved(session, part)
        since = end


def _judged(candidates: Iterable[AwardCandidate]) -> _Rows:
    """Return the earliest proof of each achievement of each account, as rows."""
    rows: _Rows = {}
    for candidate in sorted(candidates, key=lambda candidate: (candidate.at, candidate.place)):
        for achievement in candidate.judged():
            row = {
                "account_id": candidate.account_id,
                "achievement": achievement,
                "proof": candidate.place,
                "earned_at": candidate.at,
            }
            rows.setdefault((candidate.account_id, achievement), row)
    return rows


async def _store_proved(session: AsyncSession, window: Window) -> list[_Key]:
    """Store the achievements of a window, and return the new ones. Of two proofs the earlier one stays."""
    rows = await asyncio.to_thread(_judged, await queries.candidates(session, window))
    if not rows:
        return []
    statement = insert(Award)
    new = statement.excluded
    upserted = statement.on_conflict_do_update(
        index_elements=[Award.account_id, Award.achievement],
        set_={Award.proof: new.proof, Award.earned_at: new.earned_at},
        where=tuple_(new.earned_at, new.proof) < tuple_(Award.earned_at, Award.proof),
    )
    is_new: ColumnElement[bool] = literal_column("xmax = 0")
    stored = await session.execute(
        upserted.returning(Award.account_id, Award.achievement, is_new), list(rows.values())
    )
    return [(account_id, achievement) for account_id, achievement, was_added in stored if was_added]
