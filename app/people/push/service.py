"""The devices of accounts that get notifications by Web Push."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.errors import ConflictError
from app.core.i18n.text import ngettext
from app.core.settings import Settings
from app.people.identity.limits import check_limit
from app.people.identity.locking import lock_account
from app.people.identity.service import Identity
from app.people.inbox.kinds import Channel
from app.people.inbox.service import set_active
from app.people.push import queries
from app.people.push.endpoints import check_endpoint, check_keys
from app.people.push.keys import ServerKey, server_key
from app.people.push.models import PushDevice

_MOST_DEVICES = 10


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a push service gave a device: an address, and the keys to encrypt messages with, in base64url."""

    endpoint: str
    p256dh: str
    auth: str


class Push:
    """The devices of the server's accounts."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._database = database
        self._key: ServerKey | None = None

    async def key(self) -> ServerKey:
        """Return the server's key pair."""
        if self._key is None:
            async with self._database.transaction() as session:
                self._key = await server_key(session)
        return self._key

    async def devices(self, identity: Identity) -> Sequence[PushDevice]:
        """Return the devices of an account, the latest first."""
        async with self._database.reading_now() as session:
            return await queries.devices_of(session, identity.id)

    async def add(
        self, identity: Identity, subscription: Subscription, *, name: str, language: str
    ) -> PushDevice:
        """Send an account's notifications to a device until the session or token of the identity ends.

        Raise InvalidError `bad_endpoint` or `bad_keys`, ConflictError `too_many_devices`.
        """
        self._check(subscription)
        async with self._database.transaction() as session:
            return await _save(session, identity, subscription, name, language)

    async def set_browser(
        self, identity: Identity, subscription: Subscription, *, name: str, language: str
    ) -> None:
        """Send an account's notifications to the browser of a session, and no more to its former address.

        Raise what `add` raises.
        """
        self._check(subscription)
        async with self._database.transaction() as session:
            await lock_account(session, identity.id)
            await queries.forget_former(session, identity, subscription.endpoint)
            await _save(session, identity, subscription, name, language)

    async def remove(self, identity: Identity, device_id: int) -> None:
        """Send no more notifications to a device of an account."""
        async with self._database.transaction() as session:
            mine = PushDevice.account_id == identity.id
            await queries.remove(session, mine, PushDevice.id == device_id)

    async def delete_ended(self) -> None:
        """Delete the devices whose session or token is over."""
        async with self._database.transaction() as session:
            await queries.remove(session, queries.has_ended())

    def _check(self, subscription: Subscription) -> None:
        check_endpoint(subscription.endpoint, self._settings)
        check_keys(subscription.p256dh, subscription.auth)


async def _save(
    session: AsyncSession, identity: Identity, subscription: Subscription, name: str, language: str
) -> PushDevice:
    others = queries.count_of(identity.id, subscription.endpoint)
    await check_limit(session, identity.id, others, _MOST_DEVICES, _too_many())
    device = await queries.save(
        session, identity, subscription.endpoint, subscription.p256dh, subscription.auth, name, language
    )
    await set_active(session, identity.id, Channel.PUSH, is_active=True)
    return device


def _too_many() -> ConflictError:
    return ConflictError(
        "too_many_devices",
        ngettext(
            "You get notifications on %(count)s device. Remove it first.",
            "You get notifications on %(count)s devices. Remove one first.",
            _MOST_DEVICES,
        ),
    )
