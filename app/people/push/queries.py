"""Devices as they are stored."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Select, delete, exists, func, not_, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.people.identity.models import ApiToken, BrowserSession
from app.people.identity.service import Identity, valid_session, valid_token
from app.people.inbox.kinds import Channel
from app.people.inbox.models import NotificationChannel
from app.people.push.models import PushDevice


async def devices_of(session: AsyncSession, account_id: int) -> Sequence[PushDevice]:
    """Return the devices of an account whose session or token goes on, the latest first."""
    query = select(PushDevice).where(PushDevice.account_id == account_id, _goes_on())
    return (await session.scalars(query.order_by(PushDevice.id.desc()))).all()


def count_of(account_id: int, endpoint: str) -> Select[int]:
    """Return the query for the number of an account's devices besides the one with an endpoint."""
    return select(func.count()).where(
        PushDevice.account_id == account_id, PushDevice.endpoint != endpoint, _goes_on()
    )


async def save(
    session: AsyncSession, identity: Identity, endpoint: str, p256dh: str, auth: str, name: str, language: str
) -> PushDevice:
    """Store a device and return it; another account that had it loses it."""
    columns = {
        "account_id": identity.id,
        "proof": identity.proof,
        "p256dh": p256dh,
        "auth": auth,
        "name": name,
        "language": language,
    }
    row = insert(PushDevice).values(endpoint=endpoint, **columns)
    saved = row.on_conflict_do_update(index_elements=["endpoint"], set_=columns).returning(PushDevice)
    device = await session.scalar(saved)
    assert device is not None
    return device


async def forget_former(session: AsyncSession, identity: Identity, endpoint: str) -> None:
    """Delete the devices of a session but the one with an endpoint: a browser has one at a time."""
    await session.execute(
        delete(PushDevice).where(PushDevice.proof == identity.proof, PushDevice.endpoint != endpoint)
    )


async def remove(session: AsyncSession, *conditions: ColumnElement[bool]) -> None:
    """Delete devices, and deactivate the channel of the accounts that have none left."""
    await session.execute(delete(PushDevice).where(*conditions))
    is_left = exists().where(PushDevice.account_id == NotificationChannel.account_id)
    await session.execute(
        update(NotificationChannel)
        .where(NotificationChannel.channel == Channel.PUSH, NotificationChannel.is_active, not_(is_left))
        .values(is_active=False)
    )


def has_ended() -> ColumnElement[bool]:
    """Return the condition that the session or token which added a device is over."""
    return not_(_goes_on())


def _goes_on() -> ColumnElement[bool]:
    return or_(
        exists().where(BrowserSession.token_hash == PushDevice.proof, *valid_session()),
        exists().where(ApiToken.token_hash == PushDevice.proof, valid_token()),
    )
