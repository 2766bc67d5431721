"""uvicorn's websocket protocol with a shortcut for text messages in both directions.

ASGI passes each message through a queue, a task and every middleware, pauses reading after it, and encodes
the same text again for each connection. In a game of quick moves that is half of the work.
"""

import asyncio
from asyncio.transports import BaseTransport
from collections import deque
from typing import Any

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode
from websockets.http11 import Request

from app import metrics
from app.realtime.hub import TOO_SLOW

_MOST_UNSENT = 256 * 1024  # bytes that may wait for a slow client
_MOST_WAITING = 16  # messages of a client that wait to be handled
_MOST_PINGS = 10  # of a client in a second
_CLOSE_WITHIN = 5.0  # seconds for the client to read what is left after the end
_PING = b"\x89\x00"
_EXTENSION = "gorrion.websocket"


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A websocket that its endpoint may read and write directly once it is accepted (see `protocol_of`)."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.queue = _Inbox(self.loop)  # type: ignore[assignment]
        self._unsent: list[bytes] = []
        self._is_corked = False
        self._awaits_answer = False
        self._pings = 0
        self._pings_since = 0.0
        self.opened = asyncio.Event()
        """Set when the endpoint waits for the client's messages, or the connection has ended before."""

    def connection_made(self, transport: BaseTransport) -> None:
        """Accept a connection, with a limit on what waits for the client to read."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=_MOST_UNSENT)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the endpoint's `receive`."""
        super().connection_lost(exc)
        self.opened.set()
        # Garbage is rarely collected (see `app.lifespan`): an ended connection must not be part of a cycle.
        self.conn.parser.close()

    def data_received(self, data: bytes) -> None:
        """Read what the client sends: it is alive."""
        self._awaits_answer = False
        super().data_received(data)

    def ping(self) -> None:
        """Send a ping, or drop a client that has sent nothing since the one before.

        What a client does not read would keep the connection open.
        """
        if self._awaits_answer:
            metrics.DROPPED.labels("silent").inc()
            self.interrupt(TOO_SLOW)
            self.transport.abort()
        else:
            self._awaits_answer = True
            self.write(_PING)

    def handle_ping(self) -> None:
        """Answer a ping; end a connection that sends too many of them."""
        if self.close_sent:
            return
        if self.loop.time() - self._pings_since > 1:
            self._pings, self._pings_since = 0, self.loop.time()
        self._pings += 1
        if self._pings > _MOST_PINGS:
            metrics.DROPPED.labels("too_many_pings").inc()
            self.conn.fail(CloseCode.POLICY_VIOLATION, "too many pings")
            self.handle_parser_exception()
        else:
            super().handle_ping()

    async def run_asgi(self) -> None:
        """Run the application; when it has ended, the connection ends even if the client does not read."""
        await super().run_asgi()
        self.scope["extensions"].pop(_EXTENSION, None)
        self.opened.set()
        self.loop.call_later(_CLOSE_WITHIN, self.transport.abort)

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next ASGI message."""
        if self.handshake_complete:
            self.opened.set()
        return await super().receive()

    def pause_writing(self) -> None:
        """Disconnect a client that is too far behind. It reconnects and receives the current state."""
        super().pause_writing()
        metrics.DROPPED.labels("too_slow").inc()
        self.interrupt(TOO_SLOW)

    def handle_connect(self, event: Request) -> None:
        """Start the application, with this object among the scope's extensions."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][_EXTENSION] = self  # type: ignore[assignment]

    def send_receive_event_to_app(self) -> None:
        """Queue a message for the endpoint. Reading pauses only while many of them wait."""
        was_paused = self.read_paused
        self.read_paused = True  # so that uvicorn does not pause after each message
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        if not was_paused and self.queue.qsize() >= _MOST_WAITING:
            self.read_paused = True
            self.transport.pause_reading()

    def write(self, frame: bytes) -> None:
        """Send a frame together with the others of this iteration of the event loop, in one system call."""
        if not self._unsent and not self._is_corked:
            self.loop.call_soon(self._flush)
        self._unsent.append(frame)

    def cork(self) -> None:
        """Keep the frames that follow until `uncork`."""
        self._is_corked = True

    def uncork(self) -> None:
        """Send the frames that were kept, and those that follow in this iteration of the event loop."""
        self._is_corked = False
        if self._unsent:
            self.loop.call_soon(self._flush)

    async def send(self, message: ASGISendEvent) -> None:
        """Send an ASGI message, after the frames that wait."""
        self._flush()
        await super().send(message)

    def interrupt(self, code: int) -> None:
        """Make the endpoint's `receive` return a disconnection with a code."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": ""})

    def _flush(self) -> None:
        frames, self._unsent = self._unsent, []
        if frames and not self.close_sent and not self.disconnected:
            self.transport.write(b"".join(frames))


class _Inbox:
    """The messages of a client, for one reader: an `asyncio.Queue` with only what a single reader needs."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._messages: deque[Any] = deque()
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        """Add a message."""
        self._messages.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        """Wait for the next message."""
        while not self._messages:
            self._reader = self._loop.create_future()
            await self._reader
        return self._messages.popleft()

    def qsize(self) -> int:
        """Return how many messages wait."""
        return len(self._messages)

    def empty(self) -> bool:
        """Return whether no message waits."""
        return not self._messages


def protocol_of(scope: Any) -> WebSocketProtocol:
    """Return the protocol of a websocket's scope. Raise KeyError if the server does not use ours."""
    protocol: WebSocketProtocol = scope["extensions"][_EXTENSION]
    return protocol
