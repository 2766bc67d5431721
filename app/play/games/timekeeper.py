"""The clocks of games: downtimes that they are given back, and flags that fall without a move.

At each deadline one of the processes ends the game. `journal.py` writes steps; what is written here is not
decided by anybody: the time that clocks are given after a downtime, and when to look at a deadline again.
"""

import asyncio
import contextlib
from datetime import datetime

import structlog

from app.core import metrics
from app.core.database.session import Database, is_unavailable
from app.core.database.statements import Connection
from app.core.database.unreadable import UnreadableError
from app.core.errors import NotFoundError, UnavailableError
from app.core.moments import from_datetime, now, to_datetime
from app.core.realtime.bus import Bus
from app.core.realtime.server_time import Downtime, ServerTime
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
_BATCH = 500  # games whose clocks are given time in one statement
_CREDIT_PAUSE = 0.01  # seconds until a game is tried again that was being written

_DUE = """
SELECT id FROM games
WHERE watch_at <= $1 AND deadline <= $1 AND NOT EXISTS (SELECT FROM clock_credits WHERE game_id = id)
    AND id <> ALL($2::text[])
ORDER BY deadline LIMIT $3
"""
_NEXT_DEADLINE = "SELECT min(watch_at) FROM games WHERE watch_at > $1"
_LOOK = """
SELECT EXISTS (SELECT FROM clock_credits JOIN games ON id = game_id) AS is_credit_owed,
    (SELECT min(watch_at) FROM games) AS deadline
"""

# A move changes `watch_at` only if the new deadline is earlier, so it comes before most deadlines.
_WATCH_LATER = """
UPDATE games SET watch_at = deadline WHERE id IN (
    SELECT id FROM games WHERE watch_at <= $1 AND deadline > $1 ORDER BY id FOR UPDATE SKIP LOCKED
)
"""

# A race and a day end for all players at the same moment. A clock that is still owed the time of an earlier
# downtime is owed the sum. Clocks are owed no time of a downtime in which they stood still anyway.
_OWE_CREDIT = """
INSERT INTO clock_credits (game_id, milliseconds)
SELECT id, CASE
    WHEN stop_from IS NOT NULL OR time_control ? 'weekends_off'
    THEN counted_between(
        greatest(clock_since, $1), $2, time_control ? 'weekends_off', stop_from, stop_until
    )
    ELSE extract(epoch FROM $2 - greatest(clock_since, $1)) * 1000
END
FROM games
WHERE deadline IS NOT NULL AND clock_since < greatest($1, $2)
    AND time_control ->> 'kind' NOT IN ('race', 'day')
ON CONFLICT (game_id) DO UPDATE SET milliseconds = clock_credits.milliseconds + excluded.milliseconds
"""

# Games that are being written are skipped, so that no move waits for this, and are tried again later.
_GIVE_CREDIT = """
WITH owed AS (
    SELECT game_id, milliseconds, milliseconds * interval '1 ms' AS credit,
        stop_from IS NOT NULL OR time_control ? 'weekends_off' AS stands_still
    FROM clock_credits JOIN games ON id = game_id
    WHERE $1::text IS NULL OR game_id = $1
    ORDER BY game_id LIMIT $2 FOR UPDATE OF clock_credits, games SKIP LOCKED
), settled AS (
    DELETE FROM clock_credits USING owed WHERE clock_credits.game_id = owed.game_id
)
UPDATE games
SET clock_since = CASE WHEN stands_still
        THEN counted_after(clock_since, milliseconds, time_control ? 'weekends_off', stop_from, stop_until)
        ELSE clock_since + credit END,
    deadline = CASE WHEN stands_still
        THEN counted_after(deadline, milliseconds, time_control ? 'weekends_off', stop_from, stop_until)
        ELSE deadline + credit END,
    watch_at = watch_at + credit,
    version = version + 1
FROM owed WHERE games.id = owed.game_id AND deadline IS NOT NULL
RETURNING id, version
"""


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
        self._pool = database.pool
        self._store = store
        self._journal = journal
        self._bus = bus
        self._rests = Rests()
        self._is_credit_owed = False
        self._next_deadline: int | None = None
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
        following = self._next_deadline
        if following is not None and following <= moment:
            await self._end_games(moment)
            deadline = await self._pool.fetchval(_NEXT_DEADLINE, to_datetime(moment))
            following = _moment(deadline)
        return None if following is None else following + LATE_MOVE_MARGIN

    async def _end_games(self, moment: int) -> None:
        at, resting = to_datetime(moment), list(self._rests.resting(moment))
        await self._pool.execute(_WATCH_LATER, at)
        for row in await self._pool.fetch(_DUE, at, resting, _MOST):
            game_id = row["id"]
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
            if not await self._give_credit(None):
                await asyncio.sleep(_CREDIT_PAUSE)
            await self._look()
        return beat_at

    def may_owe(self, state: GameState) -> bool:
        """Return whether a game's clock may have to be credited with a downtime."""
        return state.clock is not None and (self._is_credit_owed or self.time.is_stale)

    async def credited(self, state: GameState) -> GameState:
        """Return a game whose clock has been credited with any downtime."""
        if not self.may_owe(state):
            return state
        if self.time.is_stale:
            await self._shared_sign_of_life()
        if not self._is_credit_owed:
            return state
        await self._give_credit(state.id)
        return await self._store.load(state.id)

    async def _note_life(self) -> int:
        beat_at = await self.time.beat(_owe_credit)
        await self._look()
        return beat_at

    async def _look(self) -> None:
        """Note whether a clock is owed time, and the first moment at which a deadline may be reached."""
        row = await self._pool.fetchrow(_LOOK)
        assert row is not None
        self._is_credit_owed, self._next_deadline = row["is_credit_owed"], _moment(row["deadline"])

    async def _shared_sign_of_life(self) -> None:
        """Wait for a heartbeat that ends from now on: one for all commands that wait at the same time.

        Each by itself would take a connection, to wait for the others' lock.
        """
        if self._sign_of_life is None or self._sign_of_life.done():
            self._sign_of_life = asyncio.create_task(self._note_life())
        # A command that is cancelled leaves it to the others.
        await asyncio.shield(self._sign_of_life)

    async def _give_credit(self, game_id: str | None) -> int:
        """Credit some of the clocks, or that of a game, with the time that they are owed. Return how many."""
        rows = await self._pool.fetch(_GIVE_CREDIT, game_id, _BATCH)
        for row in rows:
            self._bus.publish(GameChanged(row["id"], row["version"], (), None, is_over=False, step=None))
        return len(rows)


def _moment(at: datetime | None) -> int | None:
    return None if at is None else from_datetime(at)


async def _owe_credit(connection: Connection, downtime: Downtime) -> None:
    await connection.execute(_OWE_CREDIT, to_datetime(downtime.since), to_datetime(downtime.until))
