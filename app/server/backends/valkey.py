"""Everything in Valkey. While that is away, each process goes on by itself."""

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from app.core.database.session import Database
from app.core.realtime.hub import Hub
from app.core.realtime.roster import Number, Roster
from app.core.realtime.valkey_bus import ValkeyBus
from app.core.realtime.valkey_presence import ValkeyPresence
from app.core.supervisor import Engine, Supervisor
from app.core.valkey import PREFIX, Client, Valkey
from app.core.web.throttle import Counts, Limit, PostgresCounts, digest
from app.live.quota import MemoryQuota, refuse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.core.web.health import Check

_CONNECT_WITHIN = 3.0  # seconds in which Valkey answers, or the process starts without it

# The window begins with its first action, by Valkey's clock, which no process can set wrong.
_COUNT = """
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {hits, redis.call('TTL', KEYS[1])}
"""


class ValkeyCounts:
    """Counts everything in Valkey; while that is away, as a server without it."""

    def __init__(self, valkey: Valkey, meanwhile: Counts) -> None:
        self._valkey = valkey
        self._meanwhile = meanwhile

    async def count(self, limit: Limit, who: str, times: int = 1) -> int | None:
        """Count an action of `who`, as `Counts` says."""
        key = f"{PREFIX}limit:{digest(limit, who).hex()}"

        async def ask(client: Client) -> tuple[int, int]:
            hits, seconds = await client.eval(_COUNT, 1, key, str(limit.seconds))
            return hits, seconds

        counted = await self._valkey.ask(ask)
        if counted is None:
            return await self._meanwhile.count(limit, who, times)
        hits, seconds = counted
        return seconds if hits > limit.most * times else None


class ValkeyQuota:
    """Counts the connections of all processes; while Valkey is away, those of this process."""

    def __init__(self, valkey: Valkey, roster: Roster, kind: str, most: float) -> None:
        self._valkey = valkey
        self._roster = roster
        self._prefix = f"{PREFIX}{kind}:"
        self._own = MemoryQuota(most)

    async def check(self, who: int | str) -> None:
        """Raise TooManyConnectionsError if no further connection is allowed."""
        await self._own.check(who)
        if await self._total(who) >= self._own.most:
            refuse()

    @contextlib.asynccontextmanager
    async def hold(self, who: int | str) -> AsyncIterator[None]:
        """Count one more connection within the context. Raise TooManyConnectionsError."""
        try:
            async with self._own.hold(who):
                self._put(who)
                # First the count, then the look at all of them: of two processes, one sees both.
                await self._roster.stored()
                if await self._total(who) > self._own.most:
                    refuse()
                yield
        finally:
            self._put(who)

    def _put(self, who: int | str) -> None:
        self._roster.put(Number(self._key(who), ""), self._own.open[who])

    async def _total(self, who: int | str) -> int:
        numbers = await self._valkey.ask(lambda client: client.hvals(self._key(who)))
        return sum(map(int, numbers or ()))

    def _key(self, who: int | str) -> str:
        """Return the key of an account or address, which does not show whose it is."""
        return self._prefix + hashlib.sha256(str(who).encode()).hexdigest()


class ValkeyBackends:
    """The backends of a server with Valkey."""

    def __init__(self, url: str, database: Database, hub: Hub) -> None:
        self._valkey = Valkey(url)
        self._roster = Roster(self._valkey)
        self.bus = ValkeyBus(hub, self._valkey)
        self.presence = ValkeyPresence(self._valkey, self._roster, self.bus)
        self.counts = ValkeyCounts(self._valkey, PostgresCounts(database.pool))
        self.checks: Mapping[str, Check] = {}  # the server is ready without Valkey

    def quota(self, kind: str, most: float) -> ValkeyQuota:
        """Return a limit of live connections, counted for all processes together."""
        return ValkeyQuota(self._valkey, self._roster, kind, most)

    async def connect(self, supervisor: Supervisor) -> None:
        """Keep the connection to Valkey, and return when it is there, or after three seconds without it."""
        supervisor.keep("valkey", self._valkey.run, Engine("valkey", self._valkey.answers))
        supervisor.keep("lookout", self.bus.look_meanwhile)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CONNECT_WITHIN):
                await self.bus.connected.wait()
                await self._roster.joined.wait()

    async def attend(self, supervisor: Supervisor) -> None:
        """Keep looking for accounts that went offline."""
        supervisor.keep("departures", self.presence.departures.look)

    async def leave(self) -> None:
        """Close the connections of this process for the others: it shuts down."""
        await self._roster.leave()
