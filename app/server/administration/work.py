"""What the server does by itself, for administrators: schedules, backups, mail, and being a witness."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.core.database.session import Database
from app.core.jobs.queue import Queue
from app.core.settings import Settings
from app.nugget.bounds.queries import Progress, progress
from app.nugget.bounds.service import WITHOUT_SCIPY
from app.nugget.witness.queries import WitnessingState, states
from app.people.identity.clients import Client
from app.people.identity.service import Identity, check_administrator
from app.people.mail.testing import MailTest, last_test, send_test
from app.server.administration.allowed import named
from app.server.operations.backup_notes import last_notes
from app.server.operations.models import BackupNote
from app.server.operations.schedules import ScheduleState, run_now, schedules


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


class WorkAdministration:
    """What administrators see and begin. Each method raises ForbiddenError for others."""

    def __init__(self, database: Database, settings: Settings, queue: Queue) -> None:
        self._database = database
        self._settings = settings
        self._queue = queue

    async def state(self, identity: Identity) -> WorkState:
        """Return what the server does."""
        check_administrator(identity)
        all_schedules = await schedules(self._database, self._settings)
        may_prove = await self._queue.result(WITHOUT_SCIPY) is None
        async with self._database.reading_now() as session:
            return WorkState(
                schedules=all_schedules,
                backups=await last_notes(session),
                mail_test=await last_test(session, identity.id),
                has_mail=self._settings.has_mail,
                witnessed=await states(session),
                bounds=await progress(session),
                may_prove=may_prove,
            )

    async def run(self, identity: Identity, client: Client, name: str) -> None:
        """Run a schedule now. Raise ConflictError."""
        check_administrator(identity)
        await run_now(self._database, self._settings, name, named(client, identity))

    async def test_mail(self, identity: Identity, client: Client) -> None:
        """Send a mail to the administrator's own address. Raise ConflictError."""
        check_administrator(identity)
        await send_test(self._database, identity.id, named(client, identity))
