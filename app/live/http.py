"""uvicorn's HTTP protocol with limits for requests that are large or slow, and a queue for websockets."""

import asyncio
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from app import metrics
from app.live.siblings import Siblings

if TYPE_CHECKING:
    from app.live.protocol import WebSocketProtocol

LARGEST_HEAD = 32 * 1024
"""The most bytes of a request's first line and headers."""
HEAD_WITHIN = 10.0
"""Seconds within which a request's headers must arrive, from the connection or its first byte."""
BODY_WITHIN = 30.0
"""Seconds within which a request's body must arrive after its headers."""

_CLOSE_WITHIN = 5.0  # seconds for the client to read a refusal
_MOST_HANDSHAKES = 4  # at a time, so that moves do not wait while thousands of sockets are opened


class HttpProtocol(HttpToolsProtocol):
    """One connection. uvicorn's `limit_concurrency` is the most connections of the process.

    If the server has several processes, websockets may be handed over to one of the `siblings`.
    """

    _handshakes: ClassVar = asyncio.Semaphore(_MOST_HANDSHAKES)

    def __init__(self, *args: Any, siblings: Siblings | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self._siblings = siblings
        # uvicorn would also refuse requests on connections that it has accepted.
        self._most_connections, self.limit_concurrency = self.limit_concurrency, None
        self._in_head = True
        self._head_size = 0  # bytes of a head that has not ended yet
        self._deadline: asyncio.TimerHandle | None = None
        self._refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection unless there are too many."""
        super().connection_made(transport)
        if self._siblings is not None:
            self._siblings.join(self._alike(self._siblings))
        if self._most_connections is not None and len(self.connections) > self._most_connections:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
        else:
            self._expect_within(HEAD_WITHIN)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._expect_nothing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request; refuse headers that are too large before they have ended."""
        if self._refused:
            return  # it reads the refusal when it has sent all
        if self._in_head:
            self._head_size += len(data)
        super().data_received(data)
        if self._in_head and self._head_size > LARGEST_HEAD and not self._refused:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """Start the time for the headers, unless it runs since the connection was made."""
        super().on_message_begin()
        if self._deadline is None:
            self._expect_within(HEAD_WITHIN)

    def on_headers_complete(self) -> None:
        """Start the application and the time for the body. Raise ValueError if the headers are too large."""
        self._in_head, self._head_size = False, 0
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > LARGEST_HEAD:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            raise ValueError("the headers are too large")  # ends the parsing
        self._expect_within(BODY_WITHIN)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Wait for the application, and for the next request if it has answered already."""
        super().on_message_complete()
        self._in_head = True
        self._expect_nothing()
        self._expect_next_request()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._expect_next_request()

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that cannot be parsed, unless it has been refused already."""
        if not self._refused:
            super().send_400_response(msg)

    def handle_websocket_upgrade(self) -> None:
        """Turn the connection into a websocket as soon as fewer than `_MOST_HANDSHAKES` others do so."""
        self._expect_nothing()
        self.transport.pause_reading()
        task = self.loop.create_task(self._upgrade())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _upgrade(self) -> None:
        async with self._handshakes:
            if self.transport.is_closing():
                return
            if await self._hand_over():
                self.transport.abort()  # this closes our descriptor only
                return
            super().handle_websocket_upgrade()
            self.parser = None  # type: ignore[assignment] # it refers to this object
            self.transport.resume_reading()
            await cast("WebSocketProtocol", self.transport.get_protocol()).opened.wait()

    async def _hand_over(self) -> bool:
        """Return whether another process has taken over the connection."""
        if self._siblings is None:
            return False
        lines = (name + b": " + value for name, value in self.headers)
        request = b"\r\n".join((b"GET " + self.url + b" HTTP/1.1", *lines, b"", b""))
        connection = self.transport.get_extra_info("socket").fileno()
        return await self._siblings.hand_over(connection, self.url, request)

    def _alike(self, siblings: Siblings) -> "partial[HttpProtocol]":
        """Return what makes protocols of the same server."""
        return partial(
            HttpProtocol,
            config=self.config,
            server_state=self.server_state,
            app_state=self.app_state,
            siblings=siblings,
        )

    def _expect_next_request(self) -> None:
        if self._deadline is None and self.cycle is not None and self.cycle.response_complete:
            self._expect_within(self.timeout_keep_alive + HEAD_WITHIN)

    def _expect_within(self, seconds: float) -> None:
        self._expect_nothing()
        self._deadline = self.loop.call_later(seconds, self._give_up)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.transport.abort()
        else:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def _refuse(self, status: HTTPStatus) -> None:
        """Answer with a status, and close the connection when the client does or after a while."""
        self._refused = True
        metrics.DROPPED.labels(status.name.lower()).inc()
        text = status.phrase.encode()
        self.transport.write(
            STATUS_LINE[status]
            + b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n" % len(text)
            + b"connection: close\r\n\r\n"
            + text
        )
        self.transport.write_eof()
        self.loop.call_later(_CLOSE_WITHIN, self.transport.abort)
