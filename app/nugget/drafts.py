"""Records that guests want to submit, kept until they have registered."""

from datetime import timedelta

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.deleting import delete_in_parts
from app.core.database.session import Database
from app.nugget.models import RecordDraft

_KEPT_FOR = timedelta(days=30)


async def keep_draft(session: AsyncSession, account_id: int, record: str, competition: str) -> None:
    """Keep a record for an account in place of the one before, with the competition that it is for or ""."""
    kept = {"record": record, "competition": competition, "kept_at": func.now()}
    statement = insert(RecordDraft).values(account_id=account_id, **kept)
    await session.execute(statement.on_conflict_do_update(index_elements=["account_id"], set_=kept))


async def hand_over_draft(session: AsyncSession, from_id: int, to_id: int) -> None:
    """Keep a guest's record for the account in which the guest has logged in."""
    draft = await session.get(RecordDraft, from_id)
    if draft is not None:
        await keep_draft(session, to_id, draft.record, draft.competition)
        await session.delete(draft)


async def delete_old_drafts(database: Database) -> None:
    """Delete the records that have been kept for 30 days."""
    await delete_in_parts(database, RecordDraft, RecordDraft.kept_at < func.now() - _KEPT_FOR)
