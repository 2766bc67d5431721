"""Events between processes. They are hints: readers cope with lost, repeated and late ones."""

import asyncio
import contextlib
import secrets
from typing import Annotated, Protocol

import asyncpg
import orjson
import structlog
from pydantic import Field, TypeAdapter

from app.events import Event
from app.realtime.hub import Hub

log = structlog.get_logger()

_CHANNEL = "gorrion"
_PAYLOAD_LIMIT = 7_000  # bytes; PostgreSQL takes just under 8,000
_RETRY_AFTER = 1.0  # seconds
_PAUSE = 0.002  # seconds between two NOTIFYs, in which events gather; the first is sent at once


_EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])


class Bus(Protocol):
    """Carries events to the hub of every process, this one included."""

    def publish(self, event: Event) -> None:
        """Publish an event that is already committed, without waiting for its delivery."""

    async def start(self) -> None:
        """Start carrying events."""

    async def stop(self) -> None:
        """Stop carrying events."""

    def is_healthy(self) -> bool:
        """Return whether events of other processes arrive."""


class MemoryBus:
    """The bus of a server that is a single process."""

    def __init__(self, hub: Hub) -> None:
        self.publish = hub.publish

    async def start(self) -> None:
        """Do nothing: there are no other processes."""

    async def stop(self) -> None:
        """Do nothing: there are no other processes."""

    def is_healthy(self) -> bool:
        """Return True: there are no other processes."""
        return True


class PostgresBus:
    """Events by NOTIFY: gathered, and sent outside of every transaction that writes a move.

    (NOTIFY within such a transaction would make all commits wait for each other.)
    """

    def __init__(self, hub: Hub, dsn: str) -> None:
        self._hub = hub
        self._dsn = dsn
        self._origin = secrets.token_hex(8)
        self._outbox: list[Event] = []
        self._filled = asyncio.Event()
        self._healthy = False
        self._task: asyncio.Task[None] | None = None

    def publish(self, event: Event) -> None:
        """Pass an event to this process's hub now, and to the others with the next NOTIFY."""
        self._hub.publish(event)
        self._outbox.append(event)
        self._filled.set()

    async def start(self) -> None:
        """Connect, listen and send until `stop`; reconnect after a lost connection."""
        connection = await self._listen()
        self._task = asyncio.create_task(self._carry(connection))

    async def stop(self) -> None:
        """Stop listening and close the connection."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def is_healthy(self) -> bool:
        """Return whether the listening connection is open."""
        return self._healthy

    async def _listen(self) -> "asyncpg.Connection[asyncpg.Record]":
        connection = await asyncpg.connect(self._dsn)
        await connection.add_listener(_CHANNEL, self._heard)
        self._healthy = True
        return connection

    async def _carry(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        while True:
            connection.add_termination_listener(self._lost)
            try:
                await self._send(connection)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                log.warning("bus_lost", error=repr(error))
            finally:
                self._healthy = False
                connection.terminate()
            connection = await self._reconnect()
            # Events may have been missed in the meantime.
            self._hub.resync()

    async def _reconnect(self) -> "asyncpg.Connection[asyncpg.Record]":
        while True:
            await asyncio.sleep(_RETRY_AFTER)
            with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                return await self._listen()

    async def _send(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        while True:
            await self._filled.wait()
            self._filled.clear()
            if connection.is_closed():
                raise ConnectionError("the listening connection was closed")
            waiting, self._outbox = self._outbox, []
            for payload in self._payloads(waiting):
                await connection.execute("SELECT pg_notify($1, $2)", _CHANNEL, payload)
            await asyncio.sleep(_PAUSE)

    def _payloads(self, waiting: list[Event]) -> list[str]:
        """Return the events as few JSON arrays, each within PostgreSQL's limit and headed by our name."""
        payloads: list[str] = []
        batch = [self._origin_json]
        size = len(self._origin_json)
        for event in waiting:
            text = orjson.dumps(event).decode()
            if len(batch) > 1 and size + len(text) > _PAYLOAD_LIMIT:
                payloads.append(f"[{','.join(batch)}]")
                batch, size = [self._origin_json], len(self._origin_json)
            batch.append(text)
            size += len(text) + 1
        return [*payloads, f"[{','.join(batch)}]"]

    @property
    def _origin_json(self) -> str:
        return f'"{self._origin}"'

    def _heard(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        origin, *events = orjson.loads(str(payload))
        if origin != self._origin:
            for event in events:
                self._hub.publish(_EVENT.validate_python(event))

    def _lost(self, _connection: object) -> None:
        # Wakes the sender, which finds the connection closed.
        self._filled.set()
