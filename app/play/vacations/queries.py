"""Vacations as they are stored."""

from collections.abc import Sequence

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.moments import from_datetime, to_datetime
from app.people.identity.models import Account, Vacation
from app.play.vacations.decisions import Allowance, at_first
from engine.counted_time import Stop


async def allowance_of(session: AsyncSession, account_id: int) -> Allowance:
    """Return the allowance of an account."""
    row = await session.get(Vacation, account_id)
    if row is None:
        account = await session.get_one(Account, account_id)
        return at_first(from_datetime(account.created_at))
    return Allowance(row.saved, from_datetime(row.counted_at), _vacation(row))


async def lock_out_games(session: AsyncSession, account_id: int) -> None:
    """Lock an account until the transaction ends: no game of it begins meanwhile.

    This waits for rows that refer to the account, so the transaction locks nothing else.
    """
    await session.execute(select(Account.id).where(Account.id == account_id).with_for_update())


async def save(session: AsyncSession, account_id: int, allowance: Allowance) -> None:
    """Store the allowance of an account after its vacation has changed."""
    assert allowance.vacation is not None
    since, until = map(to_datetime, allowance.vacation)
    columns = {
        "saved": allowance.saved,
        "counted_at": to_datetime(allowance.counted_at),
        "since": since,
        "until": until,
        "is_settled": False,
    }
    row = insert(Vacation).values(account_id=account_id, **columns)
    await session.execute(row.on_conflict_do_update(index_elements=["account_id"], set_=columns))


async def not_settled(session: AsyncSession) -> Sequence[int]:
    """Return the accounts with a change of their vacation that not all of their games know of."""
    return (await session.scalars(select(Vacation.account_id).where(~Vacation.is_settled))).all()


async def settle(session: AsyncSession, account_id: int, vacation: Stop) -> None:
    """Store that all games of an account know of its vacation, unless that has changed meanwhile."""
    since, until = map(to_datetime, vacation)
    same = Vacation.account_id == account_id, Vacation.since == since, Vacation.until == until
    await session.execute(update(Vacation).where(*same).values(is_settled=True))


def _vacation(row: Vacation) -> Stop | None:
    if row.since is None or row.until is None:
        return None
    return from_datetime(row.since), from_datetime(row.until)
