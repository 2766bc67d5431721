"""Looking after the server in the browser: what the commands show, for administrators only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.core.database.session import Database
from app.core.database.unreadable import UnreadableRow
from app.core.i18n.text import Text
from app.core.settings import Settings
from app.people.identity.clients import Client
from app.people.identity.models import Account
from app.people.identity.service import Identity, check_administrator
from app.server.administration.allowed import named
from app.server.administration.settings import SettingShown, settings_shown
from app.server.operations.audit import AuditLine, last_lines
from app.server.operations.doctor import examine_database, examine_settings
from app.server.operations.figures import figures
from app.server.operations.findings import CheckFinding
from app.server.operations.models import FigureSample
from app.server.operations.status import Status, read_status
from app.site.accounts import service as accounts
from app.site.moderation import queries

_MOST_UNREADABLE = 100
_AUDIT_LINES = 50


@dataclass(frozen=True, slots=True)
class Overview:
    """The server at one moment, as an administrator sees it."""

    findings: Sequence[CheckFinding]
    status: Status
    unreadable: Sequence[UnreadableRow]
    holders: Sequence[Account]
    settings: Mapping[Text, Sequence[SettingShown]]
    audit: Sequence[AuditLine]
    figures: Sequence[FigureSample]


class Administration:
    """What administrators see and change."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings

    async def overview(self, identity: Identity) -> Overview:
        """Return the state of the server. Raise ForbiddenError."""
        check_administrator(identity)
        url = self._settings.own_database_url
        assert url is not None
        findings = await examine_settings(self._settings) + await examine_database(self._settings, url)
        status = await read_status(url, self._settings.valkey_url)
        async with self._database.reading_now() as session:
            return Overview(
                findings=findings,
                status=status,
                unreadable=await queries.unreadable(session, _MOST_UNREADABLE),
                holders=await accounts.with_rights(session),
                settings=settings_shown(self._settings),
                audit=await last_lines(session, _AUDIT_LINES),
                figures=await figures(session),
            )

    async def grant(self, identity: Identity, client: Client, username: str, right: str) -> None:
        """Grant a right to an account. Raise ForbiddenError, InvalidError, FieldError."""
        check_administrator(identity)
        await accounts.grant(self._database, username, right, named(client, identity), identity.id)

    async def revoke(self, identity: Identity, client: Client, username: str, right: str) -> None:
        """Take a right from an account. Raise ForbiddenError, InvalidError, FieldError, ConflictError."""
        check_administrator(identity)
        await accounts.revoke(self._database, username, right, named(client, identity), identity.id)
