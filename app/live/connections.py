"""The open connections of one process: sending, heartbeats and closing."""

import asyncio
import contextlib
import contextvars
import itertools
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable

import structlog
from uvicorn._types import ASGIReceiveEvent

from app.core import metrics
from app.core.database.session import is_unavailable
from app.core.errors import AppError, UnauthenticatedError
from app.core.events import Topic
from app.core.i18n import languages
from app.core.realtime.hub import GOING_AWAY, TOO_SLOW, TRY_AGAIN, Hub, Listener
from app.live.messages import EMPTY_LINE, HEARTBEAT, PING, Message, restart
from app.live.protocol import WebSocketProtocol
from app.people.identity.service import Identity

log = structlog.get_logger()

HEARTBEAT_EVERY = 20
"""Seconds between the heartbeats of a connection."""
SLOTS = 500
"""Groups of connections that get their heartbeats one after the other; moves wait for one group."""
NORMAL = 1000
INTERNAL_ERROR = 1011
UNAUTHENTICATED = 4401

_BEAT = HEARTBEAT.frame + PING
_CHECKED_AT_ONCE = 10  # slots, a divisor of their number: one query checks the connections of all of them
_MOST_LINES = 64  # lines that wait for the reader of a stream
_RETURNS = 200  # connections a second that come back after a restart, on average
_MOST_AWAY = 30.0  # seconds


class _Connection:
    """What websockets and streams have in common: listeners and tasks, which end with them."""

    def __init__(self, hub: Hub) -> None:
        self.identity: Identity | None = None
        self.confirmed_at = time.monotonic()
        """When the session or token was last known to be valid, by the monotonic clock."""
        self.is_ended = False
        self.is_revoked = False
        """Whether it ended because its session or token was looked up and is gone."""
        self.hub = hub
        self._listening: dict[Listener, tuple[Topic, ...]] = {}  # a third of the size of sets
        self._checks: list[Callable[[], None]] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._context = _context()

    def identify(self, identity: Identity | None) -> None:
        """Make an account, whose language is the reader's now, the owner of the connection."""
        self.identity = identity
        self._context = _context()

    def listen(self, listener: Listener, *topics: Topic) -> frozenset[Topic]:
        """Call a listener with each event of these topics, and of no others, while the connection is open.

        Return those of them to which it has not listened so far.
        """
        if self.is_ended:
            return frozenset()
        before, after = frozenset(self._listening.get(listener, ())), frozenset(topics)
        self.hub.ignore(listener, before - after)
        self.hub.listen(listener, after - before)
        self._listening[listener] = topics
        return after - before

    def on_heartbeat(self, check: Callable[[], None]) -> None:
        """Call a function shortly before each heartbeat, to check whether an event was missed."""
        self._checks.append(check)

    def keep_running(self, work: Coroutine[object, object, None]) -> None:
        """Run work in the background for as long as the connection is open, in the language of its reader."""
        task = asyncio.create_task(work, context=self._context.copy())
        self._tasks.append(task)
        task.add_done_callback(self._tasks.remove)

    def deafen(self) -> None:
        """Stop listening: the connection is about to end."""
        self.is_ended = True
        for listener, topics in self._listening.items():
            self.hub.ignore(listener, topics)
        self._listening.clear()
        self._checks.clear()

    async def release(self) -> None:
        """Stop listening and end the work in the background."""
        self.deafen()
        # A cancelled task refers to its frames, and they to this object.
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def check(self) -> None:
        """Check whether an event was missed."""
        for check in self._checks:
            check()


def _context() -> contextvars.Context:
    """Return a context with the reader's language and the id for logs, but nothing else of the request."""
    context = contextvars.Context()
    context.run(languages.use, languages.current())
    context.run(structlog.contextvars.bind_contextvars, **structlog.contextvars.get_contextvars())
    return context


Receive = Callable[[str], Awaitable[None]]


class Socket(_Connection):
    """An accepted websocket, whose endpoint opens it and returns. A task reads its messages."""

    def __init__(self, hub: Hub, protocol: WebSocketProtocol, log: Callable[..., None]) -> None:
        """Make the socket; `log` is called at its end with the code, the account, and what was wrong."""
        super().__init__(hub)
        self._protocol = protocol
        self._log = log
        self._held: list[contextlib.AbstractAsyncContextManager[object]] = []
        self._receive: Receive | None = None
        self.code = NORMAL

    @property
    def viewer(self) -> Identity:
        """Return the account that is logged in. Raise UnauthenticatedError if there is none."""
        if self.identity is None:
            raise UnauthenticatedError
        return self.identity

    def send(self, message: Message) -> None:
        """Send a message."""
        self._protocol.write(message.frame)

    def cork(self) -> None:
        """Keep messages until `answer`, with which they go out, after those of others."""
        self._protocol.cork()

    def answer(self, message: Message) -> None:
        """Send a message after those that were kept."""
        self._protocol.answer(message.frame)

    def end(self, code: int) -> None:
        """End the connection: what it holds is released, and the socket is closed with the code."""
        self.code = code
        self.deafen()
        self._protocol.interrupt(code)

    def beat(self) -> None:
        """Send a heartbeat and a ping; drop a client that has not answered the ping before."""
        self._protocol.ping(_BEAT)

    async def hold(self, context: contextlib.AbstractAsyncContextManager[object]) -> None:
        """Enter a context, which is left when the connection ends."""
        await context.__aenter__()
        self._held.append(context)

    def on_message(self, receive: Receive) -> None:
        """Pass each message of the client to `receive`, one after the other, once the endpoint has returned.

        Without that they are ignored.
        """
        self._receive = receive

    def go_on(self) -> None:
        """Keep the connection when its endpoint returns: from now on it finishes itself."""
        self._protocol.keep()
        self._run(self._serve(self._protocol.receive))

    async def finish(self, code: int, reason: str = "") -> None:
        """Release what the connection holds, and close it with a code.

        Its work ends first: it would go on as if the client were still there, and undo what a context that is
        left notes of that.
        """
        self._receive = None  # it may refer to this object, see `WebSocketProtocol.connection_lost`
        try:
            async with contextlib.AsyncExitStack() as held:
                while self._held:
                    held.push_async_exit(self._held.pop(0))
                held.push_async_callback(self.release)  # what is pushed last is left first
        except Exception as error:  # noqa: BLE001 - it is logged if it is a bug
            code, reason = outcome(error)
        finally:
            await self._protocol.close(code, reason)
            self._log(code, self.identity and self.identity.id, reason or None)

    def _run(self, work: Coroutine[object, object, None]) -> None:
        self._protocol.run(work, self._context)

    async def _serve(self, read: Callable[[], Awaitable[ASGIReceiveEvent | None]]) -> None:
        """Pass on what is read until it is None; finish at the end of the connection."""
        try:
            while message := await read():
                if message["type"] != "websocket.receive":
                    code = message["code"]  # type: ignore[typeddict-item]
                    self._run(self.finish(code if self.code == NORMAL else self.code))
                    return
                if self._receive is not None:
                    await self._receive(message.get("text") or "")
        except asyncio.CancelledError:  # the server shuts down
            await self.finish(GOING_AWAY)
            raise
        except Exception as error:  # noqa: BLE001 - `outcome` logs it if it is a bug
            await self.finish(*outcome(error))


class PageSocket(Socket):
    """The websocket of a page, which is quiet for hours: a task reads its messages only when some come."""

    def go_on(self) -> None:
        """Keep the connection when its endpoint returns: from now on it finishes itself."""
        self._protocol.keep()
        self._protocol.serve_by(lambda: self._run(self._serve(self._protocol.next_message)))


class Stream(_Connection):
    """A response whose lines are sent as they come."""

    def __init__(self, hub: Hub, identity: Identity | None) -> None:
        super().__init__(hub)
        self.identify(identity)
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send(self, message: Message) -> None:
        """Send a line. A client that is too far behind is disconnected."""
        if self._lines.qsize() >= _MOST_LINES:
            metrics.DROPPED.labels("too_slow").inc()
            self.end(TOO_SLOW)
        else:
            self._lines.put_nowait(message.text + b"\n")

    def end(self, code: int) -> None:  # noqa: ARG002 - a stream has no close code
        """End the response after what was sent so far."""
        self.deafen()
        self._lines.put_nowait(None)

    def beat(self) -> None:
        """Send an empty line."""
        self.send(EMPTY_LINE)

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield the lines until the connection ends."""
        while (line := await self._lines.get()) is not None:
            yield line


Connection = Socket | Stream


class Connections:
    """The open connections of the process, with one timer for all of their heartbeats."""

    def __init__(self) -> None:
        self._slots: list[set[Connection]] = [set() for _ in range(SLOTS)]
        self._slot_of: dict[Connection, int] = {}
        self._latest = 0  # the slot that has had its heartbeats last
        self._has_any = asyncio.Event()
        # A new connection is not sent a heartbeat soon: its first message says what it is about.
        self._waits = itertools.cycle(range(SLOTS // 2, SLOTS))
        self._closed = False

    def add(self, connection: Connection) -> None:
        """Keep a connection alive by heartbeats until it is removed; end it at once while shutting down."""
        slot = (self._latest + next(self._waits)) % SLOTS
        self._slots[slot].add(connection)
        self._slot_of[connection] = slot
        self._has_any.set()
        if self._closed:
            connection.end(GOING_AWAY)

    def remove(self, connection: Connection) -> None:
        """Forget a connection."""
        self._slots[self._slot_of.pop(connection)].discard(connection)
        if not self._slot_of:
            self._has_any.clear()

    def close(self) -> None:
        """End every connection, now and in future: the process is shutting down.

        Each one is sent a moment of its own to come back, since opening them all at once would delay moves.
        """
        self._closed = True
        open_ = [connection for connection in self._slot_of if not connection.is_ended]
        within = min(max(1.0, len(open_) / _RETURNS), _MOST_AWAY)
        for connection in open_:
            connection.send(restart(random.uniform(0, within)))  # noqa: S311 - no secret
            connection.end(GOING_AWAY)

    async def beat(self) -> None:
        """Send each connection its heartbeats until cancelled, one slot after the other."""
        clock = asyncio.get_running_loop().time
        while True:
            await self._has_any.wait()  # a process without connections sleeps
            due = clock()
            while self._slot_of:
                # What a busy process is late with, it makes good: clients do not wait for more than a period.
                due = max(due, clock() - HEARTBEAT_EVERY) + HEARTBEAT_EVERY / SLOTS
                await asyncio.sleep(due - clock())
                self._beat_once()

    def _beat_once(self) -> None:
        self._latest = (self._latest + 1) % SLOTS
        if self._latest % _CHECKED_AT_ONCE == 0:
            for slot in self._slots[self._latest : self._latest + _CHECKED_AT_ONCE]:
                _for_each(slot, lambda connection: connection.check())
        _for_each(self._slots[self._latest], lambda connection: connection.beat())


def _for_each(connections: Iterable[Connection], act: Callable[[Connection], None]) -> None:
    for connection in tuple(connections):
        try:
            act(connection)
        except Exception:  # one bad connection must not silence the others
            log.exception("heartbeat_failed")
            connection.end(TRY_AGAIN)


def close_code(error: AppError) -> int:
    """Return the close code for an error: 4404 for a 404, after which browsers do not reconnect.

    After 429 and 503 the client may try again.
    """
    return TRY_AGAIN if error.status in (429, 503) else 4000 + error.status


def outcome(error: Exception) -> tuple[int, str]:
    """Return the code and the reason with which an error ends a websocket. Log it if it is a bug."""
    if isinstance(error, AppError):
        return close_code(error), error.code
    if is_unavailable(error):
        return TRY_AGAIN, "unavailable"
    log.error("unexpected_error", exc_info=error)
    return INTERNAL_ERROR, ""
