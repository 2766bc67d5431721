"""Events between processes by PostgreSQL's NOTIFY: every process receives all of them."""

import asyncio
import contextlib
import secrets
from collections.abc import Iterator

import asyncpg
import msgspec

from app.core.database.session import is_unavailable
from app.core.events import Event, EventDecoder, Resync
from app.core.realtime.hub import Hub

_CHANNEL = "gorrion"
_PAYLOAD_LIMIT = 7_000  # bytes; PostgreSQL takes just under 8,000
_MOST_ACCOUNTS = 300  # in an event, which then fits into a payload
_MOST_WAITING = 10_000  # events to send; of more, readers are told to look
_ANSWER_WITHIN = 5.0  # seconds in which PostgreSQL answers, or the connection is lost
_LONGEST_SILENCE = 5.0  # seconds between two messages
_PAUSE = 0.002  # seconds between two NOTIFYs, in which events gather; the first is sent at once


_NOTIFY = "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload"

_encoder = msgspec.json.Encoder()


class PostgresBus:
    """Events by NOTIFY: gathered, and sent outside of every transaction that writes a move.

    NOTIFY within such a transaction would make all commits wait for each other.
    """

    def __init__(self, hub: Hub, dsn: str) -> None:
        self.listening = asyncio.Event()
        self._hub = hub
        self._dsn = dsn
        self._origin = secrets.token_hex(8)
        self._decoder = EventDecoder()
        self._outbox: list[Event | Resync] = []
        self._filled = asyncio.Event()
        self._echoes: set[asyncio.Future[None]] = set()

    def publish(self, *events: Event) -> None:
        """Publish events to this process's hub now, and to the others with the next NOTIFY."""
        self._hub.publish(*events)
        self._send_soon(*events)

    def resync(self) -> None:
        """Let every reader of every process look again."""
        self._hub.resync()
        self._send_soon(Resync())

    def _send_soon(self, *events: Event | Resync) -> None:
        self._outbox += events
        if len(self._outbox) > _MOST_WAITING:
            self._outbox = [Resync()]
        if self._outbox:
            self._filled.set()

    async def echo(self) -> None:
        """Return when a message that this process sent has come back from PostgreSQL."""
        echo = asyncio.get_running_loop().create_future()
        self._echoes.add(echo)
        self._filled.set()
        try:
            await echo
        finally:
            self._echoes.discard(echo)

    async def run(self) -> None:
        """Connect, listen and send until cancelled. Raise an exception when the connection is lost."""
        connection = await asyncpg.connect(self._dsn, timeout=_ANSWER_WITHIN, command_timeout=_ANSWER_WITHIN)
        try:
            connection.add_termination_listener(self._lost)
            await connection.add_listener(_CHANNEL, self._heard)
            self.listening.set()
            # Events of other processes may have been lost before.
            self._hub.resync()
            await self._send(connection)
        finally:
            self.listening.clear()
            connection.terminate()

    async def _send(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        while not connection.is_closed():
            waiting, self._outbox = self._outbox, []
            # With nothing to send, an empty message: the connection may be dead without a sign of it.
            try:
                await connection.execute(_NOTIFY, _CHANNEL, self._payloads(waiting))
            except BaseException as error:
                # The next connection sends them, some perhaps again. What PostgreSQL refuses, it always will,
                # so the listeners read there what they were not sent.
                is_refused = isinstance(error, Exception) and not is_unavailable(error)
                later, self._outbox = self._outbox, [Resync()] if is_refused else waiting
                self._send_soon(*later)
                raise
            await asyncio.sleep(_PAUSE)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LONGEST_SILENCE):
                    await self._filled.wait()
            self._filled.clear()
        raise ConnectionError("the listening connection was closed")

    def _payloads(self, waiting: list[Event | Resync]) -> list[str]:
        """Return the events as few JSON arrays, each within PostgreSQL's limit and headed by our name."""
        payloads: list[str] = []
        texts: list[str] = []
        size = 0
        for part in (part for event in waiting for part in _parts(event)):
            text = _encoder.encode(part).decode()
            if texts and size + len(text) > _PAYLOAD_LIMIT:
                payloads.append(f"{self._origin}[{','.join(texts)}]")
                texts, size = [], 0
            texts.append(text)
            size += len(text) + 1
        return [*payloads, f"{self._origin}[{','.join(texts)}]"]

    def _heard(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        text = str(payload)
        if text.startswith(self._origin):
            for echo in self._echoes:
                if not echo.done():
                    echo.set_result(None)
            return
        for event in self._decoder.decode(text[len(self._origin) :]):
            if isinstance(event, Resync):
                self._hub.resync()
            else:
                self._hub.publish(event)

    def _lost(self, _connection: object) -> None:
        # Wakes the sender, which finds the connection closed.
        self._filled.set()


def _parts(event: Event | Resync) -> Iterator[Event | Resync]:
    """Yield an event, in parts if it concerns more accounts than fit into a payload."""
    accounts = getattr(event, "accounts", ())
    if len(accounts) <= _MOST_ACCOUNTS:
        yield event
        return
    for start in range(0, len(accounts), _MOST_ACCOUNTS):
        yield msgspec.structs.replace(event, accounts=accounts[start : start + _MOST_ACCOUNTS])
