"""What the owner of an account can do with it."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import keys, preferences
from app.accounts.credentials import authenticate, check_password, check_username
from app.accounts.keys import Keys
from app.database.session import Database
from app.errors import ConflictError, FieldError
from app.events import ProofRevoked
from app.games.queries import for_two
from app.games.service import Games
from app.identity.limits import check_limit
from app.identity.models import Account
from app.identity.passwords import hash_password, verify_password
from app.identity.service import SCOPES, Identity, check_registered, issue_token, open_session
from app.lobby.service import Lobby
from app.moments import utc_now
from app.nugget.models import Standing
from app.ratings import queries as ratings
from app.realtime.bus import Bus
from engine.glicko2 import Rating

_MOST_TOKENS = 50


class Accounts:
    """The accounts of the server."""

    def __init__(self, database: Database, bus: Bus, games: Games, lobby: Lobby) -> None:
        self._database = database
        self._bus = bus
        self._games = games
        self._lobby = lobby

    async def register(
        self, username: str, password: str, *, guest: Identity | None = None, browser: str = ""
    ) -> str:
        """Create an account, or turn a guest into one that keeps its games; return a new session's token.

        Raise FieldError `bad_username`, `username_taken`, `bad_password`.
        """
        async with self._database.transaction() as session:
            account = await _register(session, username, password, guest)
            return await open_session(session, account, browser)

    async def register_program(self, username: str, password: str) -> str:
        """Create an account and return an API token with all scopes. Raise what `register` raises."""
        async with self._database.transaction() as session:
            account = await _register(session, username, password, None)
            return await issue_token(session, account.id, "first token", SCOPES)

    async def log_in(self, username: str, password: str, browser: str) -> str:
        """Return the token of a new session. Raise AppError `wrong_credentials`."""
        async with self._database.transaction() as session:
            account = await authenticate(session, username, password)
            return await open_session(session, account, browser)

    async def log_in_program(
        self, username: str, password: str, name: str, scopes: Iterable[str], lifetime: timedelta | None
    ) -> str:
        """Return a new API token of the account with a password; without a lifetime it never expires.

        Raise AppError `wrong_credentials`.
        """
        async with self._database.transaction() as session:
            account = await authenticate(session, username, password)
            return await issue_token(session, account.id, name, scopes, _end_of(lifetime))

    async def log_out(self, identity: Identity) -> None:
        """Revoke the session or API token that the identity was proved by; its connections close."""
        async with self._database.transaction() as session:
            await keys.revoke_current(session, identity)
        self._publish_revoked([identity.proof])

    async def keys(self, identity: Identity) -> Keys:
        """Return where an account is logged in, and its API tokens."""
        async with self._database.transaction() as session:
            return await keys.keys_of(session, identity)

    async def create_token(
        self, identity: Identity, name: str, scopes: Iterable[str], lifetime: timedelta | None
    ) -> str:
        """Return a new API token; without a lifetime it never expires.

        Raise ConflictError `too_many_tokens`.
        """
        error = ConflictError(
            "too_many_tokens", f"You have {_MOST_TOKENS} tokens. Revoke one that you no longer need."
        )
        async with self._database.transaction() as session:
            await check_limit(session, identity.id, keys.count_tokens(identity.id), _MOST_TOKENS, error)
            return await issue_token(session, identity.id, name, scopes, _end_of(lifetime))

    async def revoke(self, identity: Identity, handle: str) -> None:
        """Log a browser out or revoke an API token; its connections close. Raise NotFoundError."""
        async with self._database.transaction() as session:
            proof = await keys.revoke(session, identity, handle)
        self._publish_revoked([proof])

    async def change_password(self, identity: Identity, current: str, new: str) -> None:
        """Change the password and log the account out of all other browsers.

        Raise FieldError `wrong_password`, `bad_password`, ForbiddenError `guest`.
        """
        check_registered(identity, "A guest has no password. Register first.", code="guest")
        check_password(new, "new_password")
        async with self._database.transaction() as session:
            account = await session.get_one(Account, identity.id)
            if not await verify_password(account.password_hash, current):
                raise FieldError("current_password", "wrong_password", "Your current password is incorrect.")
            account.password_hash = await hash_password(new)
            proofs = await keys.revoke_other_sessions(session, identity)
        self._publish_revoked(proofs)

    async def set_preferences(self, identity: Identity, values: Mapping[str, str]) -> None:
        """Store preferences; those not in `values` do not change. Raise InvalidError `bad_preference`."""
        changes = preferences.check(values)
        async with self._database.transaction() as session:
            account = await session.get_one(Account, identity.id)
            account.preferences = {**account.preferences, **changes}

    async def ratings(self, identity: Identity) -> dict[str, tuple[Rating, int]]:
        """Return the account's ratings by game, each with the number of rated games."""
        async with self._database.transaction() as session:
            return await ratings.of_account(session, identity.id)

    async def declare_computer(self, identity: Identity) -> None:
        """Label an account as one that a program plays with. This cannot be undone.

        Raise ForbiddenError `needs_account` for a guest, ConflictError `has_played` if the account has
        ratings or Golden Nugget entries.
        """
        check_registered(identity, "Register first: a program needs an account with a name.")
        async with self._database.transaction() as session:
            has_entry = select(Standing.account_id).where(Standing.account_id == identity.id).limit(1)
            if await ratings.of_account(session, identity.id) or await session.scalar(has_entry):
                raise ConflictError(
                    "has_played", "This account has ratings or entries. Register another one for the program."
                )
            account = await session.get_one(Account, identity.id)
            account.is_computer = True

    async def close(self, identity: Identity, password: str) -> None:
        """Close an account: it keeps its name and games, and nobody can log in to it again.

        Its challenges are cancelled and its connections close. Raise FieldError `games_under_way`,
        `wrong_password`.
        """
        if await self._games.under_way(identity.id, for_two(), limit=1):
            raise FieldError(
                "close_password", "games_under_way", "You have games under way. Finish or resign them first."
            )
        async with self._database.transaction() as session:
            account = await session.get_one(Account, identity.id)
            if not account.is_guest and not await verify_password(account.password_hash, password):
                raise FieldError("close_password", "wrong_password", "Your password is incorrect.")
            account.closed_at = func.now()
            proofs = await keys.revoke_all(session, identity.id)
        await self._lobby.withdraw_all(identity.id)
        self._publish_revoked(proofs)

    def _publish_revoked(self, proofs: Iterable[bytes]) -> None:
        for proof in proofs:
            self._bus.publish(ProofRevoked(proof.hex()))


async def _register(session: AsyncSession, username: str, password: str, guest: Identity | None) -> Account:
    check_username(username)
    check_password(password, "password")
    password_hash = await hash_password(password)
    account = await session.get(Account, guest.id) if guest is not None and guest.is_guest else None
    if account is None:
        account = Account()
        session.add(account)
    account.username, account.password_hash = username, password_hash
    try:
        await session.flush()
    except IntegrityError:
        raise FieldError(
            "username", "username_taken", "This username is taken. Choose another one."
        ) from None
    return account


def _end_of(lifetime: timedelta | None) -> datetime | None:
    return None if lifetime is None else utc_now() + lifetime
