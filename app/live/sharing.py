"""Reading once what many listeners show after the same event."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

Key = TypeVar("Key", bound=Hashable)
T = TypeVar("T")


class Shared(Generic[Key, T]):
    """Readings by key. Callers share one that has not begun yet, so each gets what was committed before."""

    def __init__(self, read: Callable[[Key], Awaitable[T]]) -> None:
        self._read = read
        self._next: dict[Key, asyncio.Task[T]] = {}
        self._turns: WeakValueDictionary[Key, asyncio.Lock] = WeakValueDictionary()

    async def read(self, key: Key) -> T:
        """Return what a reading that begins after this call returns."""
        if key not in self._next:
            self._next[key] = asyncio.create_task(self._read_next(key))
        return await asyncio.shield(self._next[key])

    async def _read_next(self, key: Key) -> T:
        turn = self._turns.setdefault(key, asyncio.Lock())
        async with turn:
            del self._next[key]
            return await self._read(key)
