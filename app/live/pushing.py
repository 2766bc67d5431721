"""Pushing what changes to an open connection: a task runs only while there is something to render."""

import asyncio
from collections.abc import Awaitable, Callable, Collection

import structlog

from app.core import metrics
from app.core.database.session import is_unavailable
from app.core.errors import AppError
from app.core.events import Event, Resync, Topic
from app.core.realtime.hub import TOO_SLOW
from app.core.web.render import fingerprint
from app.live.connections import INTERNAL_ERROR, Connection, close_code
from app.live.messages import Message

log = structlog.get_logger()

_MOST_WAITING = 64  # events
_RENDER_AGAIN_AFTER = 1.0  # seconds, while the database is away

Render = Callable[[Event | Resync | None, "LiveSubscription"], Awaitable[str]]
"""Returns the text to send on an event, or at the start (None). An empty text is not sent."""


def push(connection: Connection, render: Render, *topics: Topic, shown: str = "") -> "LiveSubscription":
    """Send what `render` returns, now and at each event of the topics, while a connection is open.

    A text that the page has already, since its fingerprint is `shown`, is not sent at first. If there is
    nothing to send then, that is a heartbeat: something must come, or a page takes the connection for lost.
    """
    return LiveSubscription(connection, render, topics, shown)


def push_lines(connection: Connection, render: Render, *topics: Topic) -> "LiveSubscription":
    """Send all that `render` returns, as `push` does: it returns only what has not been sent yet."""
    return LinesSubscription(connection, render, topics)


class LiveSubscription:
    """The events of some topics, which are rendered one after the other for one connection."""

    __slots__ = ("_connection", "_is_looking", "_is_rendering", "_render", "_shown", "_waiting")

    def __init__(
        self, connection: Connection, render: Render, topics: tuple[Topic, ...], shown: str = ""
    ) -> None:
        self._connection = connection
        self._render = render
        self._waiting: list[Event | Resync | None] = []
        self._is_rendering = True
        self._is_looking = False
        self._shown = shown  # the fingerprint of the last text: texts are long, and pages many
        connection.listen(self._receive, *topics)
        connection.keep_running(self._start(topics))

    def listen_to(self, *topics: Topic) -> None:
        """Listen to these topics and to no others.

        What was read so far may lack an event of a new topic, so a Resync is rendered then.
        """
        if added := self._connection.listen(self._receive, *topics):
            self._connection.keep_running(self._catch_up(added))

    def _receive(self, event: Event | Resync) -> None:
        if isinstance(event, Resync):
            self.look()
        elif self._add(event):
            self._connection.keep_running(self._send_waiting())

    def look(self) -> None:
        """Render everything again soon: an event may have been lost."""
        if not self._is_looking:
            self._is_looking = True
            self._connection.keep_running(self._look_in_turn())

    async def _look_in_turn(self) -> None:
        """Render everything again when it is this connection's turn. Events are not kept waiting by that."""
        async with self._connection.hub.turns:
            self._is_looking = False
            if self._add(Resync()):
                await self._send_waiting()

    def _add(self, event: Event | Resync) -> bool:
        """Add an event to those that wait to be rendered. Return whether nothing renders them yet."""
        if self._connection.is_ended:
            return False
        if event in self._waiting:
            # What waits is rendered from what is stored by then, so the same again would add nothing. The
            # later one stays, since pages share a reading that began with the same event.
            self._waiting[self._waiting.index(event)] = event
            return False
        if len(self._waiting) == _MOST_WAITING:
            metrics.DROPPED.labels("too_slow").inc()
            self._connection.end(TOO_SLOW)
            return False
        self._waiting.append(event)
        is_first, self._is_rendering = not self._is_rendering, True
        return is_first

    async def _start(self, topics: tuple[Topic, ...]) -> None:
        await self._connection.hub.carries(topics)
        self._waiting.clear()  # nothing has been read yet
        self._waiting.insert(0, None)
        await self._send_waiting()

    async def _catch_up(self, topics: Collection[Topic]) -> None:
        await self._connection.hub.carries(topics)
        if self._add(Resync()):
            await self._send_waiting()

    async def _send_waiting(self) -> None:
        event: Event | Resync | None = None
        try:
            while self._waiting and not self._connection.is_ended:
                event = self._waiting.pop(0)
                text = await self._render(event, self)
                if text and self._is_news(text, event):
                    self._connection.send(Message(text.encode()))
                elif event is None:
                    self._connection.beat()
            self._is_rendering = False
        except AppError as error:
            self._connection.end(close_code(error))
        except Exception as error:
            if is_unavailable(error):
                self._connection.keep_running(self._send_later(None if event is None else Resync()))
            else:
                log.exception("push_failed")
                self._connection.end(INTERNAL_ERROR)

    async def _send_later(self, failed: Resync | None) -> None:
        """Render what failed, and what waits, in another turn: nobody is kept waiting by the pause."""
        await asyncio.sleep(_RENDER_AGAIN_AFTER)
        async with self._connection.hub.turns:
            if failed not in self._waiting:
                self._waiting.insert(0, failed)
            await self._send_waiting()

    def _is_news(self, text: str, event: Event | Resync | None) -> bool:
        """Return whether a text is to be sent.

        What is looked at at first, or again in case an event was lost, has mostly not changed.
        """
        before, self._shown = self._shown, fingerprint(text)
        return self._shown != before or isinstance(event, Event)


class LinesSubscription(LiveSubscription):
    """A subscription of a reader who gets lines one after the other: those rendered last may come again."""

    __slots__ = ()

    def _is_news(self, text: str, event: Event | Resync | None) -> bool:  # noqa: ARG002 - as in its base
        return True
