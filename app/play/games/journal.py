"""The only writer of steps and moves: it gathers the steps of many games and commits them together.

While one batch is being committed, the decisions that arrive form the next one, so a lone move is written at
once and many share a commit. Each step is a compare-and-set on its game's version: one that loses affects
that game only. A step is acknowledged and published after its commit. A step that would have to wait for a
lock of a row, or an advisory one, is committed beside the others, which do not wait with it; for a lock of
the whole table all wait.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import asyncpg
import msgspec
import structlog
from msgspec.structs import replace
from opentelemetry import trace

from app.core import json, metrics
from app.core.database import once
from app.core.database.once import DoneBeforeError
from app.core.database.statements import Connection
from app.core.errors import ConflictError
from app.core.moments import to_datetime
from app.play.games.consequences import has_consequences, write_consequences
from app.play.games.decisions import Decision
from app.play.games.events import Ended
from app.play.games.game import GameState
from app.play.games.refusals import move_id_reused

log = structlog.get_logger()

_tracer = trace.get_tracer("gorrion")

_EXPIRE_AFTER = 5.0  # seconds that a step waits while the journal cannot write

_PATIENCE = "50ms"  # of the steps that all others wait for, with any lock
_PATIENCE_LOST = "5ms"  # of those in the same batch as one for which that was not enough
_NO_HURRY = "0"  # as long as a statement may take
_MOST_ASIDE = 4  # connections with steps that wait for locks

# Rows are locked in the order of their ids, so that two processes that write the same games never wait for
# each other. Moves are written, and a computer's answer is asked for, only where the step took place. The
# patience is set in the statement, since a pooler of transactions keeps no settings of a session.
_WRITE_STEPS = """
WITH step AS (
    SELECT step.* FROM set_config('lock_timeout', $3, true), json_to_recordset($1) AS step(
        game_id text, version bigint, ply bigint, position text, status text, winner_seat smallint,
        termination text, clock_left bigint[], clock_since timestamptz, deadline timestamptz,
        stop_from timestamptz, stop_until timestamptz, aborted_by smallint, takeback text,
        taken_back_to bigint, undos bigint, submitted boolean,
        awaits_computer boolean
    )
), current AS (
    SELECT game.id FROM games game JOIN step ON game.id = step.game_id AND game.version = step.version
    ORDER BY game.id FOR UPDATE OF game
), advanced AS (
    UPDATE games game SET
        version = step.version + 1, ply = step.ply, position = step.position, status = step.status,
        winner_seat = step.winner_seat, termination = step.termination, clock_left = step.clock_left,
        clock_since = step.clock_since, deadline = step.deadline, takeback = step.takeback,
        stop_from = step.stop_from, stop_until = step.stop_until,
        aborted_by = step.aborted_by,
        taken_back_to = step.taken_back_to, undos = step.undos, submitted = step.submitted,
        updated_at = now(),
        ended_at = CASE WHEN step.status <> 'started' THEN coalesce(game.ended_at, now()) END,
        watch_at = CASE WHEN step.deadline IS NOT NULL THEN least(game.watch_at, step.deadline) END
    FROM step JOIN current ON current.id = step.game_id
    WHERE game.id = step.game_id
    RETURNING game.id, game.version, game.conditional, step.awaits_computer
), played AS (
    INSERT INTO moves (game_id, ply, move, move_id, played_at, spent)
    SELECT move.game_id, move.ply, move.move, move.move_id, move.played_at, move.spent
    FROM json_to_recordset($2) AS move(
        game_id text, ply bigint, move text, move_id uuid, played_at timestamptz, spent bigint
    ) JOIN advanced ON advanced.id = move.game_id
)
SELECT id, conditional, CASE WHEN awaits_computer THEN request_computer_move(id, version) END FROM advanced
"""


class _Waiting(msgspec.Struct, eq=False, frozen=True):
    """A step that waits, with what its request asked for if that has a key, and what its caller waits for."""

    decision: Decision
    errand: once.Errand | None
    written: "asyncio.Future[Decision | None]"

    @property
    def is_apart(self) -> bool:
        """Return whether the step needs a transaction of several statements."""
        return self.errand is not None or has_consequences(self.decision)


OnCommit = Callable[[Decision], None]
"""Receives each decision as it was committed, in order."""


class Journal:
    """The writer of one process. `run` commits; `commit` asks for it and waits."""

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]", on_commit: OnCommit) -> None:
        self._pool = pool
        self._on_commit = on_commit
        self._waiting: list[_Waiting] = []
        self._filled = asyncio.Event()
        self._in_flight: dict[str, _Waiting] = {}
        self._aside: dict[_Waiting, asyncio.Task[None]] = {}
        self._places_aside = asyncio.Semaphore(_MOST_ASIDE)
        self._patience = _PATIENCE
        self._is_running = False
        self._uncounted = 0  # moves for the metric, which takes as long for one as for many
        self._loop = asyncio.get_running_loop()
        metrics.STEPS_WAITING.set_function(lambda: len(self._waiting) + len(self._aside))

    async def commit(self, decision: Decision) -> GameState | None:
        """Write a decision and return the game as committed, or None if the game had moved on before.

        If the request that is being answered has a key, it is claimed with the step. Raise DoneBeforeError if
        it was before, ConflictError `move_id_reused`, TimeoutError if the step could not be tried within 5
        seconds, or what asyncpg raises if the connection breaks. It is then unknown whether the step was
        written, and the caller may repeat it with the same move_id.
        """
        game_id = decision.before.id
        if (earlier := self._in_flight.get(game_id)) is not None:
            await asyncio.wait([earlier.written])  # that step wins, so this one is out of date
            return None
        waiting = _Waiting(decision, once.unclaimed(), self._loop.create_future())
        self._in_flight[game_id] = waiting
        self._waiting.append(waiting)
        self._filled.set()
        if not self._is_running:
            self._loop.call_later(_EXPIRE_AFTER, self._expire, waiting)
        # If the caller is cancelled, so is its future, but the step is still written and published.
        if trace.get_current_span().is_recording():
            with _tracer.start_as_current_span("commit", attributes={"game": game_id}):
                committed = await waiting.written
        else:  # a span that nobody records would still take a twelfth of a move's time
            committed = await waiting.written
        return None if committed is None else committed.after

    async def run(self) -> None:
        """Commit batches until cancelled. Raise what ends the connection, after answering every caller."""
        async with self._pool.acquire() as connection:
            # Whether the connection is lost must be known before the next move, not by it.
            connection.add_termination_listener(self._lost)
            self._is_running = True
            try:
                while True:
                    await self._filled.wait()
                    if connection.is_closed():
                        raise ConnectionResetError("the connection of the journal was closed")
                    with metrics.COMMIT_SECONDS.time():
                        await self._commit_waiting(connection)
                    self._count_moves()
            finally:
                self._is_running = False
                for waiting in self._waiting:
                    self._loop.call_later(_EXPIRE_AFTER, self._expire, waiting)
                with contextlib.suppress(asyncpg.InterfaceError):  # it is closed already
                    connection.terminate()

    def _lost(self, _connection: object) -> None:
        self._filled.set()

    def _expire(self, waiting: _Waiting) -> None:
        """Refuse a step that still waits: its caller repeats it when the database is back."""
        if waiting in self._waiting:
            self._waiting.remove(waiting)
            self._settle(waiting, TimeoutError("the database is away"))

    async def _commit_waiting(self, connection: Connection) -> None:
        """Commit what waits. Raise whatever ends the connection; every caller is answered before."""
        batch, self._waiting = self._waiting, []
        self._filled.clear()
        self._patience = _PATIENCE
        metrics.COMMIT_SIZE.observe(len(batch))
        simple: list[_Waiting] = []
        apart: list[_Waiting] = []
        for waiting in batch:
            (apart if waiting.is_apart else simple).append(waiting)
        try:
            await self._commit_together(connection, simple)
            for waiting in apart:
                await self._commit_apart(connection, waiting)
        except Exception as error:
            for waiting in batch:
                if waiting not in self._aside and self._in_flight.get(waiting.decision.before.id) is waiting:
                    self._settle(waiting, error)
            raise

    async def _commit_together(self, connection: Connection, batch: Sequence[_Waiting]) -> None:
        if not batch:
            return
        try:
            advanced = await _write(connection, [waiting.decision for waiting in batch], self._patience)
        except asyncpg.PostgresConnectionError:
            raise
        except asyncpg.PostgresError as error:
            # One bad row must not fail its neighbours.
            if isinstance(error, asyncpg.LockNotAvailableError):
                self._patience = _PATIENCE_LOST
            for waiting in batch:
                await self._commit_apart(connection, waiting)
            return
        for waiting in batch:
            self._settle(waiting, _as_written(waiting.decision, advanced))

    async def _commit_apart(self, connection: Connection, waiting: _Waiting) -> None:
        outcome: Decision | Exception | None
        try:
            outcome = await _written_apart(connection, waiting, self._patience)
        except asyncpg.PostgresConnectionError:
            raise
        except asyncpg.LockNotAvailableError:
            self._patience = _PATIENCE_LOST
            self._put_aside(waiting)
            return
        except (asyncpg.PostgresError, DoneBeforeError, ConflictError) as error:
            outcome = error
        self._settle(waiting, outcome)

    def _put_aside(self, waiting: _Waiting) -> None:
        """Write a step on another connection, which waits for a lock while the journal goes on."""
        task = self._loop.create_task(self._commit_aside(waiting))
        self._aside[waiting] = task
        task.add_done_callback(lambda _task: self._aside.pop(waiting))

    async def _commit_aside(self, waiting: _Waiting) -> None:
        outcome: Decision | Exception | None
        try:
            async with contextlib.AsyncExitStack() as place:
                async with asyncio.timeout(_EXPIRE_AFTER):
                    await place.enter_async_context(self._places_aside)
                    connection = await place.enter_async_context(self._pool.acquire())
                outcome = await _written_apart(connection, waiting, _NO_HURRY)
        except Exception as error:  # noqa: BLE001 - it is the caller's
            outcome = error
        try:
            self._settle(waiting, outcome)
        except Exception:
            log.exception("step_not_published", game=waiting.decision.before.id)
        self._count_moves()

    def _settle(self, waiting: _Waiting, outcome: Decision | Exception | None) -> None:
        """Answer the caller and hand on what was committed."""
        written = waiting.written
        del self._in_flight[waiting.decision.before.id]
        if isinstance(outcome, Exception):
            if not written.done():
                written.set_exception(outcome)
            return
        if not written.done():
            written.set_result(outcome)
        if outcome is not None:
            self._uncounted += max(0, outcome.after.ply - outcome.before.ply)
            self._on_commit(outcome)

    def _count_moves(self) -> None:
        metrics.MOVES.inc(self._uncounted)
        self._uncounted = 0


async def _written_apart(connection: Connection, waiting: _Waiting, patience: str) -> Decision | None:
    """Write a step with all that follows from it, and return it as written, or None if the game had moved on.

    Raise DoneBeforeError, ConflictError `move_id_reused`, LockNotAvailableError.
    """
    errand = waiting.errand
    try:
        async with connection.transaction():
            advanced = await _write(connection, [waiting.decision], patience)
            done = _as_written(waiting.decision, advanced)
            if done is None:
                return None
            if errand is not None:
                await once.claim_on(connection, errand)
            done = await write_consequences(connection, done)
    except asyncpg.UniqueViolationError:
        raise move_id_reused() from None
    if errand is not None:
        errand.is_claimed = True
    return done


async def _write(connection: Connection, batch: Sequence[Decision], patience: str) -> dict[str, bool]:
    """Write the steps of different games; return those they advanced, and whether these are conditional.

    Raise LockNotAvailableError after so much time with a lock, here and in the rest of the transaction.
    """
    steps = [_step_row(decision) for decision in batch]
    moves = [row for decision in batch for row in _move_rows(decision)]
    rows = await connection.fetch(
        _WRITE_STEPS, json.encode(steps).decode(), json.encode(moves).decode(), patience
    )
    return {row["id"]: row["conditional"] for row in rows}


def _as_written(decision: Decision, advanced: Mapping[str, bool]) -> Decision | None:
    """Return a decision as it was written, or None if the game had moved on."""
    if (is_conditional := advanced.get(decision.before.id)) is None:
        return None
    if not is_conditional:
        return decision
    return replace(decision, after=replace(decision.after, conditional=True))


def _step_row(decision: Decision) -> dict[str, Any]:
    before, after, step = decision.before, decision.after, decision.step
    clock = after.clock
    return {
        "game_id": before.id,
        "version": before.version,
        "ply": after.ply,
        "position": after.position_text,
        "status": after.status,
        "winner_seat": after.winner_seat,
        "termination": after.result.termination if after.result else None,
        "aborted_by": step.aborted_by if isinstance(step, Ended) else None,
        "clock_left": clock.left if clock else None,
        "clock_since": to_datetime(clock.since) if clock else None,
        "deadline": to_datetime(after.deadline) if after.deadline is not None else None,
        "stop_from": to_datetime(clock.stop[0]) if clock and clock.stop else None,
        "stop_until": to_datetime(clock.stop[1]) if clock and clock.stop else None,
        "takeback": after.takeback,
        "taken_back_to": after.taken_back_to,
        "undos": after.undos,
        "submitted": after.submitted,
        "awaits_computer": after.awaits_computer,
    }


def _move_rows(decision: Decision) -> list[dict[str, Any]]:
    before, after = decision.before, decision.after
    return [
        {
            "game_id": before.id,
            "ply": ply,
            "move": played.move,
            "move_id": None if played.move_id is None else f"{played.move_id:032x}",
            "played_at": to_datetime(played.at),
            "spent": played.spent,
        }
        for ply, played in enumerate(after.moves[before.ply :], before.ply + 1)
    ]
