"""Fan-out within one process: topics, and for each listener a bounded queue of announcements."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

_QUEUE_SIZE = 64


@dataclass(frozen=True, slots=True)
class Announcement:
    """A hint that something changed; the truth is in PostgreSQL.

    `detail` is a short text: the new version of a game, or what happened to an account.
    """

    topic: str
    detail: str


class SubscriptionEnded(Exception):  # noqa: N818 - it is the normal end of a subscription
    """No more announcements will come; `code` is the websocket close code that says why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


TOO_SLOW = 1013  # try again later: the client comes back and gets a full snapshot
GOING_AWAY = 1012  # service restart


class Subscription:
    """One listener's queue. Use it as a context manager; `get` waits for the next item.

    Beside announcements the queue carries whatever its owner puts in with `put`, in one order.
    """

    def __init__(self, hub: "Hub", topics: Iterable[str]) -> None:
        self._hub = hub
        self._topics = tuple(topics)
        self._queue: asyncio.Queue[Any] = asyncio.Queue(_QUEUE_SIZE)
        self._end: int | None = None

    def __enter__(self) -> Self:
        self._hub.add(self, self._topics)
        return self

    def __exit__(self, *_: object) -> None:
        self._hub.remove(self, self._topics)

    def listen_to(self, *topics: str) -> None:
        """Listen to these topics from now on, and to no others."""
        self._hub.remove(self, set(self._topics) - set(topics))
        self._hub.add(self, set(topics) - set(self._topics))
        self._topics = topics

    def listen_also(self, *topics: str) -> None:
        """Listen to these topics as well from now on."""
        self.listen_to(*{*self._topics, *topics})

    def put(self, item: Any) -> None:
        """Add an item; a listener whose queue is full is too slow, and its subscription ends."""
        try:
            self._queue.put_nowait(item)
        except asyncio.QueueFull:
            self.end(TOO_SLOW)

    def end(self, code: int) -> None:
        """End the subscription at once; what still waits in the queue is dropped."""
        if self._end is not None:
            return
        self._end = code
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(None)

    async def get(self) -> Any:
        """Wait for the next item. Raises SubscriptionEnded."""
        item = await self._queue.get()
        if self._end is not None:
            self._queue.put_nowait(None)
            raise SubscriptionEnded(self._end)
        return item


class Hub:
    """All subscriptions of one process."""

    def __init__(self) -> None:
        self._topics: defaultdict[str, set[Subscription]] = defaultdict(set)
        self._closed = False

    def subscribe(self, *topics: str) -> Subscription:
        """Make a subscription to topics; it listens from `with` on."""
        return Subscription(self, topics)

    def publish(self, announcement: Announcement) -> None:
        """Hand an announcement to everybody who listens to its topic."""
        for subscription in tuple(self._topics.get(announcement.topic, ())):
            subscription.put(announcement)

    def resync(self) -> None:
        """Hand everybody a hint on each of their topics: announcements may have been lost."""
        for topic in tuple(self._topics):
            self.publish(Announcement(topic, ""))

    def close(self) -> None:
        """End every subscription, and each that is still to come: the process is going away."""
        self._closed = True
        for subscriptions in tuple(self._topics.values()):
            for subscription in tuple(subscriptions):
                subscription.end(GOING_AWAY)

    def add(self, subscription: Subscription, topics: Iterable[str]) -> None:
        """Let a subscription listen."""
        for topic in topics:
            self._topics[topic].add(subscription)
        if self._closed:
            subscription.end(GOING_AWAY)

    def remove(self, subscription: Subscription, topics: Iterable[str]) -> None:
        """Let a subscription listen no more."""
        for topic in topics:
            self._topics[topic].discard(subscription)
            if not self._topics[topic]:
                del self._topics[topic]
