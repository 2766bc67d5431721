"""Announcements between processes. They are hints: lost, doubled or late ones do no harm."""

import asyncio
import contextlib
import secrets
from typing import Protocol

import asyncpg
import orjson
import structlog

from app.realtime.hub import Announcement, Hub

log = structlog.get_logger()

_CHANNEL = "gorrion"
_PAYLOAD_LIMIT = 7_000  # bytes; PostgreSQL takes just under 8,000
_RETRY_AFTER = 1.0  # seconds


class Bus(Protocol):
    """Carries announcements to the hub of every process, this one included."""

    def announce(self, topic: str, detail: str) -> None:
        """Say that something changed. Returns at once."""

    async def start(self) -> None:
        """Begin to carry."""

    async def stop(self) -> None:
        """Carry no more."""

    def is_healthy(self) -> bool:
        """Tell whether other processes' announcements are being heard."""


class MemoryBus:
    """The bus of a server that is a single process."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def announce(self, topic: str, detail: str) -> None:
        """Hand the announcement to this process's hub."""
        self._hub.publish(Announcement(topic, detail))

    async def start(self) -> None:
        """Need nothing."""

    async def stop(self) -> None:
        """Need nothing."""

    def is_healthy(self) -> bool:
        """Tell that all is well: there is nobody else to hear."""
        return True


class PostgresBus:
    """Announcements by NOTIFY: gathered, and sent outside of every transaction that writes a move.

    (NOTIFY within such a transaction would make all commits wait for each other.)
    """

    def __init__(self, hub: Hub, dsn: str) -> None:
        self._hub = hub
        self._dsn = dsn
        self._origin = secrets.token_hex(8)
        self._outbox: list[tuple[str, str]] = []
        self._filled = asyncio.Event()
        self._healthy = False
        self._task: asyncio.Task[None] | None = None

    def announce(self, topic: str, detail: str) -> None:
        """Hand the announcement to this process's hub now, and to the others with the next NOTIFY."""
        self._hub.publish(Announcement(topic, detail))
        self._outbox.append((topic, detail))
        self._filled.set()

    async def start(self) -> None:
        """Connect, listen and send until `stop`; a lost connection is made anew."""
        connection = await self._listen()
        self._task = asyncio.create_task(self._carry(connection))

    async def stop(self) -> None:
        """Stop listening and close the connection."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def is_healthy(self) -> bool:
        """Tell whether the connection that listens is up."""
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
            # Others may have spoken while nobody listened.
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
                raise ConnectionError("the connection that listens was closed")
            waiting, self._outbox = self._outbox, []
            for payload in self._payloads(waiting):
                await connection.execute("SELECT pg_notify($1, $2)", _CHANNEL, payload)

    def _payloads(self, waiting: list[tuple[str, str]]) -> list[str]:
        payloads: list[str] = []
        batch: list[tuple[str, str]] = []
        size = 0
        for topic, detail in waiting:
            length = len(topic) + len(detail) + 8
            if batch and size + length > _PAYLOAD_LIMIT:
                payloads.append(self._payload(batch))
                batch, size = [], 0
            batch.append((topic, detail))
            size += length
        if batch:
            payloads.append(self._payload(batch))
        return payloads

    def _payload(self, batch: list[tuple[str, str]]) -> str:
        return orjson.dumps({"from": self._origin, "said": batch}).decode()

    def _heard(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        message = orjson.loads(str(payload))
        if message["from"] != self._origin:
            for topic, detail in message["said"]:
                self._hub.publish(Announcement(topic, detail))

    def _lost(self, _connection: object) -> None:
        # Wakes the sender, which finds the connection closed.
        self._filled.set()
