"""The backends that the settings choose: Valkey if they name one, else PostgreSQL."""

from typing import TYPE_CHECKING, TypeAlias

from app.core.database.session import Database
from app.core.parts import Parts
from app.core.realtime.bus import Bus, MemoryBus
from app.core.realtime.hub import Hub
from app.core.realtime.postgres_bus import PostgresBus
from app.core.realtime.postgres_presence import PostgresPresence
from app.core.realtime.presence import Presence
from app.core.settings import Settings
from app.core.supervisor import Supervisor
from app.core.web.throttle import PostgresCounts
from app.live.quota import MemoryQuota

if TYPE_CHECKING:
    from app.server.backends.valkey import ValkeyBackends

Backends: TypeAlias = "PostgresBackends | ValkeyBackends"
"""The parts by which processes work together, each with the same protocol in every backend: `bus` for events,
`presence` for who is connected, `counts` of limited actions, and `checks` of what must work."""


class PostgresBackends:
    """The backends of a server without Valkey."""

    def __init__(self, settings: Settings, database: Database, hub: Hub) -> None:
        self._notify = PostgresBus(hub, database.direct_dsn) if settings.bus == "postgres" else None
        self.bus: Bus = self._notify or MemoryBus(hub)
        self.presence = PostgresPresence(database.pool, self.bus)
        self.counts = PostgresCounts(database.pool)
        self.checks = {"bus": self._notify.echo} if self._notify else {}

    def quota(self, _kind: str, most: float) -> MemoryQuota:
        """Return a limit of live connections, which each process counts by itself."""
        return MemoryQuota(most)

    async def connect(self, supervisor: Supervisor) -> None:
        """Keep the bus running, and return when it is."""
        if self._notify:
            supervisor.keep("bus", self._notify.run)
            await self._notify.listening.wait()

    async def attend(self, supervisor: Supervisor) -> None:
        """Keep the presence of a web process running, and return when it is."""
        supervisor.keep("presence", self.presence.run)
        await self.presence.joined.wait()
        supervisor.keep("departures", self.presence.departures.look)

    async def leave(self) -> None:
        """Close the connections of this process for the others: it shuts down."""
        await self.presence.stop()


def choose(settings: Settings, database: Database, hub: Hub) -> Backends:
    """Return the backends that the settings choose. Raise ImportError if they are not installed."""
    if settings.valkey_url is None:
        return PostgresBackends(settings, database, hub)
    from app.server.backends.valkey import ValkeyBackends  # noqa: PLC0415 - an extra, which not every server has

    return ValkeyBackends(settings.valkey_url, database, hub)


def parts_with(backends: Backends, settings: Settings, database: Database, hub: Hub) -> Parts:
    """Return the parts with which web processes and workers begin."""
    parts = Parts()
    parts.add(Settings, settings)
    parts.add(Database, database)
    parts.add(Hub, hub)
    parts.add(Bus, backends.bus)
    parts.add(Presence, backends.presence)
    return parts
