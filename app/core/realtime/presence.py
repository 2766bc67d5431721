"""Who is connected: people and programs on any process, at a game or anywhere on the site.

Short absences, as between two pages, do not count.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from app.core.realtime.bus import Bus
from app.core.realtime.events import OnlineChanged, PresenceChanged

ABSENT_AFTER = 5.0
"""Seconds; shorter absences do not count."""
SITE = ""
"""The place of everyone who is connected."""
_LOOK_EVERY = 1.0  # seconds
TOLD_WITHIN = timedelta(seconds=ABSENT_AFTER + _LOOK_EVERY)
"""How long after a departure a process tells of it, if it still runs."""


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who is at a place: the accounts, and how many others watch without one."""

    accounts: frozenset[int]
    strangers: int


class Presence(Protocol):
    """The connections of this process, and what all processes know of who is there."""

    departures: "PresenceAnnouncer"

    @property
    def watching_since(self) -> int | None:
        """The moment since which this process would have seen anyone come, or None while it might not."""

    def here(self, account_id: int | None, *places: str) -> contextlib.AbstractAsyncContextManager[None]:
        """Count an account (None: a stranger) as being at places for as long as the context lasts."""

    def seen(self, account_id: int, place: str) -> None:
        """Note a page load or a move by HTTP: a sign of life, also without an open connection."""

    async def online(self, account_ids: Collection[int]) -> frozenset[int]:
        """Return which of these accounts are connected, or were a moment ago."""

    async def gone(self, account_ids: Collection[int]) -> frozenset[int]:
        """Return which of these accounts are certainly not connected, and were not a moment ago."""

    async def at(self, place: str) -> Attendance:
        """Return who is at a place."""

    async def absent_since(self, account_id: int, *places: str) -> tuple[bool, datetime | None]:
        """Return whether an account is absent from all these places, and since when (None: it never came)."""


class PresenceAnnouncer:
    """Announces who comes and goes, and reports the accounts that went offline. Every presence has them."""

    def __init__(self, bus: Bus, gone: Callable[[Collection[int]], Awaitable[frozenset[int]]]) -> None:
        self._bus = bus
        self._gone = gone
        self._when_gone: list[Callable[[Collection[int]], Awaitable[None]]] = []
        self._departed: list[tuple[float, int, str]] = []  # when to look, account, place
        self._leaving: Counter[int] = Counter()  # how often each account is among them

    def when_gone(self, tell: Callable[[Collection[int]], Awaitable[None]]) -> None:
        """Register a callback for accounts that went offline."""
        self._when_gone.append(tell)

    def arrive(self, came: Collection[tuple[int | None, str]]) -> None:
        """Announce arrivals at places, and the accounts that came online."""
        self.announce({place for _, place in came})
        for account_id, place in came:
            if place == SITE and account_id is not None and account_id not in self._leaving:
                self._bus.publish(OnlineChanged(account_id))

    def announce(self, places: Collection[str]) -> None:
        """Announce that someone came to places or left them."""
        for place in places:
            if place != SITE:
                self._bus.publish(PresenceChanged(place))

    def note(self, left: Collection[tuple[int | None, str]]) -> None:
        """Announce departures, and look a little later whether these accounts are online elsewhere."""
        self.announce({place for _, place in left})
        due = time.monotonic() + ABSENT_AFTER
        departed = [(due, account_id, place) for account_id, place in left if account_id is not None]
        self._departed += departed
        self._leaving.update(account_id for _, account_id, _ in departed)

    @property
    def owed(self) -> list[tuple[int, str]]:
        """The accounts whose departure from a place was noted, and is not told yet."""
        return [(account_id, place) for _, account_id, place in self._departed]

    async def look(self) -> None:
        """Report accounts that went offline to the callbacks, until cancelled."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            due = [departed for departed in self._departed if departed[0] <= time.monotonic()]
            if due:
                if gone := await self._gone({account_id for _, account_id, _ in due}):
                    for tell in self._when_gone:
                        await tell(gone)
                # Nothing is awaited from here on: who comes back before is seen by the readers of this event,
                # and who comes back later is announced.
                for account_id in gone:
                    self._bus.publish(OnlineChanged(account_id))
                self.announce({place for _, _, place in due})
                self._departed = self._departed[len(due) :]
                self._leaving -= Counter(account_id for _, account_id, _ in due)
