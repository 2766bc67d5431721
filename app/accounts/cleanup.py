"""Deleting what logging in leaves behind."""

from sqlalchemy import delete, func

from app.accounts.models import PasskeyChallenge
from app.database.session import Database


async def delete_expired_challenges(database: Database) -> None:
    """Delete the challenges that no passkey has answered in time."""
    async with database.transaction() as session:
        await session.execute(delete(PasskeyChallenge).where(PasskeyChallenge.expires_at <= func.now()))
