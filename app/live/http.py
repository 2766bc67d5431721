"""uvicorn's HTTP protocol, with bounds for what comes before a request is complete.

Whatever a connection sends beside bodies (heads, the framing of chunks, trailers, requests sent ahead) is
paid from one allowance, which answered requests renew; and one deadline runs from its first byte on.
httptools is the only parser, of handshakes too.
"""

import asyncio
from enum import Enum, auto
from functools import partial
from http import HTTPStatus
from typing import Any, ClassVar

import httptools
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from websockets.http11 import Request

from app.core import metrics
from app.live.bounds import Allowance, Deadline
from app.live.heads import (
    LARGEST_HEAD,
    MOST_FIELDS,
    Refusal,
    TooLargeRefusal,
    check_head,
    check_no_body,
    handshake,
    is_health_check,
    serialized,
)
from app.live.protocol import WebSocketProtocol
from app.live.siblings import Siblings

HEAD_WITHIN = 10.0
"""Seconds within which a request's headers must arrive, from the connection or its first byte."""
BODY_WITHIN = 30.0
"""Seconds within which a request's body must arrive after its headers."""

_FRAMING = 8 * 1024  # bytes of chunk sizes, extensions and trailers; as many again as there are in the body
_MOST_WAITING = 8  # requests sent ahead, while an earlier one is answered; browsers and proxies send none
_OPEN_WITHIN = 30.0  # seconds for a handshake to have its turn
_SPARE = 50  # connections beyond the most, for health checks
_SPARE_FOR = 5.0  # seconds until one of them is closed, whatever it does
_CLOSE_WITHIN = 5.0  # seconds for the client to read a refusal
_MOST_DISCARDED = 1024 * 1024  # bytes that it may send meanwhile


class _Part(Enum):
    """The part of a request that comes next."""

    BEGINNING = auto()
    HEAD = auto()
    BODY = auto()


class _TooManyRefusal(Refusal):
    """The process has as many connections as it may have."""

    def __init__(self) -> None:
        super().__init__(
            HTTPStatus.SERVICE_UNAVAILABLE, "There are too many connections. Try again in a moment."
        )


class HttpProtocol(HttpToolsProtocol):
    """One connection. uvicorn's `limit_concurrency` is the most connections of the process.

    A few more are accepted for health checks, and closed after seconds.
    If the server has several processes, websockets may be handed over to one of the `siblings`.
    """

    _start: ClassVar = asyncio.Lock()
    """Held for the start of a websocket only, so that moves do not wait while thousands start at once."""

    def __init__(self, *args: Any, siblings: Siblings | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self._siblings = siblings
        # uvicorn would also refuse requests on connections that it has accepted.
        self._most_connections, self.limit_concurrency = self.limit_concurrency, None
        self.url = b""  # until there is a request
        self._next = _Part.BEGINNING
        self._allowance = Allowance(LARGEST_HEAD)  # bytes
        self._deadline = Deadline(self.loop)
        self._answered: RequestResponseCycle | None = None  # now, or last
        self._handshake: Request | None = None
        self._is_refused = False
        self._is_spare = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection unless there are too many; a few more have health checks answered."""
        super().connection_made(transport)
        if self._siblings is not None:
            self._siblings.join(self._alike(self._siblings))
        beyond = 0 if self._most_connections is None else len(self.connections) - self._most_connections
        if beyond > _SPARE:
            self._refuse(_TooManyRefusal())
            return
        if beyond > 0:
            self._is_spare = True
            self.loop.call_later(_SPARE_FOR, transport.close)
        self._deadline.set(HEAD_WITHIN, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application that the client is gone."""
        self._deadline.clear()
        self._leave_unanswered()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request, or several requests, as far as the allowance goes."""
        if self._is_refused:
            self._discard(len(data))
            return
        self._unset_keepalive_if_required()
        while data and self._handshake is None and not self._is_refused:
            data = self._parse(data)

    def _parse(self, data: bytes) -> bytes:
        """Parse as much as the allowance covers, so that no head can be larger. Return what is left."""
        covered = data[: self._allowance.left]
        try:
            if not covered:
                raise TooLargeRefusal
            self._allowance.spend(len(covered))
            self.parser.feed_data(covered)
        except httptools.HttpParserUpgrade as upgrade:
            rest: bytes = data[upgrade.args[0] :]
            if self._handshake is not None:
                self._upgrade(self._handshake, rest)
            return rest  # an upgrade to something else is ignored
        except Refusal as refusal:
            self._refuse(refusal)
        except httptools.HttpParserError as error:
            cause = error.__context__  # what a method below raised
            unread = Refusal(HTTPStatus.BAD_REQUEST, "This is not a request that HTTP/1.1 allows.")
            self._refuse(cause if isinstance(cause, Refusal) else unread)
        return data[len(covered) :]

    def on_message_begin(self) -> None:
        """Start the time for the headers, unless it runs since the connection was made."""
        if len(self.pipeline) >= _MOST_WAITING:
            raise Refusal(HTTPStatus.TOO_MANY_REQUESTS, "Too many requests were sent ahead.")
        self._next = _Part.HEAD
        super().on_message_begin()
        if not self._deadline.is_set:
            self._deadline.set(HEAD_WITHIN, self._give_up)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header; drop a trailer."""
        if self._next is _Part.HEAD:
            if len(self.headers) == MOST_FIELDS:
                raise TooLargeRefusal
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Start the application and the time for the body."""
        version = self.parser.get_http_version()
        check_head(self.headers, version)
        method = self.parser.get_method().decode("latin-1")
        if self._is_spare and not is_health_check(method, self.url.decode("latin-1")):
            raise _TooManyRefusal
        if self.parser.should_upgrade():
            check_no_body(self.headers)
        super().on_headers_complete()
        if self.parser.should_upgrade() and self._should_upgrade():
            self._handshake = handshake(self.scope["method"], self.url, version, self.headers)
        self._next = _Part.BODY
        self._allowance.earn(_FRAMING)
        self._deadline.set(BODY_WITHIN, self._give_up)

    def on_body(self, body: bytes) -> None:
        """Pass on a part of the body; it costs nothing and pays for as many bytes beside it."""
        self._allowance.earn(2 * len(body))
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait for the application, and for the next request if it has answered already."""
        super().on_message_complete()
        self._next = _Part.BEGINNING
        self._deadline.clear()
        self._expect_next_request()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._expect_next_request()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def _upgrade(self, request: Request, rest: bytes) -> None:
        """Turn the connection into a websocket, here or in the process that serves its game."""
        if rest or self._owes_answers():
            reason = "A handshake must neither follow nor precede anything that was not answered."
            self._refuse(Refusal(HTTPStatus.BAD_REQUEST, reason))
            return
        self.transport.pause_reading()  # until the handshake is accepted
        self._deadline.set(_OPEN_WITHIN, self._give_up)
        task = self.loop.create_task(self._open_websocket(request))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _open_websocket(self, request: Request) -> None:
        if self._siblings is not None and await self._hand_over(self._siblings, request):
            self.transport.abort()  # this closes our descriptor only
            return
        async with self._start:
            if self._is_refused or self.transport.is_closing():
                return
            self._deadline.clear()
            self.connections.discard(self)
            protocol = WebSocketProtocol(self.config, self.server_state, self.app_state)
            protocol.connection_made(self.transport)
            self.transport.set_protocol(protocol)
            protocol.handle_connect(request)
            self.parser = None  # type: ignore[assignment] # it refers to this object
            await asyncio.sleep(0)  # while others go on, the endpoint accepts

    async def _hand_over(self, siblings: Siblings, request: Request) -> bool:
        connection = self.transport.get_extra_info("socket").fileno()
        return await siblings.hand_over(connection, request.path.encode(), serialized(request))

    def _alike(self, siblings: Siblings) -> "partial[HttpProtocol]":
        """Return what makes protocols of the same server."""
        return partial(
            HttpProtocol,
            config=self.config,
            server_state=self.server_state,
            app_state=self.app_state,
            siblings=siblings,
        )

    def _owes_answers(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _expect_next_request(self) -> None:
        if not self._deadline.is_set and self.cycle is not None and self.cycle.response_complete:
            self._allowance.renew()
            self._deadline.set(self.timeout_keep_alive + HEAD_WITHIN, self._give_up)

    def _give_up(self) -> None:
        self._refuse(Refusal(HTTPStatus.REQUEST_TIMEOUT, "The request did not arrive in time."))

    def _refuse(self, refusal: Refusal) -> None:
        """Close the connection; answer, unless the answer to an earlier request would have to come first."""
        self._is_refused = True
        if self.transport.is_closing():  # and the client does not read what it was sent before
            self.transport.abort()
            return
        metrics.DROPPED.labels(refusal.status.name.lower()).inc()
        cycle = self._answered
        is_of_earlier = cycle is not self.cycle or self._next is not _Part.BODY
        if self._owes_answers() and (is_of_earlier or (cycle is not None and cycle.response_started)):
            self.transport.abort()
            return
        self._leave_unanswered()
        self.transport.write(refusal.response(self.url))
        self.transport.write_eof()
        self._deadline.set(_CLOSE_WITHIN, self.transport.abort)

    def _discard(self, size: int) -> None:
        """Discard what a refused client sends, up to a limit: a reset would destroy the unread answer."""
        self._allowance.spend(size)
        if self._allowance.left < -_MOST_DISCARDED:
            self.transport.abort()

    def _leave_unanswered(self) -> None:
        """Disconnect all requests that wait for an answer; uvicorn disconnects only the last one."""
        waiting = [cycle for cycle, _app in self.pipeline]
        self.pipeline.clear()
        for cycle in (self._answered, *waiting):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.waiting_for_100_continue = False
                cycle.message_event.set()
