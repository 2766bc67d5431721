"""The clocks of games: downtimes that they are given back, and flags that fall without a move.

At each deadline one of the processes ends the game.
"""

import asyncio
import contextlib
from collections.abc import Iterable

import structlog

from app.core import metrics
from app.core.database.session import Database, is_unavailable
from app.core.database.unreadable import UnreadableError
from app.core.errors import NotFoundError, UnavailableError
from app.core.moments import now
from app.core.realtime.bus import Bus
from app.core.realtime.server_time import ServerTime
from app.core.rests import Rests
from app.play.games import decisions
from app.play.games.events import GameChanged
from app.play.games.game import GameState
from app.play.games.journal import Journal
from app.play.games.store import GameStore

log = structlog.get_logger()

LATE_MOVE_MARGIN = 100
"""Milliseconds after a deadline in which a move that reached the server before it may still be on its way."""

_LOOK_EVERY = 500
"""Milliseconds between two looks at most, since another process may have set a deadline and died."""

_MOST = 200  # games at a time
_CREDIT_PAUSE = 0.01  # seconds until a game is tried again that was being written


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


class Timekeeper:
    """The clocks of the games of one process. `run` watches their deadlines."""

    def __init__(self, database: Database, store: GameStore, journal: Journal, bus: Bus) -> None:
        self.time = ServerTime(database.pool)
        self.alarm = Alarm()
        self._store = store
        self._journal = journal
        self._bus = bus
        self._rests = Rests()
        self._is_credit_owed = False
        self._sign_of_life: asyncio.Task[int] | None = None

    async def run(self) -> None:
        """Watch until cancelled."""
        while True:
            until = now() + _LOOK_EVERY
            following = await self._sweep()
            await self.alarm.sleep(until if following is None else min(until, following))

    async def _sweep(self) -> int | None:
        """End the games whose time is over, and return when to look next, or None if no deadline is known."""
        # No later moment: if this process is stopped now, there may be a downtime after the heartbeat.
        moment = await self.beat() - LATE_MOVE_MARGIN
        if not self.time.is_trusted:
            return None
        following = await self._store.next_deadline()
        if following is not None and following <= moment:
            await self._end_games(moment)
            following = await self._store.next_deadline(after=moment)
        return None if following is None else following + LATE_MOVE_MARGIN

    async def _end_games(self, moment: int) -> None:
        resting = self._rests.resting(moment)
        for game_id in await self._store.due(moment, but=resting, limit=_MOST):
            try:
                await self.flag(game_id, moment)
            except UnreadableError:
                self._rests.failed(game_id, moment)
            except Exception as error:
                if is_unavailable(error):
                    raise
                pause = self._rests.failed(game_id, moment)  # one bad game must not hold up the others
                log.exception("flag_failed", game=game_id, again_in=pause.total_seconds())

    async def flag(self, game_id: str, moment: int) -> None:
        """End a game if the time of the side to move was over at a moment."""
        with contextlib.suppress(NotFoundError):  # it was deleted meanwhile
            state = await self._store.load(game_id)
            if (decision := decisions.flag(state, moment)) is not None:
                ended = await self._journal.commit(decision)
                if ended is not None and state.deadline is not None:
                    metrics.FLAG_SECONDS.observe((now() - state.deadline) / 1000)

    async def settle(self, state: GameState, at: int) -> GameState:
        """End a game whose time seems over at a moment, and return the game after it.

        Raise UnavailableError while this process does not trust its clock.
        """
        await self.beat()
        if not self.time.is_trusted:
            raise UnavailableError
        # A move that came in time may still be on its way.
        pause = min(LATE_MOVE_MARGIN, max(0, (state.deadline or 0) + LATE_MOVE_MARGIN - now()))
        await asyncio.sleep(pause / 1000)
        await self.flag(state.id, at)
        return await self._store.load(state.id)

    async def beat(self) -> int:
        """Record that the server is alive, credit the clocks with any downtime, and return its end: now."""
        beat_at = await self._note_life()
        while self._is_credit_owed:
            credited = await self._store.give_credit()
            self._announce_credit(credited)
            if not credited:
                await asyncio.sleep(_CREDIT_PAUSE)
            self._is_credit_owed = await self._store.is_credit_owed()
        return beat_at

    async def credited(self, state: GameState) -> GameState:
        """Return a game whose clock has been credited with any downtime."""
        if state.clock is None:
            return state
        if self.time.is_stale:
            await self._shared_sign_of_life()
        if not self._is_credit_owed:
            return state
        self._announce_credit(await self._store.give_credit(game_id=state.id))
        return await self._store.load(state.id)

    async def _note_life(self) -> int:
        beat_at = await self.time.beat(self._store.owe_credit)
        self._is_credit_owed = await self._store.is_credit_owed()
        return beat_at

    async def _shared_sign_of_life(self) -> None:
        """Wait for a heartbeat that ends from now on: one for all commands that wait at the same time.

        Each by itself would take a connection, to wait for the others' lock.
        """
        if self._sign_of_life is None or self._sign_of_life.done():
            self._sign_of_life = asyncio.create_task(self._note_life())
        # A command that is cancelled leaves it to the others.
        await asyncio.shield(self._sign_of_life)

    def _announce_credit(self, credited: Iterable[tuple[str, int]]) -> None:
        for game_id, version in credited:
            self._bus.publish(GameChanged(game_id, version, (), None, is_over=False, step=None))
