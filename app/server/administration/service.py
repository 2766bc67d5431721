"""Looking after the server and the site in the browser: what the commands show and do, for administrators."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from app.core.database.session import Database
from app.core.database.unreadable import UnreadableRow
from app.core.jobs.queue import Queue
from app.core.realtime.bus import Bus
from app.core.settings import Settings
from app.nugget.bounds.queries import Progress, progress
from app.nugget.bounds.service import WITHOUT_SCIPY
from app.nugget.witness.queries import WitnessingState, states
from app.people.identity import audit
from app.people.identity.clients import Client
from app.people.identity.models import Account
from app.people.identity.service import Identity, check_administrator
from app.people.mail.testing import MailTest, last_test
from app.server.operations.audit import AuditLine, last_lines
from app.server.operations.doctor import examine_database, examine_settings
from app.server.operations.findings import CheckFinding
from app.server.operations.history import figures, last_notes
from app.server.operations.models import BackupNote, FigureSample
from app.server.operations.schedules import ScheduleState, run_now, schedules
from app.server.operations.status import Status, read_status
from app.site.accounts import registration
from app.site.accounts import service as accounts
from app.site.accounts.models import Invitation
from app.site.accounts.registration import Registration
from app.site.announcements import service as announcements
from app.site.announcements.events import AnnouncementChanged
from app.site.announcements.models import Announcement
from app.site.moderation.queries import unreadable

_MOST_UNREADABLE = 100
_AUDIT_LINES = 50


@dataclass(frozen=True, slots=True)
class Overview:
    """The server at one moment, as an administrator sees it."""

    findings: Sequence[CheckFinding]
    status: Status
    unreadable: Sequence[UnreadableRow]
    holders: Sequence[Account]
    audit: Sequence[AuditLine]
    figures: Sequence[FigureSample]


@dataclass(frozen=True, slots=True)
class SiteState:
    """What is in force on the site: what is announced, who may register, and the reserved names."""

    announcement: Announcement | None
    registration: Registration
    invitations: Sequence[Invitation]
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class WorkState:
    """The schedules, the last backup and test of one, the last test of the mail, and who is witnessed.

    `bounds` says how far the proofs of lower bounds are; workers without SciPy `may_prove` none.
    """

    schedules: Sequence[ScheduleState]
    backups: Mapping[str, BackupNote]
    mail_test: MailTest | None
    has_mail: bool
    witnessed: Sequence[WitnessingState]
    bounds: Progress
    may_prove: bool


class Administration:
    """What administrators see and change. Each method raises ForbiddenError for others."""

    def __init__(self, database: Database, settings: Settings, queue: Queue, bus: Bus) -> None:
        self._database = database
        self.settings = settings
        self._queue = queue
        self._bus = bus

    async def overview(self, identity: Identity) -> Overview:
        """Return the state of the server."""
        check_administrator(identity)
        url = self.settings.own_database_url
        assert url is not None
        findings = await examine_settings(self.settings) + await examine_database(self.settings, url)
        status = await read_status(url, self.settings.valkey_url)
        async with self._database.reading_now() as session:
            return Overview(
                findings=findings,
                status=status,
                unreadable=await unreadable(session, _MOST_UNREADABLE),
                holders=await accounts.with_rights(session),
                audit=await last_lines(session, _AUDIT_LINES),
                figures=await figures(session),
            )

    async def grant(self, identity: Identity, client: Client, username: str, right: str) -> None:
        """Grant a right to an account. Raise InvalidError, FieldError."""
        await accounts.grant(self._database, username, right, _named(client, identity), identity.id)

    async def revoke(self, identity: Identity, client: Client, username: str, right: str) -> None:
        """Take a right from an account. Raise InvalidError, FieldError, ConflictError."""
        await accounts.revoke(self._database, username, right, _named(client, identity), identity.id)

    async def site(self, identity: Identity) -> SiteState:
        """Return what is in force on the site."""
        check_administrator(identity)
        async with self._database.reading_now() as session:
            return SiteState(
                announcement=await announcements.current(session),
                registration=await registration.mode(session),
                invitations=await registration.open_invitations(session),
                names=await registration.reserved(session),
            )

    async def announce(
        self, identity: Identity, client: Client, texts: Mapping[str, str], ends_at: datetime
    ) -> None:
        """Announce a text by language until a moment. Raise FieldError."""
        await announcements.announce(self._database, texts, ends_at, _named(client, identity))
        self._bus.publish(AnnouncementChanged())

    async def withdraw(self, identity: Identity, client: Client, seen: str | None) -> None:
        """Take back what is announced. Raise StaleError if that is another text than was seen."""
        await announcements.withdraw(self._database, _named(client, identity), seen)
        self._bus.publish(AnnouncementChanged())

    async def give(
        self, identity: Identity, client: Client, command: Callable[..., Awaitable[object]], *arguments: Any
    ) -> None:
        """Call a command with the database, its arguments and the sender. Raise what it raises."""
        await command(self._database, *arguments, _named(client, identity))

    async def work(self, identity: Identity) -> WorkState:
        """Return what the server does by itself."""
        check_administrator(identity)
        all_schedules = await schedules(self._database, self.settings)
        may_prove = await self._queue.result(WITHOUT_SCIPY) is None
        async with self._database.reading_now() as session:
            return WorkState(
                schedules=all_schedules,
                backups=await last_notes(session),
                mail_test=await last_test(session, identity.id),
                has_mail=self.settings.has_mail,
                witnessed=await states(session),
                bounds=await progress(session),
                may_prove=may_prove,
            )

    async def run_schedule(self, identity: Identity, client: Client, name: str) -> None:
        """Run a schedule now. Raise ConflictError."""
        await run_now(self._database, self.settings, name, _named(client, identity))


def _named(client: Client, identity: Identity) -> Client:
    """Return the sender of a request under the name of the administrator, for the audit log.

    Raise ForbiddenError unless the account is an administrator's.
    """
    check_administrator(identity)
    return replace(client, browser=f"{audit.BY_ADMINISTRATOR}{identity.username}")
