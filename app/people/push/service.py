"""The devices of accounts that get notifications by Web Push, and the key by which push services know us."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode, num_to_bytes
from sqlalchemy import ColumnElement, delete, exists, func, not_, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database, reads_now
from app.core.errors import NotFoundError
from app.core.settings import Settings
from app.people.identity.locking import Most, lock_account
from app.people.identity.models import ApiToken, BrowserSession
from app.people.identity.service import Identity, valid_session, valid_token
from app.people.inbox.kinds import Channel
from app.people.inbox.models import NotificationChannel
from app.people.inbox.service import set_active
from app.people.push.endpoints import check_endpoint, check_keys
from app.people.push.models import PushDevice, PushKey

_MOST_DEVICES = Most(
    10,
    "too_many_devices",
    "You get notifications on %(count)s device. Remove it first.",
    "You get notifications on %(count)s devices. Remove one first.",
)

_GOES_ON = or_(
    exists().where(BrowserSession.token_hash == PushDevice.proof, *valid_session()),
    exists().where(ApiToken.token_hash == PushDevice.proof, valid_token()),
)
"""The condition that the session or token which added a device is not over."""


@dataclass(frozen=True, slots=True)
class ServerKey:
    """The server's key pair (VAPID); its public part in base64url, as browsers take it."""

    vapid: Vapid02
    public: str


@dataclass(frozen=True, slots=True)
class PushSubscription:
    """What a push service gave a device: an address, and the keys to encrypt messages with, in base64url."""

    endpoint: str
    p256dh: str
    auth: str


async def devices_of(session: AsyncSession, account_id: int) -> Sequence[PushDevice]:
    """Return the devices of an account whose session or token goes on, the latest first."""
    query = select(PushDevice).where(PushDevice.account_id == account_id, _GOES_ON)
    return (await session.scalars(query.order_by(PushDevice.id.desc()))).all()


class Push:
    """The devices of the server's accounts."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._database = database
        self._key: ServerKey | None = None

    devices = reads_now(devices_of)

    async def key(self) -> ServerKey:
        """Return the server's key pair. It is made once, by the first process, and kept in the database."""
        if self._key is None:
            async with self._database.transaction() as session:
                self._key = await _server_key(session)
        return self._key

    async def add(
        self, identity: Identity, subscription: PushSubscription, *, name: str, language: str
    ) -> PushDevice:
        """Send an account's notifications to a device until the session or token of the identity ends.

        Raise InvalidError `bad_endpoint` or `bad_keys`, ConflictError `too_many_devices`.
        """
        self._check(subscription)
        async with self._database.transaction() as session:
            return await _save(session, identity, subscription, name, language)

    async def set_browser(
        self, identity: Identity, subscription: PushSubscription, *, name: str, language: str
    ) -> None:
        """Send an account's notifications to the browser of a session, and no more to its former address.

        Raise what `add` raises.
        """
        self._check(subscription)
        former = (PushDevice.proof == identity.proof, PushDevice.endpoint != subscription.endpoint)
        async with self._database.transaction() as session:
            await lock_account(session, identity.id)
            await session.execute(delete(PushDevice).where(*former))
            await _save(session, identity, subscription, name, language)

    async def remove(self, identity: Identity, device_id: int) -> None:
        """Send no more notifications to a device of an account. Raise NotFoundError."""
        async with self._database.transaction() as session:
            if not await remove(session, PushDevice.account_id == identity.id, PushDevice.id == device_id):
                raise NotFoundError("device")

    async def delete_ended(self) -> None:
        """Delete the devices whose session or token is over."""
        async with self._database.transaction() as session:
            await remove(session, not_(_GOES_ON))

    def _check(self, subscription: PushSubscription) -> None:
        check_endpoint(subscription.endpoint, self._settings)
        check_keys(subscription.p256dh, subscription.auth)


async def hand_over(session: AsyncSession, former: bytes, proof: bytes) -> None:
    """Hand the devices of a session over to the one that replaces it."""
    await session.execute(update(PushDevice).where(PushDevice.proof == former).values(proof=proof))


async def remove(session: AsyncSession, *conditions: ColumnElement[bool]) -> int:
    """Delete devices, and deactivate the channel of the accounts that have none left; return how many."""
    removed = await session.scalars(delete(PushDevice).where(*conditions).returning(PushDevice.id))
    count = len(removed.all())
    is_left = exists().where(PushDevice.account_id == NotificationChannel.account_id)
    await session.execute(
        update(NotificationChannel)
        .where(NotificationChannel.channel == Channel.PUSH, NotificationChannel.is_active, not_(is_left))
        .values(is_active=False)
    )
    return count


async def _save(
    session: AsyncSession, identity: Identity, subscription: PushSubscription, name: str, language: str
) -> PushDevice:
    """Store a device and return it; another account that had it loses it."""
    is_other = (PushDevice.account_id == identity.id, PushDevice.endpoint != subscription.endpoint)
    others = select(func.count()).where(*is_other, _GOES_ON)
    await _MOST_DEVICES.check(session, identity.id, others)
    whose = {"account_id": identity.id, "proof": identity.proof, "name": name, "language": language}
    row = insert(PushDevice).values({**asdict(subscription), **whose})
    device: PushDevice | None = await session.scalar(
        row.on_conflict_do_update(
            index_elements=[PushDevice.endpoint], set_={**asdict(subscription), **whose}
        ).returning(PushDevice)
    )
    assert device is not None
    await set_active(session, identity.id, Channel.PUSH, is_active=True)
    return device


async def _server_key(session: AsyncSession) -> ServerKey:
    number = generate_private_key(SECP256R1()).private_numbers().private_value
    new = str(b64urlencode(num_to_bytes(number, 32)))
    await session.execute(insert(PushKey).values(private_key=new).on_conflict_do_nothing())
    private_key = await session.scalar(select(PushKey.private_key))
    assert private_key is not None
    vapid = Vapid02.from_raw(private_key.encode())
    vapid.conf["no-strict"] = True  # otherwise it refuses subjects with a path or a port, which are allowed
    point = vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return ServerKey(vapid, b64urlencode(point))
