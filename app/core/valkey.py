"""The connection to Valkey, or any server that speaks its protocol (Redis 7 and later).

The server goes on without it: whatever uses Valkey asks only while it is connected, and has an answer of its
own for the time when it is not.
"""

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from typing import Any, TypeVar

from redis.asyncio import ConnectionPool, Redis, RedisCluster
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError

from app.core import metrics

Client = Redis | RedisCluster
Service = Callable[[Client], Awaitable[None]]
"""Uses a connected client until cancelled, or raises what ends the connection."""
T = TypeVar("T")

ERRORS = (RedisError, RedisClusterException, OSError, TimeoutError)
"""Everything that a command may raise."""

PREFIX = "gorrion:"
"""The beginning of all keys and channels."""

_ANSWER_WITHIN = 2.0  # seconds
_PING_EVERY = 1.0  # seconds


class Valkey:
    """The connection of one process, a single server or a cluster. `run` keeps it and what depends on it."""

    def __init__(self, url: str) -> None:
        """Connect to nothing yet."""
        self._url = re.sub("^valkey", "redis", url)  # the scheme, by the name that the client knows
        self._services: list[Service] = []
        self._client: Client | None = None

    def carry(self, service: Service) -> None:
        """Run a service whenever Valkey is connected; if it fails, the connection is made new."""
        self._services.append(service)

    async def run(self) -> None:
        """Stay connected until cancelled. Raise ConnectionError when the connection is lost."""
        try:
            client = await self.open()
        except ERRORS as error:
            raise ConnectionRefusedError(f"Valkey does not answer: {error!r}") from None
        self._client = client
        metrics.VALKEY_CONNECTED.set(1)
        try:
            await run_together(*(service(client) for service in (self._ping, *self._services)))
        except ERRORS as error:
            raise ConnectionResetError(f"the connection to Valkey is lost: {error!r}") from None
        finally:
            self._client = None
            metrics.VALKEY_CONNECTED.set(0)
            await closed(client.aclose())

    async def ask(self, question: Callable[[Client], Awaitable[T]]) -> T | None:
        """Return the answer to a question, or None if Valkey is away."""
        client = self._client
        if client is None:
            return None
        try:
            return await question(client)
        except ERRORS:
            return None
        finally:
            if client is not self._client:  # closed meanwhile: the question may have connected it again
                await closed(client.aclose())

    async def answers(self) -> bool:
        """Return whether Valkey answers within two seconds."""
        try:
            client = await self.open()
        except ERRORS:
            return False
        await closed(client.aclose())
        return True

    async def info(self) -> dict[str, Any]:
        """Return what the server says about itself; in a cluster, the one that the URL names."""
        client = Redis.from_url(self._url, **_options())
        try:
            return await client.info()
        finally:
            await closed(client.aclose())

    async def open(self) -> Client:
        """Return a new client of the server, or of the cluster that it belongs to."""
        if not (await self.info())["cluster_enabled"]:
            return Redis.from_url(self._url, **_options())
        cluster = RedisCluster.from_url(self._url, **_options())
        return await cluster.initialize()

    async def _ping(self, client: Client) -> None:
        while True:
            await client.ping()
            await asyncio.sleep(_PING_EVERY)


class Shards:
    """The servers that have channels: one, or the primaries of a cluster, each with its subscriptions."""

    def __init__(self, client: Client) -> None:
        self._cluster = client if isinstance(client, RedisCluster) else None
        servers = _primaries(client) if isinstance(client, RedisCluster) else {"": client}
        self._subscriptions = {name: server.pubsub() for name, server in servers.items()}

    @property
    def servers(self) -> Collection[PubSub]:
        """The subscriptions of each server."""
        return self._subscriptions.values()

    def group(self, channels: Iterable[str]) -> Iterator[tuple[PubSub, list[str]]]:
        """Yield the channels that one command may name together, with their server's subscriptions."""
        slots = defaultdict(list)
        for channel in channels:
            slots[self._cluster.keyslot(channel) if self._cluster else 0].append(channel)
        for together in slots.values():
            node = self._cluster.get_node_from_key(together[0]) if self._cluster else None
            yield self._subscriptions[node.name if node else ""], together

    async def close(self) -> None:
        """Close the connections of the subscriptions."""
        await closed(*(subscriptions.aclose() for subscriptions in self.servers))  # type: ignore[no-untyped-call]
        if self._cluster:  # each server has a pool of its own
            await closed(*(subscriptions.connection_pool.disconnect() for subscriptions in self.servers))


async def run_together(*works: Awaitable[None]) -> None:
    """Run until one work ends or fails, then cancel the others. Raise what it raised.

    A work that does not end although it is cancelled is left after two seconds.
    """
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        ended, _others = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in ended:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await _ended(tasks)


async def closed(*closings: Awaitable[None]) -> None:
    """Wait for connections to be closed, but at most two seconds for a server that does not answer."""
    tasks = [asyncio.ensure_future(closing) for closing in closings]
    try:
        await _ended(tasks)
    finally:
        for task in tasks:
            task.cancel()


async def _ended(tasks: Iterable["asyncio.Future[None]"]) -> None:
    """Wait for tasks at most two seconds, whatever they raise.

    Whoever waits may be cancelled, even more than once, when one failure ends several works: that is raised
    only after the wait, so that nothing stays open.
    """
    cancelled = None
    latest = time.monotonic() + _ANSWER_WITHIN
    for task in tasks:
        task.add_done_callback(_look_at)
    while (left := [task for task in tasks if not task.done()]) and time.monotonic() < latest:
        try:
            await asyncio.wait(left, timeout=latest - time.monotonic())
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled:
        raise cancelled


def _look_at(task: "asyncio.Future[None]") -> None:
    """Retrieve the exception of a task that nobody waits for, so that it is not reported."""
    if not task.cancelled():
        task.exception()


def _primaries(cluster: RedisCluster) -> dict[str, Redis]:
    return {
        node.name: Redis.from_pool(
            ConnectionPool(connection_class=node.connection_class, **node.connection_kwargs)
        )
        for node in cluster.get_primaries()
    }


def _options() -> dict[str, Any]:
    return {
        "decode_responses": True,
        "socket_timeout": _ANSWER_WITHIN,
        "socket_connect_timeout": _ANSWER_WITHIN,
        # Whatever fails here is tried again by the supervisor.
        "retry": Retry(NoBackoff(), 0),
    }
