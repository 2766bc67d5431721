"""The e-mail address of an account, and choosing a new password by a link that is sent to it."""

from app.core.database.session import Database
from app.core.errors import ConflictError, ThrottledError, TooManyMailsError
from app.core.i18n.text import _
from app.core.realtime.bus import Bus
from app.core.settings import Settings
from app.core.web.throttle import Limit, Throttle
from app.people.identity.audit import Change
from app.people.identity.clients import Client
from app.people.identity.locking import lock_account
from app.people.identity.models import Account
from app.people.identity.passwords import NO_PASSWORD, Line
from app.people.identity.service import Identity
from app.people.inbox.events import InboxChanged
from app.people.mail import links, mailboxes, notices, undoing
from app.people.mail import service as mail
from app.people.mail.links import BadLinkError, Purpose
from app.site.accounts import keys, pending, proofs
from app.site.accounts.credentials import hash_new_password, lock_owner


class Recovery:
    """Sets addresses, of owners who have confirmed that it is them, and passwords by links."""

    def __init__(self, database: Database, bus: Bus, throttle: Throttle, settings: Settings) -> None:
        self._database = database
        self._bus = bus
        self._throttle = throttle
        self._has_mail = settings.has_mail

    async def set_address(self, identity: Identity, address: str, client: Client) -> None:
        """Send a link to an address; it becomes the account's when the link is opened.

        Raise ConflictError `no_mail`, FieldError `bad_email`, ThrottledError.
        """
        self._check_mail()
        address = mailboxes.checked(address)
        await self._throttle.hit(Limit.EMAIL, f"account:{identity.id}")
        await self._count_mail(Purpose.CONFIRM, address)
        async with self._database.transaction() as session:
            await lock_owner(session, identity)
            await notices.record(session, Change.EMAIL_ENTERED, identity.id, client)
            await mail.propose(session, identity.id, address)
        self._bus.publish(InboxChanged((identity.id,)))

    async def remove_address(self, identity: Identity, client: Client) -> None:
        """Forget the address of an account; a link that is sent to it undoes that for some days."""
        async with self._database.transaction() as session:
            await lock_owner(session, identity)
            await notices.record(session, Change.EMAIL_REMOVED, identity.id, client)
            await mail.remove(session, identity.id)
        self._bus.publish(InboxChanged((identity.id,)))

    async def ask(self, address: str, client: Client) -> None:
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

    async def reset(self, token: str, password: str, client: Client, *, revoke_tokens: bool) -> None:
        """Set the password of the account that a link was sent to, and use the link up.

        All sessions end, and all API tokens if asked. Raise BadLinkError, FieldError `bad_password`,
        OverloadedError.
        """
        async with self._database.reading_now() as session:
            owner = await session.get_one(Account, await links.owner_of(session, token, Purpose.RESET))
        password_hash = await hash_new_password(password, owner.username, "new_password", Line.KNOWN)
        async with self._database.transaction() as session:
            account = await lock_account(session, owner.id)
            await links.use(session, token, Purpose.RESET)
            if account.closed_at is not None:
                raise BadLinkError
            account.password_hash = password_hash
            await pending.end_all(session, owner.id)
            await notices.record(session, Change.PASSWORD_RESET, owner.id, client)
            revoked = await (keys.revoke_all if revoke_tokens else keys.revoke_sessions)(session, owner.id)
        keys.announce(self._bus, revoked)
        self._bus.publish(InboxChanged((owner.id,)))

    async def undo(self, token: str, client: Client) -> str:
        """Restore the address that a link was sent to, and return a token for a new password.

        Whoever was in the account is out: all sessions and tokens end, no password matches, and what was
        added to log in with since shortly before the address changed is removed. Raise BadUndoError.
        """
        async with self._database.reading_now() as session:
            account_id = (await undoing.find(session, token)).account_id
        async with self._database.transaction() as session:
            account = await lock_account(session, account_id)
            undo = await undoing.use(session, token)
            if account.closed_at is not None:
                raise undoing.BadUndoError
            await notices.record(session, Change.EMAIL_RESTORED, account_id, client)
            await mail.restore(session, undo)
            account.password_hash = NO_PASSWORD
            await pending.end_all(session, account_id)
            await proofs.remove_since(session, account_id, undo.changed_at - undoing.LIFETIME)
            revoked = await keys.revoke_all(session, account_id)
            reset_token = await links.new_link(session, account_id, Purpose.RESET, undo.address)
        keys.announce(self._bus, revoked)
        self._bus.publish(InboxChanged((account_id,)))
        return reset_token

    async def _count_mail(self, purpose: Purpose, address: str) -> None:
        """Count asking for a link to an address, whether it is known or not. Raise TooManyMailsError."""
        try:
            await self._throttle.hit(Limit.MAILBOX, f"{purpose} {mailboxes.mailbox_of(address)}")
        except ThrottledError as error:
            raise TooManyMailsError(error.seconds) from None

    def _check_mail(self) -> None:
        if not self._has_mail:
            raise ConflictError("no_mail", _("This server sends no mail. Ask its operators for help."))
