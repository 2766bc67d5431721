"""Exports of a person's data, and erasing what was asked for."""

import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

import structlog
from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.base import personal_tables, rows_of, table
from app.core.database.deleting import delete_in_parts
from app.core.database.personal import KEEP
from app.core.database.session import Database
from app.core.errors import ConflictError, NotFoundError, RetryLaterError
from app.core.events import Event
from app.core.i18n.text import _, ngettext
from app.core.ids import new_id
from app.core.keep_going import keep_going
from app.core.realtime.bus import Bus
from app.learn.studies.queries import pass_on_shared_boards
from app.nugget import ledger
from app.people.identity import names
from app.people.identity.events import PlayersChanged
from app.people.identity.locking import lock_account
from app.people.identity.models import Account, Erasure
from app.people.identity.service import Identity
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify
from app.play.games.service import Games
from app.site.moderation import places
from app.site.privacy import writing
from app.site.privacy.events import ExportReady
from app.site.privacy.models import Export, ExportPart

log = structlog.get_logger()

KEPT_FOR = timedelta(days=7)
"""How long an export is kept."""

_MOST_KEPT = 3  # exports of one account
_GIVEN_UP = timedelta(minutes=15)  # by a process that died
_AT_ONCE = 50  # erasures

_WAITING = select(Export.id).where(
    Export.done_at.is_(None), or_(Export.begun_at.is_(None), Export.begun_at < func.now() - _GIVEN_UP)
)
HAS_WAITING = _WAITING.exists()
"""Whether there are exports to write."""

_ERASURES_DUE = select(Erasure.account_id).where(Erasure.done_at.is_(None), Erasure.due_at <= func.now())

CLOSED_PREFIX = "closed-"
"""How the usernames of erased accounts begin."""

_NO_PASSWORD = "erased"  # noqa: S105 - a hash that no password has


class OvertakenError(Exception):
    """Another process writes the export now: this one took too long for a part."""


@dataclass(slots=True)
class _Claim:
    """An export that this process writes until _GIVEN_UP after `begun_at`, which each part renews."""

    export_id: str
    account_id: int
    begun_at: datetime

    async def renew(self, session: AsyncSession) -> None:
        """Keep the claim. Raise OvertakenError if another process has claimed the export."""
        is_ours = Export.id == self.export_id, Export.begun_at == self.begun_at, Export.done_at.is_(None)
        renewed = update(Export).where(*is_ours).values(begun_at=func.now()).returning(Export.begun_at)
        begun_at = await session.scalar(renewed)
        if begun_at is None:
            raise OvertakenError
        self.begun_at = begun_at


class Privacy:
    """The data of persons."""

    def __init__(self, database: Database, bus: Bus, games: Games) -> None:
        self._database = database
        self._bus = bus
        self._games = games

    async def ask(self, identity: Identity) -> str:
        """Ask for an export, and return its id; one that is being written counts.

        Raise ConflictError `too_many_exports`.
        """
        async with self._database.transaction() as session:
            await lock_account(session, identity.id)
            kept = list(await session.scalars(select(Export).where(Export.account_id == identity.id)))
            waiting = next((export.id for export in kept if export.done_at is None), None)
            if waiting is not None:
                return waiting
            if len(kept) >= _MOST_KEPT:
                raise ConflictError(
                    "too_many_exports",
                    ngettext(
                        "You have %(count)s export already. Ask again when it has been deleted.",
                        "You have %(count)s exports already. Ask again when one has been deleted.",
                        len(kept),
                    ),
                )
            export = Export(id=new_id(), account_id=identity.id)
            session.add(export)
            return export.id

    async def exports(self, identity: Identity) -> Sequence[Export]:
        """Return the exports of an account, the latest first."""
        mine = select(Export).where(Export.account_id == identity.id)
        async with self._database.reading_now() as session:
            return list(await session.scalars(mine.order_by(Export.asked_at.desc())))

    async def export(self, identity: Identity, export_id: str) -> Export:
        """Return a finished export of an account. Raise NotFoundError, RetryLaterError `not_ready`."""
        async with self._database.reading_now() as session:
            export = await session.get(Export, export_id)
        if export is None or export.account_id != identity.id:
            raise NotFoundError("export")
        if export.done_at is None:
            raise RetryLaterError(
                "not_ready", 409, _("This export is being written. Come back in a moment."), seconds=5
            )
        return export

    async def content(self, export: Export) -> AsyncIterator[bytes]:
        """Yield the ZIP file of an export in parts."""
        for number in count():
            is_part = ExportPart.export_id == export.id, ExportPart.number == number
            async with self._database.reading_now() as session:
                data = await session.scalar(select(ExportPart.data).where(*is_part))
            if data is None:
                return
            yield data

    async def write_exports(self) -> None:
        """Write the exports that wait."""
        while (claim := await self._claim()) is not None:
            with keep_going("export_failed", account=claim.account_id), suppress(OvertakenError):
                await self._write(claim)

    async def _claim(self) -> _Claim | None:
        waiting = _WAITING.order_by(Export.asked_at).limit(1).with_for_update(skip_locked=True)
        async with self._database.transaction() as session:
            claimed = await session.execute(
                update(Export)
                .where(Export.id == waiting.scalar_subquery())
                .values(begun_at=func.now())
                .returning(Export.id, Export.account_id, Export.begun_at)
            )
            row = claimed.one_or_none()
            if row is None:
                return None
            await session.execute(delete(ExportPart).where(ExportPart.export_id == row.id))
            return _Claim(row.id, row.account_id, row.begun_at)

    async def _write(self, claim: _Claim) -> None:
        number = size = 0

        async def keep(data: bytes) -> None:
            nonlocal number, size
            async with self._database.transaction() as session:
                await claim.renew(session)
                session.add(ExportPart(export_id=claim.export_id, number=number, data=data))
            number, size = number + 1, size + len(data)

        export_id, account_id = claim.export_id, claim.account_id
        await writing.write(self._database, self._games, account_id, keep)
        async with self._database.transaction() as session:
            await claim.renew(session)
            await session.execute(
                update(Export).where(Export.id == export_id).values(done_at=func.now(), size=size)
            )
            await notify(session, News(account_id, NewsKind.EXPORT_READY, export_id, None))
        self._bus.publish(ExportReady(account_id, export_id))
        self._bus.publish(InboxChanged((account_id,)))

    async def delete_old_exports(self) -> None:
        """Delete the exports older than KEPT_FOR."""
        await delete_in_parts(self._database, Export, Export.asked_at < func.now() - KEPT_FOR)

    async def erase_due(self) -> None:
        """Erase the accounts whose time to come back is over."""
        async with self._database.reading_now() as session:
            account_ids = list(await session.scalars(_ERASURES_DUE.order_by(func.random()).limit(_AT_ONCE)))
        for account_id in account_ids:
            with keep_going("erasure_failed", account=account_id):
                await self._erase(account_id)

    async def _erase(self, account_id: int) -> None:
        async with self._database.transaction() as session:
            await lock_account(session, account_id)
            if await session.scalar(_ERASURES_DUE.where(Erasure.account_id == account_id)) is None:
                return
            events = await erase(session, account_id)
        log.info("account_erased", account=account_id)
        self._bus.publish(*events)


async def erase(session: AsyncSession, account_id: int) -> Sequence[Event]:
    """Remove the name, the texts and the private data of a locked account.

    Its games and entries stay, and boards that are shared with somebody who has not been erased. Return the
    events for after the commit.
    """
    account = await session.get_one(Account, account_id)
    await session.execute(update(Erasure).where(Erasure.account_id == account_id).values(done_at=func.now()))
    await names.retire(session, account.username, account_id)
    await ledger.lock(session)
    await ledger.erase_names(session, account_id)
    account.username = f"{CLOSED_PREFIX}{secrets.token_hex(5)}"
    account.password_hash = _NO_PASSWORD
    account.preferences, account.rights = {}, []
    await session.flush()
    await pass_on_shared_boards(session, account_id)
    events = await places.remove_all(session, account_id)
    for name, personal in personal_tables().items():
        mine = rows_of(account_id, name, personal.owners)
        if personal.erased is None:
            await session.execute(delete(table(name)).where(mine))
        elif personal.erased is not KEEP:
            await session.execute(update(table(name)).where(mine).values(**personal.erased))
    return [*events, PlayersChanged((account_id,))]
