"""Logging in and out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.deleting import delete_in_parts
from app.core.database.session import Database
from app.core.errors import FieldError, UnauthenticatedError
from app.core.events import Event
from app.core.i18n.text import Text, _
from app.core.realtime.bus import Bus
from app.core.web.throttle import Limit, Throttle
from app.nugget import entries
from app.people.identity import audit, devices
from app.people.identity.audit import Action, Change
from app.people.identity.clients import Client
from app.people.identity.locking import lock_account, lock_open_accounts
from app.people.identity.models import Account
from app.people.identity.names import find
from app.people.identity.passwords import Line
from app.people.identity.service import Identity
from app.people.inbox.events import InboxChanged
from app.people.mail import links, notices
from app.people.mail.links import Purpose
from app.play.pairing.searches import SearchChanged
from app.play.pairing.store import end_search
from app.site.accounts import belongings, credentials, keys, passkeys, second_factor
from app.site.accounts.models import PasskeyChallenge, PendingLogIn
from app.site.accounts.passkeys import PasskeyError


class WrongCodeError(FieldError):
    """A code of the second factor, or a recovery code, is wrong or was used already."""

    def __init__(self) -> None:
        super().__init__(
            "code",
            "wrong_code",
            _("This code is wrong, or was used already. Wait for the next one, or use a recovery code."),
        )


@dataclass(frozen=True, slots=True)
class CodeNeeded:
    """A log-in whose password was right, and which a code completes. `pending` is its token."""

    pending: str


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """A log-in that succeeded: the token of its session.

    `guest_token` is that of a new session of the guest who has logged in, who has games or runs, or None.
    """

    token: str
    guest_token: str | None


class LogIns:
    """Opens the sessions of accounts, and ends them."""

    def __init__(self, database: Database, bus: Bus, throttle: Throttle) -> None:
        self._database = database
        self._bus = bus
        self._throttle = throttle

    async def log_in(
        self, username: str, password: str, client: Client, *, presented: Identity | None
    ) -> LoggedIn | CodeNeeded:
        """Open a session, or return CodeNeeded if the account has a second factor.

        The session that was presented ends. Raise WrongCredentialsError, ClosedError, ThrottledError,
        OverloadedError.
        """
        line = await self._throttle_log_in(username, client)
        proven = await self._authenticate(username, password, client, line)
        async with self._database.transaction() as session:
            await _lock_both(session, proven.account_id, presented)
            account = await credentials.lock(session, proven)
            if await second_factor.is_on(session, account.id):
                return CodeNeeded(await second_factor.wait_for_code(session, account.id))
            entered, ended = await _enter(session, account, client, presented)
        self._bus.publish(*ended)
        return entered

    async def answer_code(
        self, pending_token: str, code: str, client: Client, *, presented: Identity | None
    ) -> LoggedIn:
        """Complete a log-in by a code of the second factor, or a recovery code.

        The session that was presented ends. Raise PendingEndedError, WrongCodeError, ThrottledError.
        """
        async with self._database.reading_now() as session:
            account = await second_factor.account_that_waits(session, pending_token)
            is_known = await devices.is_known(session, account.username, client.device)
        who = f"device:{client.device}" if is_known else f"account:{account.id}"
        await self._throttle.hit(Limit.CODE, who)
        entered: LoggedIn | None = None
        ended: list[Event] = []
        async with self._database.transaction() as session:
            await _lock_both(session, account.id, presented)
            account = await second_factor.account_that_waits(session, pending_token)
            if await _is_right(session, account, code, client):
                await second_factor.end_waiting(session, account.id)
                entered, ended = await _enter(session, account, client, presented)
        if entered is None:
            raise WrongCodeError
        self._bus.publish(*ended, InboxChanged((account.id,)))
        return entered

    async def reset_password(self, username: str, code: str, new: str, client: Client) -> None:
        """Replace a forgotten password by a recovery code. All sessions and API tokens end.

        Raise FieldError `bad_password`, `wrong_code`, ThrottledError, OverloadedError.
        """
        line = await self._throttle_log_in(username, client)
        new_hash = await credentials.hash_new_password(new, username, line)
        revoked: Sequence[Event] = ()
        async with self._database.transaction() as session:
            account = await find(session, username)
            if account is not None:
                await lock_account(session, account.id)
            is_right = (
                account is not None
                and account.closed_at is None
                and await second_factor.use_recovery_code(session, account.id, code)
            )
            if account is None or not is_right:
                audit.record(session, Action.CODE_FAILED, account.id if account else None, client)
                account = None
            else:
                account.password_hash = new_hash
                await second_factor.end_waiting(session, account.id)
                revoked = await keys.revoke_all(session, account.id)
                await notices.record(session, Change.PASSWORD_RESET, account.id, client)
        if account is None:
            raise FieldError("code", "wrong_code", _("The username or the recovery code is incorrect."))
        self._bus.publish(*revoked, InboxChanged((account.id,)))

    async def passkey_options(self, client: Client, site_url: str) -> str:
        """Return as JSON what a browser needs to ask for a passkey of any account. Raise ThrottledError."""
        await self._throttle.hit(Limit.PASSKEY, client.network)
        async with self._database.transaction() as session:
            return await passkeys.options_of_answer(session, None, site_url)

    async def log_in_by_passkey(
        self, answer: str, client: Client, site_url: str, *, presented: Identity | None
    ) -> LoggedIn:
        """Open a session of the account of a passkey, which no second factor need follow.

        The session that was presented ends. Raise PasskeyError, ThrottledError.
        """
        await self._throttle.hit(Limit.LOGIN_NETWORK, client.network)
        credential = passkeys.parse_answer(answer)
        async with self._database.transaction() as session:
            challenge = await passkeys.take_challenge(session, credential, None)
        async with self._database.transaction() as session:
            account_id = await passkeys.owner_of(session, credential)
            await _lock_both(session, account_id, presented)
            passkey = await passkeys.check(session, account_id, credential, challenge, site_url)
            account = await session.get_one(Account, account_id)
            if not await credentials.may_enter(session, account):
                raise PasskeyError
            entered, ended = await _enter(session, account, client, presented, passkey.name)
        self._bus.publish(*ended)
        return entered

    async def log_in_program(
        self,
        username: str,
        password: str,
        client: Client,
        *,
        name: str,
        scopes: Iterable[str],
        lifetime: timedelta | None,
        code: str | None,
    ) -> str:
        """Return a new API token of the account with a password; without a lifetime it never expires.

        Accounts with a second factor need its code. Raise WrongCredentialsError, ClosedError,
        UnauthenticatedError, WrongCodeError, ThrottledError, OverloadedError, or ConflictError
        `too_many_tokens`.
        """
        await self._throttle_stranger(username, client)
        proven = await self._authenticate(username, password, client, Line.STRANGERS)
        if code is not None:
            await self._throttle.hit(Limit.CODE, f"account:{proven.account_id}")
        token: str | None = None
        opened: Sequence[Event] = ()
        async with self._database.transaction() as session:
            account = await credentials.lock(session, proven)
            needs_code = await second_factor.is_on(session, account.id)
            if needs_code and code is None:
                raise UnauthenticatedError(Text("This account has a second factor: send its code, too."))
            if not needs_code or await _is_right(session, account, code or "", client):
                opened = await credentials.open_again(session, account)
                await notices.record(session, Change.TOKEN_CREATED, account.id, client, name)
                token = await keys.new_token(session, account.id, name, scopes, lifetime)
        if token is None:
            raise WrongCodeError
        self._bus.publish(*opened, InboxChanged((account.id,)))
        return token

    async def log_out(self, identity: Identity, client: Client) -> None:
        """Revoke the session or API token that the identity was proved by; its connections close."""
        async with self._database.transaction() as session:
            audit.record(session, Action.LOGGED_OUT, identity.id, client)
            revoked = await keys.revoke_current(session, identity)
        self._bus.publish(*revoked)

    async def _authenticate(
        self, username: str, password: str, client: Client, line: Line
    ) -> credentials.Proven:
        """Return the account with a username and a password. Raise what `authenticate` raises."""
        try:
            async with credentials.auditing(self._database, Action.LOGIN_FAILED, client):
                return await credentials.authenticate(self._database, username, password, line)
        except credentials.ClosedError as error:
            async with self._database.transaction() as session:
                token = await links.new_link(session, error.account_id, Purpose.APPEAL, "")
            raise credentials.ClosedError(error.account_id, f"/appeal?token={token}") from None

    async def _throttle_log_in(self, username: str, client: Client) -> Line:
        """Count an attempt to log in with a name, and return where it waits. Raise ThrottledError."""
        async with self._database.reading_now() as session:
            is_known = await devices.is_known(session, username, client.device)
        if is_known:
            await self._throttle.hit(Limit.LOGIN, f"device:{client.device}")
            return Line.KNOWN
        await self._throttle_stranger(username, client)
        return Line.STRANGERS

    async def _throttle_stranger(self, username: str, client: Client) -> None:
        """Count an attempt to log in from where the account has never logged in. Raise ThrottledError."""
        name = username.lower()
        await self._throttle.hit(Limit.LOGIN_NETWORK, client.network)
        await self._throttle.hit(Limit.LOGIN, f"{client.network} {name}")
        await self._throttle.hit(Limit.LOGIN_NAME, name)


async def _is_right(session: AsyncSession, account: Account, code: str, client: Client) -> bool:
    """Return whether a code is the second factor's or a recovery code; it is used up. Record the outcome."""
    if await second_factor.accept(session, account.id, code):
        return True
    if await second_factor.use_recovery_code(session, account.id, code):
        await notices.record(session, Change.RECOVERY_CODE_USED, account.id, client)
        return True
    audit.record(session, Action.CODE_FAILED, account.id, client)
    return False


async def _lock_both(session: AsyncSession, account_id: int, presented: Identity | None) -> None:
    """Lock an account that somebody logs in to, and the guest whom the browser presented."""
    guest_ids = {presented.id} if presented is not None and presented.is_guest else set()
    await lock_open_accounts(session, {account_id, *guest_ids})


async def _enter(
    session: AsyncSession, account: Account, client: Client, presented: Identity | None, detail: str = ""
) -> tuple[LoggedIn, list[Event]]:
    """Open a session of a locked account; return also what to publish of what ends for that.

    It is the session that was presented, and all of a guest who gets a new one: others may know them. A guest
    looks for no game any more. An account that waits to be erased is opened again.

    Raise WrongCredentialsError if it was closed.
    """
    if not await credentials.may_enter(session, account):
        raise credentials.WrongCredentialsError(account.id)
    ended = await credentials.open_again(session, account)
    audit.record(session, Action.LOGGED_IN, account.id, client, detail)
    ended += await keys.revoke_current(session, presented)
    guest_token = None
    guest = await session.get_one(Account, presented.id) if presented and presented.is_guest else None
    if guest is not None and guest.is_guest:  # not registered meanwhile
        await entries.hand_over_draft(session, guest.id, account.id)
        await end_search(session, guest.id)
        ended.append(SearchChanged(guest.id))
        if await belongings.has_any(session, guest.id):
            ended += await keys.revoke_all(session, guest.id)
            guest_token = await keys.replace_session(session, guest, client, presented)
    await devices.remember(session, account, client.device)
    token = await keys.replace_session(session, account, client, presented)
    return LoggedIn(token, guest_token), ended


async def delete_unfinished_log_ins(database: Database) -> None:
    """Delete the challenges that no passkey has answered, and the log-ins without a code, in time."""
    await delete_in_parts(database, PasskeyChallenge, PasskeyChallenge.expires_at <= func.now())
    await delete_in_parts(database, PendingLogIn, PendingLogIn.expires_at <= func.now())
