"""The commands on vacations, and stopping the clocks of all games for them.

The vacation is committed first. Each game then gets a step of its own, a few at a time, so that no move waits
long; a schedule goes on with what a process that ended has left.
"""

import asyncio
import contextlib

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database, reads_now
from app.core.database.unreadable import UnreadableError
from app.core.i18n.text import _
from app.core.moments import from_datetime, now, to_datetime
from app.people.identity.locking import lock_account
from app.people.identity.models import Account, Vacation
from app.people.identity.service import Identity, check_registered
from app.play.games.queries import in_correspondence
from app.play.games.service import Games
from app.play.vacations import decisions
from app.play.vacations.decisions import VacationAllowance, at_first
from engine.counted_time import Stop

_AT_ONCE = 8  # games


async def allowance_of(session: AsyncSession, account_id: int) -> VacationAllowance:
    """Return the allowance of an account."""
    row = await session.get(Vacation, account_id)
    if row is None:
        account = await session.get_one(Account, account_id)
        return at_first(from_datetime(account.created_at))
    return VacationAllowance(row.saved, from_datetime(row.counted_at), _vacation(row))


class Vacations:
    """The vacations of accounts."""

    def __init__(self, database: Database, games: Games) -> None:
        self._database = database
        self._games = games

    allowance = reads_now(allowance_of)

    async def begin(self, identity: Identity, days: int) -> VacationAllowance:
        """Begin a vacation of some days and stop the clocks of an account.

        Raise NeedsAccountError for a guest, ConflictError as `decisions.begin` does.
        """
        check_registered(identity, _("Register to go on vacation."))
        async with self._database.reading_now() as session:
            game_ids = await in_correspondence(session, identity.id)
        games = await self._games.readable(game_ids)
        async with self._database.transaction() as session:
            await _lock_out_games(session, identity.id)
            before = await allowance_of(session, identity.id)
            after = decisions.begin(before, days, games, identity.id, now())
            await save(session, identity.id, after)
        await self._settle(identity.id)
        return after

    async def end(self, identity: Identity) -> VacationAllowance:
        """End the vacation of an account, if it is on vacation; its clocks run again."""
        async with self._database.transaction() as session:
            await _lock_out_games(session, identity.id)
            before = await allowance_of(session, identity.id)
            if before.until(now()) is None:
                return before
            after = before.ended(now())
            await save(session, identity.id, after)
        await self._settle(identity.id)
        return after

    async def catch_up(self) -> None:
        """Stop or start the clocks that a process had not come to when it ended."""
        async with self._database.reading_now() as session:
            changed = select(Vacation.account_id).where(~Vacation.is_settled)
            account_ids = (await session.scalars(changed)).all()
        for account_id in account_ids:
            await self._settle(account_id)

    async def _settle(self, account_id: int) -> None:
        async with self._database.reading_now() as session:
            vacation = (await allowance_of(session, account_id)).vacation
            game_ids = await in_correspondence(session, account_id)
        assert vacation is not None
        few = asyncio.Semaphore(_AT_ONCE)
        await asyncio.gather(*(self._set(game_id, account_id, few) for game_id in game_ids))
        async with self._database.transaction() as session:
            await lock_account(session, account_id)
            if not set(game_ids).issuperset(await in_correspondence(session, account_id)):
                return  # games came along meanwhile, as from a guest: `catch_up` comes to them
            # Unless it has changed meanwhile.
            since, until = map(to_datetime, vacation)
            same = Vacation.account_id == account_id, Vacation.since == since, Vacation.until == until
            await session.execute(update(Vacation).where(*same).values(is_settled=True))

    async def _set(self, game_id: str, account_id: int, few: asyncio.Semaphore) -> None:
        async with few:
            with contextlib.suppress(UnreadableError):
                await self._games.set_vacation(game_id, account_id)


async def _lock_out_games(session: AsyncSession, account_id: int) -> None:
    """Lock an account until the transaction ends: no game of it begins meanwhile.

    This waits for rows that refer to the account, so the transaction locks nothing else.
    """
    await session.execute(select(Account.id).where(Account.id == account_id).with_for_update())


async def save(session: AsyncSession, account_id: int, allowance: VacationAllowance) -> None:
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


def _vacation(row: Vacation) -> Stop | None:
    if row.since is None or row.until is None:
        return None
    return from_datetime(row.since), from_datetime(row.until)
