"""Readings that many callers share."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

from app.core.events import Event

ValueT = TypeVar("ValueT")


class SharedReading(Generic[ValueT]):
    """A reading that is repeated after each event, once for all callers that react to it."""

    def __init__(self, read: Callable[[], Coroutine[Any, Any, ValueT]]) -> None:
        self._read = read
        self._event: Event | None = None
        self._reading: asyncio.Task[ValueT] | None = None

    async def after(self, event: Event | None) -> ValueT:
        """Return what is read after an event; None has a reading of its own."""
        if event is None:
            return await self._read()
        if self._reading is None or event is not self._event:  # an equal one may be a later change
            self._event, self._reading = event, asyncio.create_task(self._read())
        return await asyncio.shield(self._reading)
