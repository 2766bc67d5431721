"""Numbers that a process keeps in Valkey for as long as it lives, such as its connections to a game.

A number belongs to a hash (the key) and has a name; its field is headed by the name of its process. If that
does not send a heartbeat for five seconds, another process removes all of its numbers. A process that shuts
down removes its own, and leaves to another one what it owes.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection
from typing import NamedTuple
from uuid import uuid4

from app.core.moments import now
from app.core.valkey import PREFIX, Client, Valkey

DEAD_AFTER = 5.0
"""Seconds without a heartbeat after which a process counts as dead."""
_BEAT_EVERY = 1.0  # seconds
_PAUSE = 0.002  # seconds between two batches, in which changes gather; the first is sent at once
_STORE_WITHIN = 5.0  # seconds that a connection waits until others can see it
_LEAVE_WITHIN = 2.0  # seconds

PROCESSES = f"{PREFIX}processes"
"""The names of the processes."""


class Number(NamedTuple):
    """Where a process keeps a number: the key of a hash, and a name in it that only this process needs."""

    key: str
    name: str


class Mark(NamedTuple):
    """A member of a sorted set with a moment, which outlives the process and is kept for some seconds."""

    key: str
    member: str
    moment: int
    kept: int


def life_key(process: str) -> str:
    """Return the key of a process's heartbeat, which expires. Its value are the process's totals."""
    return f"{PREFIX}process:{process}"


class Roster:
    """The numbers of one process, which says so when another process dies."""

    def __init__(self, valkey: Valkey) -> None:
        self.joined = asyncio.Event()
        self.joined_at: int | None = None
        """Since when other processes see this one without interruption (ms), or None while they do not."""
        self._totals: Callable[[], str] = lambda: "0 0"
        self._when_dead: list[Callable[[Collection[Number]], None]] = []
        self._when_leaving: list[Callable[[], Collection[Number]]] = []
        self._process = ""
        self._beaten_at = 0.0  # by the monotonic clock
        self._numbers: dict[Number, int] = {}
        self._changed: set[Number] = set()
        self._marks: list[Mark] = []
        self._filled = asyncio.Event()
        self._waiting: list[Callable[[], None]] = []  # what is done after the next batch
        self._is_leaving = False
        self._left = asyncio.Event()
        valkey.carry(self._run)

    def show(self, totals: Callable[[], str]) -> None:
        """Show what a function returns to `gorrion status`, as the value of the heartbeat's key."""
        self._totals = totals

    def when_dead(self, tell: Callable[[Collection[Number]], None]) -> None:
        """Register a callback for the numbers of processes that died."""
        self._when_dead.append(tell)

    def put(self, number: Number, value: int) -> None:
        """Set a number soon; 0 removes it."""
        if value:
            self._numbers[number] = value
        else:
            self._numbers.pop(number, None)
        self._changed.add(number)
        self._filled.set()

    def mark(self, mark: Mark) -> None:
        """Set a field that outlives the process soon, before the numbers that are put now."""
        if self.joined_at is not None:
            self._marks.append(mark)
            self._filled.set()

    def then(self, call: Callable[[], None]) -> None:
        """Call a function when others see what was put so far, or at once while Valkey is away."""
        if self.joined_at is None:
            call()
        else:
            self._waiting.append(call)
            self._filled.set()

    async def stored(self) -> None:
        """Return when others see what was put so far, or at once while Valkey is away."""
        stored = asyncio.Event()
        self.then(stored.set)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_STORE_WITHIN):
                await stored.wait()

    def when_leaving(self, owed: Callable[[], Collection[Number]]) -> None:
        """Register a callback that returns what another process gets as numbers of one that died."""
        self._when_leaving.append(owed)

    async def leave(self) -> None:
        """Remove the process and its numbers, and leave what it owes to another one: it shuts down."""
        self._is_leaving = True
        self._filled.set()
        if self.joined_at is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LEAVE_WITHIN):
                    await self._left.wait()

    async def _run(self, client: Client) -> None:
        """Join under a new name, store changes, and send a heartbeat every second."""
        self._process = uuid4().hex
        self._changed = set(self._numbers)
        joined_at = now()
        await client.set(life_key(self._process), self._totals(), px=int(DEAD_AFTER * 1000))
        await self._store(client)
        self._beaten_at = time.monotonic()
        self.joined_at = joined_at
        self.joined.set()
        try:
            while not self._is_leaving:
                await asyncio.sleep(_PAUSE)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._beaten_at + _BEAT_EVERY - time.monotonic()):
                        await self._filled.wait()
                self._filled.clear()
                await self._store(client)
                if time.monotonic() - self._beaten_at >= _BEAT_EVERY:
                    await self._beat(client)
            await self._store(client)
            owed = [number for numbers in self._when_leaving for number in numbers()]
            await self._store(client)
            await self._remove(client, self._process)
            pipeline = client.pipeline(transaction=False)
            if owed:  # before it is listed, so that nobody finds nothing and forgets it
                pipeline.sadd(_owned(self._process), *map(_listed, owed))
                pipeline.sadd(PROCESSES, self._process)
            pipeline.delete(life_key(self._process))
            await pipeline.execute()
        finally:
            self.joined_at = None
            self.joined.clear()
            self._marks.clear()
            for call in self._waiting:
                call()
            self._waiting.clear()
        self._left.set()
        await asyncio.Event().wait()  # until the connection is closed

    async def _store(self, client: Client) -> None:
        if time.monotonic() - self._beaten_at > DEAD_AFTER and self.joined_at is not None:
            raise ConnectionResetError("this process was silent for too long")
        changed, self._changed = self._changed, set()
        marks, self._marks = self._marks, []
        waiting, self._waiting = self._waiting, []
        try:
            pipeline = client.pipeline(transaction=False)
            for mark in marks:
                pipeline.zadd(mark.key, {mark.member: mark.moment})
                pipeline.zremrangebyscore(mark.key, "-inf", mark.moment - mark.kept * 1000)
                pipeline.expire(mark.key, mark.kept)
            for number in changed:
                field, listed = f"{self._process}:{number.name}", _listed(number)
                if value := self._numbers.get(number):
                    pipeline.sadd(_owned(self._process), listed)
                    pipeline.hset(number.key, field, value)
                else:
                    pipeline.hdel(number.key, field)
                    pipeline.srem(_owned(self._process), listed)
            pipeline.sadd(PROCESSES, self._process)
            await pipeline.execute()
        finally:
            for call in waiting:
                call()

    async def _beat(self, client: Client) -> None:
        pipeline = client.pipeline(transaction=False)
        pipeline.set(life_key(self._process), self._totals(), px=int(DEAD_AFTER * 1000), xx=True)
        pipeline.smembers(PROCESSES)
        is_known, processes = await pipeline.execute()
        if not is_known:
            raise ConnectionResetError("this process was taken for dead")
        self._beaten_at = time.monotonic()
        for process in processes - {self._process}:
            if not await client.exists(life_key(process)):
                numbers = await self._remove(client, process)
                for tell in self._when_dead:
                    tell(numbers)

    async def _remove(self, client: Client, process: str) -> list[Number]:
        """Remove a process and its numbers, and return where these were."""
        listed = await client.smembers(_owned(process))
        numbers = [Number(*str(entry).rsplit(" ", 1)) for entry in listed]
        pipeline = client.pipeline(transaction=False)
        for number in numbers:
            pipeline.hdel(number.key, f"{process}:{number.name}")
        pipeline.delete(_owned(process))
        pipeline.srem(PROCESSES, process)
        await pipeline.execute()
        return numbers


def _listed(number: Number) -> str:
    return f"{number.key} {number.name}"


def _owned(process: str) -> str:
    return f"{PREFIX}owned:{process}"
