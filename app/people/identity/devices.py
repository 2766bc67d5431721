"""Browsers in which accounts have logged in before, named by a cookie that outlives sessions."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import exists, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.people.identity.models import Account, Device
from app.people.identity.service import token_hash

LIFETIME = timedelta(days=400)
"""How long a browser is known after its last log-in; browsers keep no cookie for longer."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks: an account, None for a visitor, and the device token of the browser, None for a program."""

    account_id: int | None
    device: str | None = None


async def remember(session: AsyncSession, account: Account, token: str) -> None:
    """Store that an account has logged in in the browser with a device token."""
    statement = insert(Device).values(token_hash=token_hash(token), account_id=account.id)
    await session.execute(
        statement.on_conflict_do_update(
            index_elements=[Device.token_hash, Device.account_id], set_={Device.used_at: func.now()}
        )
    )


async def accounts(session: AsyncSession, person: Person) -> frozenset[int]:
    """Return the ids of a person's accounts: of the one that asks, and of all known in the same browser."""
    own = frozenset(() if person.account_id is None else (person.account_id,))
    if person.device is None:
        return own
    known = select(Device.account_id).where(Device.token_hash == token_hash(person.device))
    return own.union(await session.scalars(known.where(Device.used_at > func.now() - LIFETIME)))


async def is_known(session: AsyncSession, username: str, token: str) -> bool:
    """Return whether the account with a username has logged in in the browser with a device token."""
    known = exists().where(
        Device.token_hash == token_hash(token),
        Device.used_at > func.now() - LIFETIME,
        Device.account_id == Account.id,
        func.lower(Account.username) == username.lower(),
    )
    return bool(await session.scalar(select(known)))
