"""uvicorn's websocket protocol with a shortcut for text messages in both directions, and with bounds.

ASGI passes each message through a queue, a task and every middleware, pauses reading after it, and encodes
the same text again for each connection. In a game of quick moves that is half of the work.
"""

import asyncio
import contextlib
import contextvars
import logging
from asyncio.transports import BaseTransport
from collections.abc import Callable, Coroutine
from typing import Any

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request

from app.core import metrics
from app.core.realtime.hub import TOO_SLOW
from app.live.bounds import Deadline
from app.live.frames import Frames, is_empty_pong, short_text
from app.live.messages import PING

_OPEN_WITHIN = 60.0  # seconds from the handshake until the endpoint waits for messages
_CLOSE_WITHIN = 5.0  # seconds for the client to read what is left after the end, and the close frame
_MOST_UNSENT = 256 * 1024  # bytes that may wait for a slow client
_MOST_WAITING = 16  # messages of a client that wait to be handled
_PART = 2 * 1024  # bytes parsed at a time, so that no connection keeps the others waiting
_EXTENSION = "gorrion.websocket"
_WRITABLE = asyncio.Event()  # shared, since most connections never wait for their client
_WRITABLE.set()


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A websocket that its endpoint may read and write directly once it is accepted (see `protocol_of`).

    It begins with the handshake that `HttpProtocol` has parsed, while reading is paused. It ends with the
    application, unless that keeps it: then nothing of the request stays in memory (see `keep`).
    """

    conn: Frames

    # Also for what uvicorn sets: so many attributes take three times as much memory in a dict.
    __slots__ = (
        "_awaits_answer",
        "_deadline",
        "_is_corked",
        "_is_kept",
        "_unparsed",
        "_unsent",
        "_will_parse",
        "app",
        "app_state",
        "asgi_version",
        "client",
        "close_sent",
        "close_timeout",
        "close_timer",
        "config",
        "conn",
        "connections",
        "curr_msg_data_type",
        "default_headers",
        "disconnected",
        "frames",
        "handshake_complete",
        "handshake_initiated",
        "initial_response",
        "last_ping_rtt",
        "logger",
        "loop",
        "pending_ping_payload",
        "ping_interval",
        "ping_sent_at",
        "ping_timeout",
        "ping_timer",
        "pong_timer",
        "queue",
        "read_paused",
        "request",
        "response",
        "root_path",
        "scheme",
        "scope",
        "server",
        "tasks",
        "transport",
        "writable",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.writable = _WRITABLE
        self.conn = Frames(max_size=self.config.ws_max_size, logger=logging.getLogger("uvicorn.error"))
        self.queue = _Inbox(self.loop)  # type: ignore[assignment]
        self.read_paused = True
        self._deadline = Deadline(self.loop)
        self._unparsed = b""
        self._will_parse = False
        self._unsent: list[bytes] = []
        self._is_corked = False
        self._is_kept = False
        self._awaits_answer = False

    def connection_made(self, transport: BaseTransport) -> None:
        """Accept a connection, with a limit on what waits for the client to read."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=_MOST_UNSENT)
        self._deadline.set(_OPEN_WITHIN, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the endpoint's `receive`."""
        self._deadline.clear()
        super().connection_lost(exc)
        # Garbage is rarely collected (see `lifespan.py`): an ended connection must not be part of a cycle.
        self.conn.parser.close()

    def handle_connect(self, event: Request) -> None:
        """Start the application, with this object among the scope's extensions, or refuse the handshake."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][_EXTENSION] = self  # type: ignore[assignment]
        else:
            self._deadline.set(_CLOSE_WITHIN, self.transport.abort)

    async def run_asgi(self) -> None:
        """Run the application; the connection ends with it, unless it is kept."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except BaseException:
            self.logger.exception("Exception in ASGI application")
        self.scope["extensions"].pop(_EXTENSION, None)
        del self.scope
        if not self._is_kept:
            self.send_500_response()  # if there was no other answer
            self._leave()

    def keep(self) -> None:
        """Go on when the application has ended: who keeps the connection closes it."""
        self._is_kept = True
        self.client = self.server = None
        self._deadline.clear()

    def serve_by(self, start: Callable[[], None]) -> None:
        """Call `start` when messages come and nobody takes them, so that a quiet connection has no task.

        What it starts takes them by `next_message`, until none is left.
        """
        waiting, self.queue = self.queue, _Turns(start)  # type: ignore[assignment]
        while not waiting.empty():
            self.queue.put_nowait(waiting.pop())  # type: ignore[attr-defined]
        if self.read_paused:
            self._parse_soon()

    async def next_message(self) -> ASGIReceiveEvent | None:
        """Return the next message of a connection that is served by turns; None if there is none now."""
        if self.read_paused and self.queue.empty():
            self._parse_soon()
        return self.queue.take()  # type: ignore[attr-defined, no-any-return]

    def run(self, work: Coroutine[object, object, None], context: contextvars.Context) -> None:
        """Run work for which the server waits when it ends."""
        task = self.loop.create_task(work, context=context)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def close(self, code: int, reason: str) -> None:
        """End the connection with a code, even if the client does not read."""
        with contextlib.suppress(ClientDisconnected, RuntimeError, TimeoutError):
            async with asyncio.timeout(_CLOSE_WITHIN):
                await self.send({"type": "websocket.close", "code": code, "reason": reason})
        self.queue = _Turns(_nobody)  # type: ignore[assignment] # no cycle, see `connection_lost`
        self._leave()

    def _leave(self) -> None:
        if self.close_timer is None:  # else the client is to answer the close frame
            self.transport.close()
        if not self.disconnected:
            self._deadline.set(_CLOSE_WITHIN, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        """Read what the client sends: it is alive."""
        may_begin = not self._unparsed and self.conn.is_between_messages
        is_answer, self._awaits_answer = self._awaits_answer and may_begin and is_empty_pong(data), False
        if is_answer:
            return  # all that quiet pages send; parsing it would take as long as the rest of a heartbeat
        text = short_text(data) if may_begin else None
        if text is None:
            self._unparsed += data
            self._parse()
        else:
            self._receive_text(text)
            if self._is_full:
                self._pause(True)

    @property
    def _is_full(self) -> bool:
        return self.queue.qsize() >= _MOST_WAITING and not self.close_sent

    def _parse(self) -> None:
        """Parse a part of what was received. The rest waits for the endpoint, and for other connections."""
        self._will_parse = False
        if self.transport.is_closing():
            return
        part, self._unparsed = self._unparsed[:_PART], self._unparsed[_PART:]
        super().data_received(part)
        if self._unparsed and not self._is_full:
            self._parse_soon()
        self._pause(bool(self._unparsed) or self._is_full)

    def _parse_soon(self) -> None:
        if not self._will_parse:
            self._will_parse = True
            self.loop.call_soon(self._parse)

    def _pause(self, wanted: bool) -> None:
        if wanted != self.read_paused and not self.transport.is_closing():
            self.read_paused = wanted
            (self.transport.pause_reading if wanted else self.transport.resume_reading)()

    def handle_cont(self, event: Frame) -> None:
        """Add a fragment to the message; many small ones would take fifty times the memory of their text."""
        self.frames = [b"".join((*self.frames, event.data))]
        if event.fin:
            self.send_receive_event_to_app()

    def send_receive_event_to_app(self) -> None:
        """Queue a message for the endpoint."""
        data = b"".join(self.frames)
        self.frames = []
        if self.curr_msg_data_type == "text":
            self._receive_text(data)
        elif not self.close_sent:
            self.queue.put_nowait({"type": "websocket.receive", "bytes": data})

    def _receive_text(self, data: bytes) -> None:
        """Queue a text for the endpoint; unlike uvicorn's, text that is not UTF-8 is no error of ours."""
        if self.close_sent:
            return
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self.conn.fail(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
        else:
            self.queue.put_nowait({"type": "websocket.receive", "text": text})

    def handle_ping(self) -> None:
        """Answer a ping, unless the connection is closing."""
        if not self.close_sent:
            super().handle_ping()

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next ASGI message. The endpoint has taken over when it waits for those of the client."""
        if self.handshake_complete:
            self._deadline.clear()
            if self.read_paused and self.queue.empty():
                self._parse_soon()
        message: ASGIReceiveEvent = await self.queue.get()
        return message

    async def send(self, message: ASGISendEvent) -> None:
        """Send an ASGI message, after the frames that wait."""
        self._flush()
        await super().send(message)
        if message["type"] == "websocket.accept":
            self._pause(False)
            if self.handshake_complete:
                del self.request, self.response  # the scope has what is still needed of them
        elif message["type"] == "websocket.http.response.start":
            self.handshake_complete = True  # with a refusal; uvicorn would log that there was no answer

    def pause_writing(self) -> None:
        """Disconnect a client that is too far behind. It reconnects and receives the current state."""
        self.writable = asyncio.Event()
        metrics.DROPPED.labels("too_slow").inc()
        self.interrupt(TOO_SLOW)

    def ping(self, frames: bytes = PING) -> None:
        """Send frames that end with a ping, or drop a client that has sent nothing since the one before.

        What a client does not read would keep the connection open.
        """
        if self._awaits_answer:
            metrics.DROPPED.labels("silent").inc()
            self.interrupt(TOO_SLOW)
            self.transport.abort()
        else:
            self._awaits_answer = True
            self.write(frames)

    def write(self, frame: bytes) -> None:
        """Send a frame. uvloop's transport sends those of one iteration of the loop in one system call."""
        if self._is_corked:
            self._unsent.append(frame)
        elif not self.close_sent and not self.disconnected:
            self.transport.write(frame)

    def cork(self) -> None:
        """Keep the frames that follow until `answer`."""
        self._is_corked = True

    def answer(self, frame: bytes) -> None:
        """Send a frame after those that were kept."""
        self._is_corked = False
        self._unsent.append(frame)
        self._flush()

    def interrupt(self, code: int) -> None:
        """Make the endpoint's `receive` return a disconnection with a code."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": ""})

    def _flush(self) -> None:
        frames, self._unsent = self._unsent, []
        if frames and not self.close_sent and not self.disconnected:
            self.transport.write(b"".join(frames))

    def _give_up(self) -> None:
        metrics.DROPPED.labels("not_opened").inc()
        self.transport.abort()


class _Waiting:
    """The messages of a client that wait to be handled: few, and most often none."""

    __slots__ = ("_messages",)

    def __init__(self) -> None:
        self._messages: list[Any] = []  # a deque reserves space for 64

    def pop(self) -> Any:
        return self._messages.pop(0)

    def qsize(self) -> int:
        return len(self._messages)

    def empty(self) -> bool:
        return not self._messages


class _Inbox(_Waiting):
    """Messages for one reader who waits: an `asyncio.Queue` with only what a single reader needs."""

    __slots__ = ("_loop", "_reader")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._loop = loop
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        while not self._messages:
            self._reader = self._loop.create_future()
            await self._reader
        return self.pop()


class _Turns(_Waiting):
    """Messages for a reader that is started when one comes, and stops when none is left."""

    __slots__ = ("_is_served", "_start")

    def __init__(self, start: Callable[[], None]) -> None:
        super().__init__()
        self._start = start
        self._is_served = False

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        if not self._is_served:
            self._is_served = True
            self._start()

    def take(self) -> Any:
        """Return the next message; None if there is none, so that the reader stops."""
        if self._messages:
            return self.pop()
        self._is_served = False
        return None


def _nobody() -> None:
    """Read no more messages."""


def protocol_of(scope: Any) -> WebSocketProtocol:
    """Return the protocol of a websocket's scope. Raise KeyError if the server does not use ours."""
    protocol: WebSocketProtocol = scope["extensions"][_EXTENSION]
    return protocol
