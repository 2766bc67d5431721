"""Reading and drawing once what many open pages show after the same event."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Mapping
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from app.core.events import Event
from app.core.i18n.languages import current

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


Drawing = TypeVar("Drawing")


class Drawn(Generic[Drawing]):
    """What was drawn of something at one moment, by language and by what else distinguishes the drawings."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[object, ...], Drawing] = {}

    def once(self, draw: Callable[[], Drawing], *key: object) -> Drawing:
        """Return the drawing of a key in the reader's language; `draw` makes it for the first reader."""
        of_all = (current(), *key)
        if of_all not in self._drawn:
            self._drawn[of_all] = draw()
        return self._drawn[of_all]


class DrawnParts:
    """The parts of one open page by their names, as they were sent last."""

    def __init__(self) -> None:
        self._sent: Mapping[str, str] = {}

    def changed(self, parts: Mapping[str, str]) -> list[str]:
        """Return the parts that differ from those sent last, and remember all of them as sent."""
        sent, self._sent = self._sent, parts
        return [html for name, html in parts.items() if sent.get(name) != html]


ValueT = TypeVar("ValueT")


class SharedReading(Generic[ValueT]):
    """A reading that is repeated after each event, once for all callers that react to it."""

    def __init__(self, read: Callable[[], Coroutine[Any, Any, ValueT]]) -> None:
        self._read = read
        self._now: Shared[None, ValueT] = Shared(lambda _: read())
        self._event: Event | None = None
        self._reading: asyncio.Task[ValueT] | None = None

    async def after(self, event: Event | None) -> ValueT:
        """Return what is read after an event; None stands for this call, and shares what begins after it."""
        if event is None:
            return await self._now.read(None)
        if self._reading is None or event is not self._event:  # an equal one may be a later change
            self._event, self._reading = event, asyncio.create_task(self._read())
        return await asyncio.shield(self._reading)
