"""Deleting what unfinished log-ins leave behind."""

from sqlalchemy import delete, func

from app.core.database.session import Database
from app.site.accounts.models import PasskeyChallenge, PendingLogIn


async def delete_unfinished_log_ins(database: Database) -> None:
    """Delete the challenges that no passkey has answered, and the log-ins without a code, in time."""
    async with database.transaction() as session:
        await session.execute(delete(PasskeyChallenge).where(PasskeyChallenge.expires_at <= func.now()))
        await session.execute(delete(PendingLogIn).where(PendingLogIn.expires_at <= func.now()))
