"""What protects an account: e-mail address, password, passkeys, second factor; confirming who is there."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database, reads_now
from app.core.errors import ConflictError, FieldError, ThrottledError, TooManyMailsError
from app.core.i18n.text import _
from app.core.realtime.bus import Bus
from app.core.settings import Settings
from app.core.web.throttle import Limit, Throttle
from app.people.identity import audit
from app.people.identity.audit import Action, Change
from app.people.identity.clients import Client
from app.people.identity.locking import lock_account
from app.people.identity.models import Account, SecurityEvent
from app.people.identity.passwords import NO_PASSWORD, Line
from app.people.identity.service import Identity, check_registered, confirm
from app.people.inbox.events import InboxChanged
from app.people.mail import links, mailboxes, notices, undoing
from app.people.mail import service as mail
from app.people.mail.links import BadLinkError, Purpose
from app.site.accounts import credentials, keys, passkeys, second_factor
from app.site.accounts.keys import Keys
from app.site.accounts.models import Passkey
from app.site.accounts.second_factor import Setup
from app.site.moderation.queries import closing

_EVENTS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Protection:
    """What protects an account besides its password, the keys to it, and what happened, the newest first."""

    passkeys: list[Passkey]
    has_second_factor: bool
    recovery_codes: int
    keys: Keys
    events: list[SecurityEvent]


class _UnchangedError(Exception):
    """What was to be changed is so already."""


class Security:
    """Changes what protects accounts. Pages call it for owners who have confirmed that it is them."""

    def __init__(self, database: Database, bus: Bus, throttle: Throttle, settings: Settings) -> None:
        self._database = database
        self._bus = bus
        self._throttle = throttle
        self._has_mail = settings.has_mail

    second_factor_setup = reads_now(second_factor.setup_of)
    count_recovery_codes = reads_now(second_factor.count_recovery_codes)
    keys_of = reads_now(keys.keys_of)

    @asynccontextmanager
    async def _changing(
        self, identity: Identity, change: Change, client: Client, detail: str = ""
    ) -> AsyncIterator[AsyncSession]:
        """Make a change by the owner of an account in a transaction, and tell the owner.

        Raise UnauthenticatedError if the identity was revoked meanwhile. If the block raises _UnchangedError,
        there was nothing to change, and nobody is told.
        """
        with suppress(_UnchangedError):
            async with self._database.transaction() as session:
                await credentials.lock_owner(session, identity)
                await notices.record(session, change, identity.id, client, detail)
                yield session
            self._bus.publish(InboxChanged((identity.id,)))

    async def protection(self, identity: Identity) -> Protection:
        """Return what protects an account, as its owner sees it."""
        async with self._database.reading_now() as session:
            return Protection(
                await passkeys.of_account(session, identity.id),
                await second_factor.is_on(session, identity.id),
                await second_factor.count_recovery_codes(session, identity.id),
                await keys.keys_of(session, identity),
                [event for event, _name in await audit.last_events(session, _EVENTS_SHOWN, identity.id)],
            )

    async def check_password(
        self, identity: Identity, password: str, client: Client, field: str = "password"
    ) -> credentials.Proven:
        """Return the account, whose owner gives the password in a field of a form.

        Raise FieldError `wrong_password`, NeedsAccountError `guest`, ThrottledError, OverloadedError.
        """
        check_registered(identity, _("A guest has no password. Register first."), code="guest")
        await self._throttle.hit(Limit.CONFIRM, f"account:{identity.id}")
        try:
            async with credentials.auditing(self._database, Action.CONFIRMATION_FAILED, client):
                return await credentials.authenticate_again(self._database, identity.id, password)
        except credentials.WrongCredentialsError:
            raise FieldError(field, "wrong_password", _("Your password is incorrect.")) from None

    async def confirm_by_password(self, identity: Identity, password: str, client: Client) -> None:
        """Confirm for some minutes that the owner is there. Raise what `check_password` raises."""
        proven = await self.check_password(identity, password, client)
        async with self._database.transaction() as session:
            await credentials.lock(session, proven)
            await confirm(session, identity)

    async def confirm_by_passkey(self, identity: Identity, answer: str, site_url: str) -> None:
        """Confirm for some minutes that the owner is there. Raise PasskeyError, ThrottledError."""
        await self._throttle.hit(Limit.CONFIRM, f"account:{identity.id}")
        credential = passkeys.parse_answer(answer)
        async with self._database.transaction() as session:
            challenge = await passkeys.take_challenge(session, credential, identity.id)
        async with self._database.transaction() as session:
            await lock_account(session, identity.id)
            await passkeys.check(session, identity.id, credential, challenge, site_url)
            await confirm(session, identity)

    async def passkey_options(self, identity: Identity, site_url: str) -> str:
        """Return as JSON what a browser needs to ask for a passkey of the account. Raise ThrottledError."""
        await self._throttle.hit(Limit.PASSKEY, f"account:{identity.id}")
        async with self._database.transaction() as session:
            return await passkeys.options_of_answer(session, identity.id, site_url)

    async def new_passkey_options(self, identity: Identity, site_url: str) -> str:
        """Return as JSON what a browser needs to make a passkey for the account. Raise ThrottledError."""
        await self._throttle.hit(Limit.PASSKEY, f"account:{identity.id}")
        async with self._database.transaction() as session:
            return await passkeys.options_of_new(session, identity, site_url)

    async def add_passkey(
        self, identity: Identity, name: str, made: str, client: Client, site_url: str
    ) -> None:
        """Store a passkey that a browser made. Raise PasskeyError, ConflictError `too_many_passkeys`."""
        credential = passkeys.parse_new(made)
        async with self._database.transaction() as session:
            challenge = await passkeys.take_challenge(session, credential, identity.id)
        async with self._changing(identity, Change.PASSKEY_ADDED, client, name) as session:
            await passkeys.add(session, identity.id, name, credential, challenge, site_url)

    async def remove_passkey(self, identity: Identity, handle: str, client: Client) -> None:
        """Delete a passkey. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            passkey = await passkeys.find(session, identity.id, handle)
        async with self._changing(identity, Change.PASSKEY_REVOKED, client, passkey.name) as session:
            await passkeys.remove(session, passkey)

    async def begin_second_factor(self, identity: Identity) -> Setup:
        """Return a secret, in effect after its first code. Raise ConflictError `has_second_factor`."""
        async with self._database.transaction() as session:
            await credentials.lock_owner(session, identity)
            return await second_factor.begin(session, identity)

    async def add_second_factor(self, identity: Identity, code: str, client: Client) -> list[str]:
        """Put the second factor into effect, and return recovery codes if the account has none yet.

        Raise FieldError `wrong_code`, ThrottledError.
        """
        await self._throttle.hit(Limit.CONFIRM, f"account:{identity.id}")
        async with self._changing(identity, Change.SECOND_FACTOR_ADDED, client) as session:
            if not await second_factor.confirm(session, identity.id, code):
                raise FieldError(
                    "code", "wrong_code", _("This code is wrong. Enter the one that the app shows now.")
                )
            has_codes = await second_factor.count_recovery_codes(session, identity.id) > 0
            return [] if has_codes else await second_factor.make_recovery_codes(session, identity.id)

    async def remove_second_factor(self, identity: Identity, client: Client) -> None:
        """Remove the second factor, if there is one: the password is enough from then on."""
        async with self._changing(identity, Change.SECOND_FACTOR_REMOVED, client) as session:
            if not await second_factor.remove(session, identity.id):
                raise _UnchangedError

    async def new_recovery_codes(self, identity: Identity, client: Client) -> list[str]:
        """Return new recovery codes, which replace those that the account had."""
        async with self._changing(identity, Change.RECOVERY_CODES_MADE, client) as session:
            return await second_factor.make_recovery_codes(session, identity.id)

    async def create_token(
        self,
        identity: Identity,
        client: Client,
        *,
        name: str,
        scopes: Iterable[str],
        lifetime: timedelta | None,
    ) -> str:
        """Return a new API token; without a lifetime it never expires.

        Raise ConflictError `too_many_tokens`, and UnauthenticatedError if the identity was revoked meanwhile.
        """
        async with self._changing(identity, Change.TOKEN_CREATED, client, name) as session:
            return await keys.new_token(session, identity.id, name, scopes, lifetime)

    async def revoke(self, identity: Identity, handle: str, client: Client) -> None:
        """Log a browser out or revoke an API token; its connections close. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            key = await keys.find(session, identity.id, handle)
        async with self._changing(identity, Change.KEY_REVOKED, client, key.name) as session:
            revoked = await keys.revoke(session, key)
        self._bus.publish(revoked)

    async def change_password(
        self, identity: Identity, client: Client, *, new: str, revoke_tokens: bool
    ) -> None:
        """Change the password and log the account out of all other browsers, and other programs if asked to.

        Raise FieldError `bad_password`, OverloadedError.
        """
        new_hash = await credentials.hash_new_password(new, identity.username, Line.KNOWN)
        tables = keys.ALL if revoke_tokens else keys.SESSIONS
        async with self._changing(identity, Change.PASSWORD_CHANGED, client) as session:
            account = await session.get_one(Account, identity.id)
            account.password_hash = new_hash
            await second_factor.end_waiting(session, identity.id)
            revoked = await keys.revoke_all(session, identity.id, tables, but=identity.proof)
        self._bus.publish(*revoked)

    async def set_address(self, identity: Identity, address: str, client: Client) -> None:
        """Send a link to an address; it becomes the account's when the link is opened.

        Raise ConflictError `no_mail`, FieldError `bad_email`, ThrottledError.
        """
        self._check_mail()
        address = mailboxes.checked(address)
        await self._throttle.hit(Limit.EMAIL, f"account:{identity.id}")
        await self._count_mail(Purpose.CONFIRM, address)
        async with self._changing(identity, Change.EMAIL_ENTERED, client) as session:
            await mail.propose(session, identity.id, address)

    async def remove_address(self, identity: Identity, client: Client) -> None:
        """Forget the address of an account, if any; a link that is sent to it undoes that for some days."""
        async with self._changing(identity, Change.EMAIL_REMOVED, client) as session:
            if not await mail.remove(session, identity.id):
                raise _UnchangedError

    async def ask_for_password(self, address: str, client: Client) -> None:
        """Send links to choose a new password to an address, if it is the confirmed one of an account.

        The caller does not learn whether it is. Raise ConflictError `no_mail`, FieldError `bad_email`,
        ThrottledError.
        """
        self._check_mail()
        address = mailboxes.checked(address)
        await self._throttle.hit(Limit.RESET_NETWORK, client.network)
        await self._count_mail(Purpose.RESET, address)
        async with self._database.transaction() as session:
            await mail.ask_for_reset(session, address)

    async def reset_password(self, token: str, password: str, client: Client, *, revoke_tokens: bool) -> None:
        """Set the password of the account that a link was sent to, and use the link up.

        All sessions end, and all API tokens if asked. Raise BadLinkError, FieldError `bad_password`,
        OverloadedError.
        """
        async with self._database.reading_now() as session:
            owner = await session.get_one(Account, await links.owner_of(session, token, Purpose.RESET))
        password_hash = await credentials.hash_new_password(password, owner.username, Line.KNOWN)
        tables = keys.ALL if revoke_tokens else keys.SESSIONS
        async with self._database.transaction() as session:
            account = await lock_account(session, owner.id)
            await links.use(session, token, Purpose.RESET)
            if account.closed_at is not None:
                raise BadLinkError
            account.password_hash = password_hash
            await second_factor.end_waiting(session, owner.id)
            await notices.record(session, Change.PASSWORD_RESET, owner.id, client)
            revoked = await keys.revoke_all(session, owner.id, tables)
        self._bus.publish(*revoked, InboxChanged((owner.id,)))

    async def owner_of_undo(self, token: str) -> tuple[str, str]:
        """Return an account's username, and the address that a link gives it back. Raise BadUndoError."""
        async with self._database.reading_now() as session:
            undo = await undoing.find(session, token)
            account = await session.get_one(Account, undo.account_id)
            await _check_not_banished(session, account)
            return account.username, undo.address

    async def undo_address(self, token: str, client: Client) -> str:
        """Restore the address that a link was sent to, and return a token for a new password.

        An account that was closed is opened again, unless a moderator closed it.
        Whoever was in the account is out: all sessions and tokens end, no password matches, and what was
        added to log in with since shortly before the address changed is removed. Raise BadUndoError.
        """
        async with self._database.reading_now() as session:
            account_id = (await undoing.find(session, token)).account_id
        async with self._database.transaction() as session:
            account = await lock_account(session, account_id)
            undo = await undoing.use(session, token)
            await _check_not_banished(session, account)
            opened = await credentials.open_again(session, account)
            await notices.record(session, Change.EMAIL_RESTORED, account_id, client)
            await mail.restore(session, undo)
            account.password_hash = NO_PASSWORD
            await second_factor.end_waiting(session, account_id)
            await second_factor.remove_proofs_since(session, account_id, undo.changed_at - undoing.LIFETIME)
            revoked = await keys.revoke_all(session, account_id)
            reset_token = await links.new_link(session, account_id, Purpose.RESET, undo.address)
        self._bus.publish(*revoked, *opened, InboxChanged((account_id,)))
        return reset_token

    async def _count_mail(self, purpose: Purpose, address: str) -> None:
        """Count asking for a link to an address, whether it is known or not. Raise TooManyMailsError."""
        try:
            await self._throttle.hit(Limit.MAILBOX, f"{purpose} {mailboxes.mailbox_of(address)}")
        except ThrottledError as error:
            raise TooManyMailsError(error.seconds) from None

    def _check_mail(self) -> None:
        if not self._has_mail:
            raise ConflictError("no_mail", _("This server sends no e-mails. Ask its operators for help."))


async def _check_not_banished(session: AsyncSession, account: Account) -> None:
    """Raise BadUndoError for an account that a moderator has closed."""
    if await closing(session, account) is not None:
        raise undoing.BadUndoError
