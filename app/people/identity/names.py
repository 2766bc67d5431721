"""Names that nobody may register: those that accounts had, and those that an administrator reserved.

The first lead to the account for a while. Only their hashes are stored, so that a name can be erased and
stay retired. The functions run in the caller's transaction.
"""

import hashlib
from datetime import timedelta

from sqlalchemy import Select, bindparam, exists, func, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.statements import DirectStatement, made_once
from app.core.errors import InvalidError, found
from app.core.i18n.text import _
from app.people.identity.models import Account, ReservedName, RetiredName

_LOOK_ALIKES = str.maketrans("01i5", "olls", "-_")

LEADS_FOR = timedelta(days=90)
"""How long a retired name leads to the account that had it."""


async def retire(session: AsyncSession, name: str, account_id: int) -> None:
    """Keep others from registering a name that an account gives up."""
    statement = insert(RetiredName).values(name_hash=_hash(name), account_id=account_id)
    await session.execute(statement.on_conflict_do_nothing())


async def is_withheld(session: AsyncSession, name: str) -> bool:
    """Return whether nobody may register a name: an account had it, or one that looks like it is reserved."""
    is_retired = exists().where(RetiredName.name_hash == _hash(name))
    is_reserved = exists().where(ReservedName.folded.in_(foldings(name)))
    return bool(await session.scalar(select(or_(is_retired, is_reserved))))


def folded(name: str) -> str:
    """Return a name without its hyphens, and with one of each group of look-alike characters."""
    return name.lower().translate(_LOOK_ALIKES)


def foldings(name: str) -> frozenset[str]:
    """Return what a name looks like: itself, and itself without a number at its end."""
    return frozenset((folded(name), folded(name.rstrip("0123456789"))))


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
    return found(await find(session, name), "player")


async def other_player(session: AsyncSession, name: str, account_id: int) -> Account:
    """Return the account that `find` finds. Raise NotFoundError, InvalidError `yourself` for one's own."""
    account = await player(session, name)
    if account.id == account_id:
        raise InvalidError("yourself", _("That is your own account. Choose another player."))
    return account


def _hash(name: str) -> bytes:
    return hashlib.sha256(name.lower().encode(errors="replace")).digest()
