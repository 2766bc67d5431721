"""Names that accounts had: nobody else can register them, and for a while they lead to the account.

Only hashes are stored, so that a name can be erased and stay retired. The functions run in the caller's
transaction.
"""

import hashlib
from datetime import timedelta

from sqlalchemy import Select, bindparam, exists, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.statements import DirectStatement, made_once
from app.core.errors import InvalidError, NotFoundError
from app.core.i18n.text import _
from app.people.identity.models import Account, RetiredName

LEADS_FOR = timedelta(days=90)
"""How long a retired name leads to the account that had it."""


async def retire(session: AsyncSession, name: str, account_id: int) -> None:
    """Keep others from registering a name that an account gives up."""
    statement = insert(RetiredName).values(name_hash=_hash(name), account_id=account_id)
    await session.execute(statement.on_conflict_do_nothing())


async def is_retired(session: AsyncSession, name: str) -> bool:
    """Return whether nobody may register a name any more."""
    return await session.get(RetiredName, _hash(name)) is not None


async def find(session: AsyncSession, name: str) -> Account | None:
    """Return the account that has a name, in upper or lower case, or had it until lately; or None."""
    # PostgreSQL's text cannot contain NUL, so no name does.
    if "\0" in name:
        return None
    present: Account | None = await session.scalar(*_of_name(name.lower()))
    return present or await session.scalar(
        select(Account)
        .join(RetiredName, RetiredName.account_id == Account.id)
        .where(RetiredName.name_hash == _hash(name), RetiredName.retired_at > func.now() - LEADS_FOR)
    )


@made_once
def _of_name(name: str) -> Select[Account]:
    return select(Account).where(func.lower(Account.username) == name)


async def is_present(database: Database, name: str) -> bool:
    """Return whether an account has a name, in upper or lower case."""
    return "\0" not in name and await _IS_PRESENT.is_true(database.pool, name=name.lower())


_IS_PRESENT = DirectStatement(select(exists().where(func.lower(Account.username) == bindparam("name"))))


async def player(session: AsyncSession, name: str) -> Account:
    """Return the account that `find` finds. Raise NotFoundError."""
    account = await find(session, name)
    if account is None:
        raise NotFoundError("player")
    return account


async def other_player(session: AsyncSession, name: str, account_id: int) -> Account:
    """Return the account that `find` finds. Raise NotFoundError, InvalidError `yourself` for one's own."""
    account = await player(session, name)
    if account.id == account_id:
        raise InvalidError("yourself", _("That is your own account. Choose another player."))
    return account


def _hash(name: str) -> bytes:
    return hashlib.sha256(name.lower().encode(errors="replace")).digest()
