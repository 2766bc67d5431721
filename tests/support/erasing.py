"""Erasing accounts at once, without waiting for the days in which their owners may come back."""

from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.core.moments import utc_now
from app.people.identity.locking import lock_account
from app.people.identity.models import Erasure
from app.site.privacy.service import erase
from tests.support.threads import run_coroutine


def erase_now(database_url, account_id):
    """Erase an account, closed or not; the servers that use the database are not told."""
    run_coroutine(_erase(database_url, account_id))


async def _erase(database_url, account_id):
    database = await Database.open(database_url, pool_size=1)
    async with database.transaction() as session:
        await lock_account(session, account_id)
        due = insert(Erasure).values(account_id=account_id, due_at=utc_now())
        await session.execute(due.on_conflict_do_nothing())
        await erase(session, account_id)
    await database.close()
