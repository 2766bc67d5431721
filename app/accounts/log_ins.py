"""Logging in and out."""

from collections.abc import Iterable
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import keys, passkeys
from app.accounts.credentials import auditing, authenticate, lock
from app.accounts.passkeys import PasskeyError, Site
from app.database.session import Database
from app.identity import audit, devices
from app.identity.audit import Action
from app.identity.clients import Client
from app.identity.models import Account
from app.identity.service import Identity, open_session
from app.nugget import drafts
from app.realtime.bus import Bus
from app.web.throttle import Limit, Throttle


class LogIns:
    """Opens the sessions of accounts, and ends them."""

    def __init__(self, database: Database, bus: Bus, throttle: Throttle) -> None:
        self._database = database
        self._bus = bus
        self._throttle = throttle

    async def log_in(
        self, username: str, password: str, client: Client, *, presented: Identity | None
    ) -> str:
        """Return the token of a new session; the session that was presented ends.

        Raise WrongCredentialsError, ThrottledError, OverloadedError.
        """
        async with self._database.transaction() as session:
            is_known = await devices.is_known(session, username, client.device)
        if is_known:
            await self._throttle.hit(Limit.LOGIN, f"device:{client.device}")
        else:
            await self._throttle_stranger(username, client)
        async with auditing(self._database, Action.LOGIN_FAILED, client):
            proven = await authenticate(self._database, username, password)
        async with self._database.transaction() as session:
            account = await lock(session, proven)
            token, revoked = await _enter(session, account, client, presented)
        keys.announce(self._bus, revoked)
        return token

    async def passkey_options(self, client: Client, site: Site) -> str:
        """Return as JSON what a browser needs to ask for a passkey of any account. Raise ThrottledError."""
        await self._throttle.hit(Limit.PASSKEY, client.network)
        async with self._database.transaction() as session:
            return await passkeys.options_of_answer(session, None, site)

    async def log_in_by_passkey(
        self, answer: str, client: Client, site: Site, *, presented: Identity | None
    ) -> str:
        """Return the token of a new session of the account of a passkey, which no second factor need follow.

        The session that was presented ends. Raise PasskeyError, ThrottledError.
        """
        await self._throttle.hit(Limit.LOGIN_NETWORK, client.network)
        credential = passkeys.parse_answer(answer)
        async with self._database.transaction() as session:
            challenge = await passkeys.take_challenge(session, credential, None)
        async with self._database.transaction() as session:
            passkey = await passkeys.check(session, credential, challenge, site)
            account = await session.get_one(Account, passkey.account_id, with_for_update=True)
            if account.closed_at is not None:
                raise PasskeyError
            token, revoked = await _enter(session, account, client, presented, passkey.name)
        keys.announce(self._bus, revoked)
        return token

    async def log_in_program(
        self,
        username: str,
        password: str,
        client: Client,
        *,
        name: str,
        scopes: Iterable[str],
        lifetime: timedelta | None,
    ) -> str:
        """Return a new API token of the account with a password; without a lifetime it never expires.

        Raise WrongCredentialsError, ThrottledError, OverloadedError, ConflictError `too_many_tokens`.
        """
        await self._throttle_stranger(username, client)
        async with auditing(self._database, Action.LOGIN_FAILED, client):
            proven = await authenticate(self._database, username, password)
        async with self._database.transaction() as session:
            account = await lock(session, proven)
            audit.record(session, Action.TOKEN_CREATED, account.id, client, name)
            return await keys.new_token(session, account.id, name, scopes, lifetime)

    async def log_out(self, identity: Identity, client: Client) -> None:
        """Revoke the session or API token that the identity was proved by; its connections close."""
        async with self._database.transaction() as session:
            audit.record(session, Action.LOGGED_OUT, identity.id, client)
            revoked = await keys.revoke_current(session, identity)
        keys.announce(self._bus, revoked)

    async def _throttle_stranger(self, username: str, client: Client) -> None:
        """Count an attempt to log in from where the account has never logged in. Raise ThrottledError."""
        name = username.lower()
        await self._throttle.hit(Limit.LOGIN_NETWORK, client.network)
        await self._throttle.hit(Limit.LOGIN, f"{client.network} {name}")
        await self._throttle.hit(Limit.LOGIN_NAME, name)


async def _enter(
    session: AsyncSession, account: Account, client: Client, presented: Identity | None, detail: str = ""
) -> tuple[str, list[bytes]]:
    """Return the token of a new session, and the hash of the one that was presented, which has ended."""
    audit.record(session, Action.LOGGED_IN, account.id, client, detail)
    if presented is not None and presented.is_guest:
        await drafts.hand_over(session, presented.id, account.id)
    revoked = await keys.revoke_current(session, presented)
    await devices.remember(session, account, client.device)
    return await open_session(session, account, client.browser), revoked
