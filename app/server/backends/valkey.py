"""Everything in Valkey. While that is away, each process goes on by itself."""

import asyncio
import contextlib
from typing import TYPE_CHECKING

from app.core.database.session import Database
from app.core.realtime.hub import Hub
from app.core.realtime.roster import Roster
from app.core.realtime.valkey_bus import ValkeyBus
from app.core.realtime.valkey_presence import ValkeyPresence
from app.core.supervisor import Engine, Supervisor
from app.core.valkey import Valkey
from app.core.web.throttle import PostgresCounts
from app.core.web.valkey_counts import ValkeyCounts
from app.live.valkey_quota import ValkeyQuota

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.core.web.health import Check

_CONNECT_WITHIN = 3.0  # seconds in which Valkey answers, or the process starts without it


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
