"""What an account leaves when it is closed or excluded from rated play: challenges, tournaments, games."""

import contextlib
from datetime import timedelta

import structlog
from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.tournaments.entering import Entering
from app.core.database.session import Database, is_unavailable
from app.core.errors import AppError
from app.core.moments import now
from app.people.identity import sanctions
from app.people.identity.models import Account
from app.people.identity.sanctions import SanctionKind
from app.play.games.decisions import Command
from app.play.games.queries import for_two
from app.play.games.service import Games
from app.play.lobby.service import Lobby
from app.site.accounts.models import Departure

log = structlog.get_logger()

_SETTLED = timedelta(seconds=15)  # in which every request has ended that was begun before
_MOST_GAMES = 500  # under way
_AT_ONCE = 50


async def note_departure(session: AsyncSession, account_id: int) -> None:
    """Note that an account leaves, in the transaction that closes or excludes it; then call `leave`."""
    statement = insert(Departure).values(account_id=account_id)
    await session.execute(
        statement.on_conflict_do_update(index_elements=["account_id"], set_={"since": func.now()})
    )


class Departures:
    """The accounts that leave.

    What an account leaves is left twice: at once, and some seconds later by a schedule, for what a request
    that was already under way has added, or if the server was stopped in between.
    """

    def __init__(self, database: Database, games: Games, lobby: Lobby, entering: Entering) -> None:
        self._database = database
        self._games = games
        self._lobby = lobby
        self._entering = entering

    async def leave(self, account_id: int) -> None:
        """Leave all challenges, tournaments and games of a closed account.

        One that is excluded from rated play leaves its challenges and rated tournaments.
        """
        async with self._database.reading_now() as session:
            account = await session.get_one(Account, account_id)
            is_excluded = SanctionKind.NO_RATED in await sanctions.of_account(session, account_id)
        if account.closed_at is not None or is_excluded:
            await self._lobby.withdraw_all(account_id)
            await self._entering.recheck(account_id)
        if account.closed_at is not None:
            await self._resign(account_id)

    async def finish(self) -> None:
        """Complete the departures that began some seconds ago."""
        is_settled = Departure.since < func.now() - _SETTLED
        async with self._database.reading_now() as session:
            settled = await session.execute(
                select(Departure.account_id, Departure.since).where(is_settled).limit(_AT_ONCE)
            )
        for account_id, since in settled.all():
            try:
                await self.leave(account_id)
            except Exception as error:
                if is_unavailable(error):
                    raise
                log.exception("departure_failed", account=account_id)  # others must go on
                continue
            is_same = Departure.account_id == account_id, Departure.since == since
            async with self._database.transaction() as session:
                await session.execute(delete(Departure).where(*is_same))

    async def _resign(self, account_id: int) -> None:
        for game in await self._games.under_way(account_id, for_two(), limit=_MOST_GAMES):
            with contextlib.suppress(AppError):  # it has just ended
                await self._games.command(Command.RESIGN, game.id, account_id, at=now())
