"""The games of a web process, without its server: for tests that choose the moment of each step."""

import asyncio
import contextlib

from app.core.database.session import Database
from app.core.parts import Parts
from app.core.realtime.bus import Bus, MemoryBus
from app.core.realtime.hub import Hub
from app.core.realtime.postgres_presence import PostgresPresence
from app.core.realtime.presence import Presence
from app.play.games import creation
from app.play.games.service import Games
from tests.support.accounts import new_accounts


class WatchingPresence(PostgresPresence):
    """The presence of a process that has been watching for ever, so that tests write absences themselves."""

    watching_since = 0


class WebProcess:
    """The parts of one web process, on a database that other processes use as well."""

    def __init__(self, database):
        self.database = database
        self.hub = Hub()
        self.bus = MemoryBus(self.hub)
        self.presence = WatchingPresence(database.pool, self.bus)
        self.parts = Parts()
        self.parts.add(Database, database)
        self.parts.add(Hub, self.hub)
        self.parts.add(Bus, self.bus)
        self.parts.add(Presence, self.presence)
        self.games = self.parts.get(Games)

    async def begin(self, rules, options, opening):
        """Start a game of some rules after an opening. Return its id, and those of its new players."""
        async with self.database.transaction() as session:
            ids = [person.id for person in await new_accounts(session, len(rules.sides))]
            return await creation.create(session, rules.key, options, ids, opening=opening), ids

    async def new_game(self, *, control=None, rated=False, size=8, players=None):
        """Start a game of JadeJack between two registered accounts and return its state."""
        async with self.database.transaction() as session:
            if players is None:
                players = [account.id for account in await new_accounts(session, 2)]
            game_id = await creation.create(
                session, "jadejack", {"size": size}, players, control=control, rated=rated
            )
        return await self.games.get(game_id)

    @contextlib.asynccontextmanager
    async def keeping_time(self):
        """Make this process end games at their deadlines."""
        task = asyncio.create_task(self.games.timekeeper.run())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


@contextlib.asynccontextmanager
async def web_processes(database_url, number):
    """Run `number` web processes on one database."""
    async with contextlib.AsyncExitStack() as stack:
        processes = []
        for _ in range(number):
            database = await stack.enter_async_context(Database.opened(database_url, pool_size=4))
            process = WebProcess(database)
            writing = asyncio.create_task(process.games.journal.run())
            stack.callback(writing.cancel)
            processes.append(process)
        yield processes
