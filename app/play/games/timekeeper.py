"""Flags that fall without a move: at each deadline one of the processes ends the game."""

import asyncio
from collections.abc import Collection
from typing import Protocol

import structlog

from app.core.database.session import is_unavailable
from app.core.database.unreadable import UnreadableError
from app.core.moments import now
from app.core.rests import Rests

log = structlog.get_logger()

LATE_MOVE_MARGIN = 100
"""Milliseconds after a deadline in which a move that reached the server before it may still be on its way."""

_LOOK_EVERY = 500
"""Milliseconds between two looks at most, since another process may have set a deadline and died."""

_MOST = 200  # games at a time


class Alarm:
    """Wakes its one sleeper at the earliest of the moments that it was set for."""

    def __init__(self) -> None:
        self._at: int | None = None
        self._set = asyncio.Event()

    def set_for(self, moment: int) -> None:
        """Wake the sleeper at a moment, unless it wakes earlier anyway."""
        if self._at is None or moment < self._at:
            self._at = moment
            self._set.set()

    async def sleep(self, until: int) -> None:
        """Sleep until a moment, or until an earlier one that is set meanwhile."""
        while (rest := min(until, until if self._at is None else self._at) - now()) > 0:
            self._set.clear()
            try:
                async with asyncio.timeout(rest / 1000):
                    await self._set.wait()
            except TimeoutError:
                break
        self._at = None


class Clocks(Protocol):
    """What the timekeeper asks of the games."""

    async def beat(self) -> int:
        """Record that the server is alive, credit the clocks with any downtime, and return its end: now."""

    @property
    def may_flag(self) -> bool:
        """Return whether this process knows the time well enough to end games."""

    async def overdue(self, moment: int, *, but: Collection[str], limit: int) -> list[str]:
        """Return the ids of games, but some, whose time is over by a moment."""

    async def next_deadline(self, after: int = 0) -> int | None:
        """Return the first moment after another one at which a deadline may be reached, or None."""

    async def flag(self, game_id: str, moment: int) -> None:
        """End a game if its time was over at a moment."""


class Timekeeper:
    """The one task of a process that watches deadlines."""

    def __init__(self, clocks: Clocks, alarm: Alarm) -> None:
        self._clocks = clocks
        self._alarm = alarm
        self._rests = Rests()

    async def run(self) -> None:
        """Watch until cancelled."""
        while True:
            until = now() + _LOOK_EVERY
            following = await self._sweep()
            await self._alarm.sleep(until if following is None else min(until, following))

    async def _sweep(self) -> int | None:
        """End the games whose time is over, and return when to look next, or None if no deadline is known."""
        # No later moment: if this process is stopped now, there may be a downtime after the heartbeat.
        moment = await self._clocks.beat() - LATE_MOVE_MARGIN
        if not self._clocks.may_flag:
            return None
        following = await self._clocks.next_deadline()
        if following is not None and following <= moment:
            await self._end_games(moment)
            following = await self._clocks.next_deadline(after=moment)
        return None if following is None else following + LATE_MOVE_MARGIN

    async def _end_games(self, moment: int) -> None:
        resting = self._rests.resting(moment)
        for game_id in await self._clocks.overdue(moment, but=resting, limit=_MOST):
            try:
                await self._clocks.flag(game_id, moment)
            except UnreadableError:
                self._rests.failed(game_id, moment)
            except Exception as error:
                if is_unavailable(error):
                    raise
                pause = self._rests.failed(game_id, moment)  # one bad game must not hold up the others
                log.exception("flag_failed", game=game_id, again_in=pause.total_seconds())
