"""What protects an account: confirming who is there, the password, passkeys, the second factor."""

from dataclasses import dataclass

from app.core.database.session import Database
from app.core.errors import FieldError
from app.core.i18n.text import _
from app.core.realtime.bus import Bus
from app.core.web.throttle import Limit, Throttle
from app.people.identity.audit import Action, Change
from app.people.identity.clients import Client
from app.people.identity.passwords import Line
from app.people.identity.service import Identity, check_registered, confirm
from app.people.inbox.events import InboxChanged
from app.people.mail import notices
from app.site.accounts import keys, passkeys, pending, recovery_codes, second_factor
from app.site.accounts.credentials import (
    Proven,
    WrongCredentialsError,
    auditing,
    authenticate_again,
    hash_new_password,
    lock,
    lock_owner,
)
from app.site.accounts.models import Passkey
from app.site.accounts.passkeys import PasskeyError, Site
from app.site.accounts.second_factor import Setup


@dataclass(frozen=True, slots=True)
class Protection:
    """What protects an account besides its password."""

    passkeys: list[Passkey]
    has_second_factor: bool
    recovery_codes: int


class Security:
    """Changes what protects accounts. Pages call it for owners who have confirmed that it is them."""

    def __init__(self, database: Database, bus: Bus, throttle: Throttle) -> None:
        self._database = database
        self._bus = bus
        self._throttle = throttle

    async def protection(self, identity: Identity) -> Protection:
        """Return what protects an account besides its password."""
        async with self._database.reading_now() as session:
            return Protection(
                await passkeys.of_account(session, identity.id),
                await second_factor.is_on(session, identity.id),
                await recovery_codes.count(session, identity.id),
            )

    async def check_password(self, identity: Identity, password: str, client: Client) -> None:
        """Check that a program's owner is there.

        Raise FieldError `wrong_password`, NeedsAccountError for a guest, ThrottledError, OverloadedError.
        """
        await self._prove(identity, password, "password", client)

    async def confirm_by_password(self, identity: Identity, password: str, client: Client) -> None:
        """Confirm for some minutes that the owner is there.

        Raise FieldError `wrong_password`, NeedsAccountError for a guest, ThrottledError, OverloadedError.
        """
        proven = await self._prove(identity, password, "password", client)
        async with self._database.transaction() as session:
            await lock(session, proven)
            await confirm(session, identity)

    async def confirm_by_passkey(self, identity: Identity, answer: str, site: Site) -> None:
        """Confirm for some minutes that the owner is there. Raise PasskeyError, ThrottledError."""
        await self._throttle.hit(Limit.CONFIRM, f"account:{identity.id}")
        credential = passkeys.parse_answer(answer)
        async with self._database.transaction() as session:
            challenge = await passkeys.take_challenge(session, credential, identity.id)
        async with self._database.transaction() as session:
            passkey = await passkeys.check(session, credential, challenge, site)
            if passkey.account_id != identity.id:
                raise PasskeyError
            await confirm(session, identity)

    async def passkey_options(self, identity: Identity, site: Site) -> str:
        """Return as JSON what a browser needs to ask for a passkey of the account. Raise ThrottledError."""
        await self._throttle.hit(Limit.PASSKEY, f"account:{identity.id}")
        async with self._database.transaction() as session:
            return await passkeys.options_of_answer(session, identity.id, site)

    async def new_passkey_options(self, identity: Identity, site: Site) -> str:
        """Return as JSON what a browser needs to make a passkey for the account. Raise ThrottledError."""
        await self._throttle.hit(Limit.PASSKEY, f"account:{identity.id}")
        async with self._database.transaction() as session:
            return await passkeys.options_of_new(session, identity, site)

    async def add_passkey(self, identity: Identity, name: str, made: str, client: Client, site: Site) -> None:
        """Store a passkey that a browser made. Raise PasskeyError, ConflictError `too_many_passkeys`."""
        credential = passkeys.parse_new(made)
        async with self._database.transaction() as session:
            challenge = await passkeys.take_challenge(session, credential, identity.id)
        async with self._database.transaction() as session:
            await lock_owner(session, identity)
            await passkeys.add(session, identity.id, name, credential, challenge, site)
            await notices.record(session, Change.PASSKEY_ADDED, identity.id, client, name)
        self._bus.publish(InboxChanged((identity.id,)))

    async def remove_passkey(self, identity: Identity, handle: str, client: Client) -> None:
        """Delete a passkey. Raise NotFoundError."""
        async with self._database.transaction() as session:
            name = await passkeys.remove(session, identity.id, handle)
            await notices.record(session, Change.PASSKEY_REVOKED, identity.id, client, name)
        self._bus.publish(InboxChanged((identity.id,)))

    async def begin_second_factor(self, identity: Identity) -> Setup:
        """Return a secret, in effect after its first code. Raise ConflictError `has_second_factor`."""
        async with self._database.transaction() as session:
            return await second_factor.begin(session, identity)

    async def second_factor_setup(self, identity: Identity) -> Setup:
        """Return the secret that waits for its first code. Raise ConflictError `no_setup`."""
        async with self._database.reading_now() as session:
            return await second_factor.setup_of(session, identity)

    async def add_second_factor(self, identity: Identity, code: str, client: Client) -> list[str]:
        """Put the second factor into effect, and return recovery codes if the account has none yet.

        Raise FieldError `wrong_code`, ThrottledError.
        """
        await self._throttle.hit(Limit.CONFIRM, f"account:{identity.id}")
        async with self._database.transaction() as session:
            await lock_owner(session, identity)
            if not await second_factor.confirm(session, identity.id, code):
                raise FieldError(
                    "code", "wrong_code", _("This code is wrong. Enter the one that the app shows now.")
                )
            await notices.record(session, Change.SECOND_FACTOR_ADDED, identity.id, client)
            has_codes = await recovery_codes.count(session, identity.id) > 0
            codes = [] if has_codes else await recovery_codes.make(session, identity.id)
        self._bus.publish(InboxChanged((identity.id,)))
        return codes

    async def remove_second_factor(self, identity: Identity, client: Client) -> None:
        """Remove the second factor: the password is enough from then on."""
        async with self._database.transaction() as session:
            await lock_owner(session, identity)
            await second_factor.remove(session, identity.id)
            await notices.record(session, Change.SECOND_FACTOR_REMOVED, identity.id, client)
        self._bus.publish(InboxChanged((identity.id,)))

    async def new_recovery_codes(self, identity: Identity, client: Client) -> list[str]:
        """Return new recovery codes, which replace those that the account had."""
        async with self._database.transaction() as session:
            await lock_owner(session, identity)
            await notices.record(session, Change.RECOVERY_CODES_MADE, identity.id, client)
            codes = await recovery_codes.make(session, identity.id)
        self._bus.publish(InboxChanged((identity.id,)))
        return codes

    async def change_password(
        self, identity: Identity, client: Client, *, new: str, revoke_tokens: bool
    ) -> None:
        """Change the password and log the account out of all other browsers, and other programs if asked to.

        Raise FieldError `bad_password`, OverloadedError.
        """
        new_hash = await hash_new_password(new, identity.username, "new_password", Line.KNOWN)
        async with self._database.transaction() as session:
            account = await lock_owner(session, identity)
            account.password_hash = new_hash
            await pending.end_all(session, identity.id)
            await notices.record(session, Change.PASSWORD_CHANGED, identity.id, client)
            revoked = await keys.revoke_other_sessions(session, identity)
            if revoke_tokens:
                revoked += await keys.revoke_other_tokens(session, identity)
        keys.announce(self._bus, revoked)
        self._bus.publish(InboxChanged((identity.id,)))

    async def change_password_of_program(
        self, identity: Identity, client: Client, *, current: str, new: str, revoke_tokens: bool
    ) -> None:
        """Change the password for a program, which has to give the current one.

        Raise FieldError `wrong_password`, `bad_password`, ForbiddenError `guest`, ThrottledError,
        OverloadedError.
        """
        await self._prove(identity, current, "current_password", client)
        await self.change_password(identity, client, new=new, revoke_tokens=revoke_tokens)

    async def _prove(self, identity: Identity, password: str, field: str, client: Client) -> Proven:
        """Return the account, whose owner gives the password in a field of a form.

        Raise FieldError `wrong_password`, NeedsAccountError `guest`, ThrottledError, OverloadedError.
        """
        check_registered(identity, _("A guest has no password. Register first."), code="guest")
        await self._throttle.hit(Limit.CONFIRM, f"account:{identity.id}")
        try:
            async with auditing(self._database, Action.CONFIRMATION_FAILED, client):
                return await authenticate_again(self._database, identity.id, password)
        except WrongCredentialsError:
            raise FieldError(field, "wrong_password", _("Your password is incorrect.")) from None
