"""uvicorn's websocket protocol with a shortcut for text messages in both directions.

ASGI passes each message through a queue, a task and every middleware, pauses reading after it, and encodes
the same text again for each connection. In a game of quick moves that is half of the work.
"""

import asyncio
from asyncio.transports import BaseTransport
from collections import deque
from typing import Any

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from app.realtime.hub import TOO_SLOW

_MOST_UNSENT = 256 * 1024  # bytes that may wait for a slow client
_MOST_WAITING = 16  # messages of a client that wait to be handled
_EXTENSION = "gorrion.websocket"


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A websocket that its endpoint may read and write directly once it is accepted (see `protocol_of`)."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.queue = _Inbox(self.loop)  # type: ignore[assignment]
        self._unsent: list[bytes] = []

    def connection_made(self, transport: BaseTransport) -> None:
        """Accept a connection, with a limit on what waits for the client to read."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=_MOST_UNSENT)

    def pause_writing(self) -> None:
        """Disconnect a client that is too far behind. It reconnects and receives the current state."""
        super().pause_writing()
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
        if not self._unsent:
            self.loop.call_soon(self._flush)
        self._unsent.append(frame)

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
