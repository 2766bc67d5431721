"""The games as one process of the server has them, for tests that hand in the time."""

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor

import asyncpg

from app.database.session import Database
from app.games import creation
from app.games.service import Games
from app.games.timekeeper import Alarm, Timekeeper
from app.identity.models import Account
from app.realtime.bus import MemoryBus
from app.realtime.hub import Hub
from app.realtime.presence import Presence
from tests.support.players import fresh_name


class Worker:
    """One process's games, on a database that others use as well."""

    def __init__(self, database):
        self.database = database
        self.hub = Hub()
        bus = MemoryBus(self.hub)
        self.presence = Presence(database.pool, bus)
        self.alarm = Alarm()
        self.games = Games(database, bus, self.presence, self.alarm)

    async def new_game(self, *, control=None, rated=False, size=8, players=None):
        """Start a game of JadeJack between two registered accounts; gives its state."""
        async with self.database.transaction() as session:
            if players is None:
                accounts = [Account(username=fresh_name(), password_hash="none") for _ in range(2)]
                session.add_all(accounts)
                await session.flush()
                players = [account.id for account in accounts]
            game_id = await creation.create(
                session, "jadejack", {"size": size}, players, control=control, rated=rated
            )
        return await self.games.get(game_id)

    @contextlib.asynccontextmanager
    async def keeping_time(self):
        """Let this process watch deadlines."""
        task = asyncio.create_task(Timekeeper(self.games, self.alarm, self.games.beat).run())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


@contextlib.asynccontextmanager
async def workers(database_url, number):
    """Give so many processes on one database."""
    async with contextlib.AsyncExitStack() as stack:
        found = []
        for _ in range(number):
            database = await Database.open(database_url, pool_size=4)
            stack.push_async_callback(database.close)
            worker = Worker(database)
            writing = asyncio.create_task(worker.games.journal.run())
            stack.callback(writing.cancel)
            found.append(worker)
        yield found


_AGE = """
UPDATE games
SET version = version + 1, clock_since = clock_since - $2 * interval '1 ms',
    deadline = deadline - $2 * interval '1 ms'
WHERE id = $1
"""


async def age(database, game_id, milliseconds):
    """Let a game's clock have begun to run that much earlier."""
    await database.pool.execute(_AGE, game_id, milliseconds)


def age_now(database_url, game_id, milliseconds):
    """Do the same from a test that has no connection."""
    execute(database_url, _AGE, game_id, milliseconds)


def execute(database_url, query, *values):
    """Execute one statement in a test's database."""

    async def run():
        connection = await asyncpg.connect(database_url)
        await connection.execute(query, *values)
        await connection.close()

    # Playwright's loop may run in this thread already.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, run()).result()
