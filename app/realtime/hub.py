"""Fan-out within one process: listeners by topic, and bounded queues for slow ones."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, Self

from app import metrics
from app.events import Event, Resync, Topic

_QUEUE_SIZE = 64

Listener = Callable[[Event | Resync], None]
"""Receives each event of its topics, at once and in order. It must neither block nor raise."""


class SubscriptionEnded(Exception):  # noqa: N818 - it is the normal end of a subscription
    """No more events will come; `code` is the websocket close code that says why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


TRY_AGAIN = 1013  # the client comes back later and receives a full snapshot
TOO_SLOW = TRY_AGAIN
GOING_AWAY = 1012  # service restart


class Hub:
    """All listeners of one process."""

    def __init__(self) -> None:
        self._listeners: defaultdict[Topic, set[Listener]] = defaultdict(set)
        self._subscriptions: set[Subscription] = set()
        self._closed = False

    def subscribe(self, *topics: Topic) -> "Subscription":
        """Return a subscription to topics; it listens while its `with` block runs."""
        return Subscription(self, topics)

    def publish(self, event: Event) -> None:
        """Pass an event to every listener of its topics, once to each."""
        listeners: dict[Listener, None] = {}
        for topic in event.topics:
            if topic in self._listeners:
                listeners.update(dict.fromkeys(self._listeners[topic]))
        for listener in listeners:
            listener(event)

    def resync(self) -> None:
        """Notify every listener that events may have been lost."""
        resync = Resync()
        for listener in set[Listener]().union(*self._listeners.values()):
            listener(resync)

    def close(self) -> None:
        """End every subscription, now and in future: the process is shutting down."""
        self._closed = True
        for subscription in tuple(self._subscriptions):
            subscription.end(GOING_AWAY)

    def listen(self, listener: Listener, topics: Iterable[Topic]) -> None:
        """Call a listener with each event of these topics."""
        for topic in topics:
            self._listeners[topic].add(listener)

    def ignore(self, listener: Listener, topics: Iterable[Topic]) -> None:
        """Stop calling a listener with the events of these topics."""
        for topic in topics:
            self._listeners[topic].discard(listener)
            if not self._listeners[topic]:
                del self._listeners[topic]

    def open(self, subscription: "Subscription") -> None:
        """Keep a subscription until `release`, so that `close` reaches it."""
        self._subscriptions.add(subscription)
        if self._closed:
            subscription.end(GOING_AWAY)

    def release(self, subscription: "Subscription") -> None:
        """Forget a subscription."""
        self._subscriptions.discard(subscription)


class Subscription:
    """The queue of one slow listener. Use it as a context manager; `get` waits.

    Besides events, the queue carries whatever its owner adds with `put`, in one order.
    """

    def __init__(self, hub: Hub, topics: Iterable[Topic]) -> None:
        self._hub = hub
        self._topics = tuple(topics)
        self._queue: asyncio.Queue[Any] = asyncio.Queue(_QUEUE_SIZE)
        self._end: int | None = None

    def __enter__(self) -> Self:
        self._hub.listen(self.put, self._topics)
        self._hub.open(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._hub.ignore(self.put, self._topics)
        self._hub.release(self)

    def listen_to(self, *topics: Topic) -> None:
        """Listen to these topics and to no others."""
        self._hub.ignore(self.put, set(self._topics) - set(topics))
        self._hub.listen(self.put, set(topics) - set(self._topics))
        self._topics = topics

    def listen_also(self, *topics: Topic) -> None:
        """Listen to these topics as well."""
        self.listen_to(*{*self._topics, *topics})

    def put(self, item: Any) -> None:
        """Add an item. A listener whose queue is full is too slow, and its subscription ends."""
        try:
            self._queue.put_nowait(item)
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

    async def get(self) -> Any:
        """Return the next item as soon as there is one. Raise SubscriptionEnded."""
        item = await self._queue.get()
        if self._end is not None:
            self._queue.put_nowait(None)
            raise SubscriptionEnded(self._end)
        return item
