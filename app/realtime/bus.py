"""Events between processes. They are hints: readers cope with lost, repeated and late ones."""

import asyncio
import contextlib
import secrets
from typing import Protocol

import asyncpg
import msgspec
import structlog

from app.events import Event
from app.realtime.hub import Hub

log = structlog.get_logger()

_CHANNEL = "gorrion"
_PAYLOAD_LIMIT = 7_000  # bytes; PostgreSQL takes just under 8,000
_RETRY_AFTER = 1.0  # seconds
_PAUSE = 0.002  # seconds between two NOTIFYs, in which events gather; the first is sent at once


_NOTIFY = "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload"

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(list[Event])


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
            await connection.execute(_NOTIFY, _CHANNEL, self._payloads(waiting))
            await asyncio.sleep(_PAUSE)

    def _payloads(self, waiting: list[Event]) -> list[str]:
        """Return the events as few JSON arrays, each within PostgreSQL's limit and headed by our name."""
        payloads: list[str] = []
        texts: list[str] = []
        size = 0
        for event in waiting:
            text = _encoder.encode(event).decode()
            if texts and size + len(text) > _PAYLOAD_LIMIT:
                payloads.append(f"{self._origin}[{','.join(texts)}]")
                texts, size = [], 0
            texts.append(text)
            size += len(text) + 1
        return [*payloads, f"{self._origin}[{','.join(texts)}]"]

    def _heard(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        text = str(payload)
        if not text.startswith(self._origin):
            for event in _decoder.decode(text[len(self._origin) :]):
                self._hub.publish(event)

    def _lost(self, _connection: object) -> None:
        # Wakes the sender, which finds the connection closed.
        self._filled.set()
