"""Erasing the name and the texts of an account for good, in the caller's transaction."""

import secrets

from sqlalchemy import delete, func, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.base import personal_tables
from app.core.database.personal import KEEP
from app.nugget import ledger
from app.people.identity import names
from app.people.identity.models import Account, Erasure
from app.site.privacy.inventory import rows_of, table

CLOSED_PREFIX = "closed-"
"""How the usernames of erased accounts begin."""

_NO_PASSWORD = "erased"  # noqa: S105 - a hash that no password has


async def erase(session: AsyncSession, account_id: int) -> None:
    """Remove the name, the texts and the private data of a locked account. Its games and entries stay."""
    account = await session.get_one(Account, account_id)
    await session.execute(update(Erasure).where(Erasure.account_id == account_id).values(done_at=func.now()))
    await names.retire(session, account.username, account_id)
    await ledger.lock(session)
    await ledger.erase_names(session, account_id)
    account.username = f"{CLOSED_PREFIX}{secrets.token_hex(5)}"
    account.password_hash = _NO_PASSWORD
    account.preferences, account.rights = {}, []
    await session.flush()
    for name, personal in personal_tables().items():
        mine = rows_of(account_id, name, personal.owners)
        if personal.erased is None:
            await session.execute(delete(table(name)).where(mine))
        elif personal.erased is not KEEP:
            await session.execute(update(table(name)).where(mine).values(**personal.erased))
