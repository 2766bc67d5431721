"""What else than the password proves who is logging in, if a thief may have added it."""

from datetime import datetime

from sqlalchemy import delete, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.people.identity.audit import Change
from app.people.identity.models import SecurityEvent
from app.site.accounts.models import Passkey, RecoveryCode, SecondFactor

_MAKES_CODES = (Change.RECOVERY_CODES_MADE, Change.SECOND_FACTOR_ADDED)


async def remove_since(session: AsyncSession, account_id: int, since: datetime) -> None:
    """Remove the passkeys, the second factor and the recovery codes that an account got since a moment."""
    await session.execute(
        delete(Passkey).where(Passkey.account_id == account_id, Passkey.created_at >= since)
    )
    is_new = or_(SecondFactor.confirmed_at.is_(None), SecondFactor.confirmed_at >= since)
    await session.execute(delete(SecondFactor).where(SecondFactor.account_id == account_id, is_new))
    made = exists().where(
        SecurityEvent.account_id == account_id,
        SecurityEvent.action.in_(_MAKES_CODES),
        SecurityEvent.at >= since,
    )
    if await session.scalar(select(made)):
        await session.execute(delete(RecoveryCode).where(RecoveryCode.account_id == account_id))
