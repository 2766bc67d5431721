"""uvicorn's websocket protocol with a short way for text messages, in and out.

ASGI passes each message through a queue, a task and every middleware, pauses reading after it, and encodes
what is sent anew for each connection. For a game of quick moves that is half of the work.
"""

from asyncio.transports import BaseTransport
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from app.realtime.hub import TOO_SLOW

_MOST_UNSENT = 256 * 1024  # bytes that a client may be behind
_MOST_WAITING = 16  # messages of a client that wait to be handled
_EXTENSION = "gorrion.websocket"


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A websocket that its endpoint may read and write directly once it is accepted (see `protocol_of`)."""

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

    def connection_made(self, transport: BaseTransport) -> None:
        """Accept a connection, with a limit on what waits for the client to read."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=_MOST_UNSENT)

    def pause_writing(self) -> None:
        """Disconnect a client that is too far behind; it comes back and is shown the present."""
        super().pause_writing()
        self.interrupt(TOO_SLOW)

    def write(self, frame: bytes) -> None:
        """Send a frame, unless the connection is closing."""
        if not self.close_sent and not self.disconnected:
            self.transport.write(frame)

    def interrupt(self, code: int) -> None:
        """Let the endpoint's `receive` return a disconnection with a code."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": ""})

    def abort(self) -> None:
        """Drop the connection at once, with whatever waits to be sent."""
        self.transport.abort()


def protocol_of(scope: Any) -> WebSocketProtocol:
    """Return the protocol of a websocket's scope. Raise KeyError if the server does not use ours."""
    protocol: WebSocketProtocol = scope["extensions"][_EXTENSION]
    return protocol
