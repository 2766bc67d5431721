"""Fan-out within one process: listeners by topic, and bounded queues for slow ones."""

import asyncio
import itertools
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Protocol, Self

import structlog

from app.core import metrics
from app.core.events import Event, Resync, Topic

log = structlog.get_logger()

_QUEUE_SIZE = 64
_NOTIFIED_AT_ONCE = 100  # listeners, if events may have been lost
_LOOKING_AT_ONCE = 4  # listeners, so that most connections to PostgreSQL stay free for requests

Listener = Callable[[Event | Resync], None]
"""Receives each event of its topics, at once and in order. It must not block."""


class SubscriptionEnded(Exception):  # noqa: N818 - it is the normal end of a subscription
    """No more events will come; `code` is the websocket close code that says why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


TRY_AGAIN = 1013  # the client comes back later and receives a full snapshot
TOO_SLOW = TRY_AGAIN
GOING_AWAY = 1012  # service restart


class Carrier(Protocol):
    """A bus that brings a process only the events of topics that it wants."""

    def want(self, topic: Topic) -> None:
        """Note that a topic has its first listener, or none any more."""

    async def carries(self, topics: Collection[Topic]) -> None:
        """Return when all events of these topics come from now on, or none do because of an outage."""


class Hub:
    """All listeners of one process."""

    def __init__(self) -> None:
        self.carrier: Carrier | None = None
        self._listeners: defaultdict[Topic, set[Listener]] = defaultdict(set)
        self._subscriptions: set[Subscription] = set()
        self._closed = False
        self.turns = asyncio.Semaphore(_LOOKING_AT_ONCE)
        """For listeners that read a lot when events may have been lost: that concerns all at once."""

    @property
    def topics(self) -> Collection[Topic]:
        """The topics that have listeners."""
        return self._listeners.keys()

    def subscribe(self, *topics: Topic) -> "Subscription":
        """Return a subscription to topics; it listens while its `async with` block runs."""
        return Subscription(self, topics)

    def publish(self, *events: Event) -> None:
        """Pass each event to every listener of its topics, once to each."""
        for event in events:
            listeners: dict[Listener, None] = {}
            for topic in event.topics:
                if topic in self._listeners:
                    listeners.update(dict.fromkeys(self._listeners[topic]))
            for listener in listeners:
                _tell(listener, event)

    def deliver(self, event: Event, topic: Topic) -> None:
        """Pass an event to the listeners of one of its topics."""
        for listener in tuple(self._listeners.get(topic, ())):
            _tell(listener, event)

    def resync(self, topics: Iterable[Topic] | None = None) -> None:
        """Notify the listeners of topics, or of all topics, that events may have been lost."""
        wanted = self._listeners if topics is None else self._listeners.keys() & set(topics)
        self._resync(iter(set[Listener]().union(*(self._listeners[topic] for topic in wanted))))

    def _resync(self, listeners: Iterator[Listener]) -> None:
        """Notify some of the listeners now and the others soon, so that moves pass between them."""
        some = list(itertools.islice(listeners, _NOTIFIED_AT_ONCE))
        for listener in some:
            _tell(listener, Resync())
        if len(some) == _NOTIFIED_AT_ONCE:
            asyncio.get_running_loop().call_soon(self._resync, listeners)

    def close(self) -> None:
        """End every subscription, now and in future: the process is shutting down."""
        self._closed = True
        for subscription in tuple(self._subscriptions):
            subscription.end(GOING_AWAY)

    def listen(self, listener: Listener, topics: Iterable[Topic]) -> None:
        """Call a listener with each event of these topics."""
        for topic in topics:
            self._listeners[topic].add(listener)
            if self.carrier is not None and len(self._listeners[topic]) == 1:
                self.carrier.want(topic)

    def ignore(self, listener: Listener, topics: Iterable[Topic]) -> None:
        """Stop calling a listener with the events of these topics."""
        for topic in topics:
            self._listeners[topic].discard(listener)
            if not self._listeners[topic]:
                del self._listeners[topic]
                if self.carrier is not None:
                    self.carrier.want(topic)

    async def carries(self, topics: Collection[Topic]) -> None:
        """Return when all events of these topics come from now on, or none do because of an outage."""
        if self.carrier is not None:
            await self.carrier.carries(topics)

    def open(self, subscription: "Subscription") -> None:
        """Keep a subscription until `release`, so that `close` reaches it."""
        self._subscriptions.add(subscription)
        if self._closed:
            subscription.end(GOING_AWAY)

    def release(self, subscription: "Subscription") -> None:
        """Forget a subscription."""
        self._subscriptions.discard(subscription)


def _tell(listener: Listener, event: Event | Resync) -> None:
    try:
        listener(event)
    except Exception:  # one bad listener must not keep the event from the others, or from who published it
        log.exception("listener_failed")


class Subscription:
    """The queue of one slow listener. Use it as an asynchronous context manager; `get` waits."""

    def __init__(self, hub: Hub, topics: Iterable[Topic]) -> None:
        self._hub = hub
        self._topics = tuple(topics)
        self._queue: asyncio.Queue[Event | Resync | None] = asyncio.Queue(_QUEUE_SIZE)
        self._end: int | None = None

    async def __aenter__(self) -> Self:
        self._hub.listen(self._put, self._topics)
        self._hub.open(self)
        try:
            await self._hub.carries(self._topics)
        except BaseException:
            self._close()
            raise
        while self._end is None and not self._queue.empty():
            self._queue.get_nowait()  # a new subscriber has read nothing yet
        return self

    async def __aexit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        self._hub.ignore(self._put, self._topics)
        self._hub.release(self)

    def _put(self, event: Event | Resync) -> None:
        """Add an event. A listener whose queue is full is too slow, and its subscription ends."""
        try:
            self._queue.put_nowait(event)
        except asyncio.QueueFull:
            metrics.DROPPED.labels("too_slow").inc()
            self.end(TOO_SLOW)

    def end(self, code: int) -> None:
        """End the subscription now and drop the items in the queue."""
        if self._end is not None:
            return
        self._end = code
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(None)

    async def get(self) -> Event | Resync:
        """Return the next event as soon as there is one. Raise SubscriptionEnded."""
        event = await self._queue.get()
        if self._end is not None:
            self._queue.put_nowait(None)
            raise SubscriptionEnded(self._end)
        assert event is not None
        return event
