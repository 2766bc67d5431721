"""The commands on vacations, and stopping the clocks of all games for them.

The vacation is committed first. Each game then gets a step of its own, a few at a time, so that no move waits
long; a schedule goes on with what a process that ended has left.
"""

import asyncio
import contextlib

from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError
from app.core.i18n.text import _
from app.core.moments import now
from app.people.identity.service import Identity, check_registered
from app.play.games.queries import in_correspondence
from app.play.games.service import Games
from app.play.vacations import decisions, queries
from app.play.vacations.decisions import Allowance

_AT_ONCE = 8  # games


class Vacations:
    """The vacations of accounts."""

    def __init__(self, database: Database, games: Games) -> None:
        self._database = database
        self._games = games

    async def allowance(self, identity: Identity) -> Allowance:
        """Return the allowance of an account."""
        async with self._database.reading_now() as session:
            return await queries.allowance_of(session, identity.id)

    async def begin(self, identity: Identity, days: int) -> Allowance:
        """Begin a vacation of some days and stop the clocks of an account.

        Raise NeedsAccountError for a guest, ConflictError as `decisions.begin` does.
        """
        check_registered(identity, _("Register to go on vacation."))
        async with self._database.reading_now() as session:
            game_ids = await in_correspondence(session, identity.id)
        games = await self._games.readable(game_ids)
        async with self._database.transaction() as session:
            await queries.lock_out_games(session, identity.id)
            before = await queries.allowance_of(session, identity.id)
            after = decisions.begin(before, days, games, identity.id, now())
            await queries.save(session, identity.id, after)
        await self._settle(identity.id)
        return after

    async def end(self, identity: Identity) -> Allowance:
        """End the vacation of an account, if it is on vacation; its clocks run again."""
        async with self._database.transaction() as session:
            await queries.lock_out_games(session, identity.id)
            before = await queries.allowance_of(session, identity.id)
            if before.until(now()) is None:
                return before
            after = before.ended(now())
            await queries.save(session, identity.id, after)
        await self._settle(identity.id)
        return after

    async def catch_up(self) -> None:
        """Stop or start the clocks that a process had not come to when it ended."""
        async with self._database.reading_now() as session:
            account_ids = await queries.not_settled(session)
        for account_id in account_ids:
            await self._settle(account_id)

    async def _settle(self, account_id: int) -> None:
        """Set the vacation of an account in all of its games."""
        async with self._database.reading_now() as session:
            vacation = (await queries.allowance_of(session, account_id)).vacation
            game_ids = await in_correspondence(session, account_id)
        assert vacation is not None
        few = asyncio.Semaphore(_AT_ONCE)
        await asyncio.gather(*(self._set(game_id, account_id, few) for game_id in game_ids))
        async with self._database.transaction() as session:
            await queries.settle(session, account_id, vacation)

    async def _set(self, game_id: str, account_id: int, few: asyncio.Semaphore) -> None:
        async with few:
            with contextlib.suppress(UnreadableError):
                await self._games.set_vacation(game_id, account_id)
