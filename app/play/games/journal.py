"""The only writer of steps and moves: it gathers the steps of many games and commits them together.

While one batch is being committed, the decisions that arrive form the next one, so a lone move is written at
once and many share a commit. Each step is a compare-and-set on its game's version: one that loses affects
that game only. A step is acknowledged and published after its commit.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import asyncpg
from opentelemetry import trace

from app.core import json, metrics
from app.core.moments import to_datetime
from app.people.inbox import service as inbox
from app.people.inbox.kinds import NewsKind
from app.play.conditions import store as conditions
from app.play.games import news
from app.play.games.decisions import Decision
from app.play.games.events import Ended
from app.play.games.game import GameState
from app.play.games.refusals import move_id_reused
from app.play.ratings import service as ratings
from app.play.solitaire import scores
from engine.registry import SOLITAIRE

if TYPE_CHECKING:
    Connection = asyncpg.pool.PoolConnectionProxy[asyncpg.Record]

_tracer = trace.get_tracer("gorrion")

_EXPIRE_AFTER = 5.0  # seconds that a step waits while the journal cannot write

# Rows are locked in the order of their ids, so that two processes that write the same games never wait for
# each other. Moves are written, and a computer's answer is asked for, only where the step took place.
_WRITE_STEPS = """
WITH step AS (
    SELECT * FROM json_to_recordset($1) AS step(
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

_FORGET = """
DELETE FROM notifications WHERE subject = $1 AND account_id = ANY($2::bigint[]) AND kind = ANY($3::text[])
"""
_DELETE_MOVES = "DELETE FROM moves WHERE game_id = $1 AND ply > $2"
_MARK_CLOCKS = "UPDATE games SET clock_marks = $2 WHERE id = $1"

_Waiting = tuple[Decision, "asyncio.Future[Decision | None]"]
"""A decision, and what its caller waits for."""

OnCommit = Callable[[Decision], None]
"""Receives each decision as it was committed, in order."""


class Journal:
    """The writer of one process. `run` commits; `commit` asks for it and waits."""

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]", on_commit: OnCommit) -> None:
        self._pool = pool
        self._on_commit = on_commit
        self._waiting: list[_Waiting] = []
        self._filled = asyncio.Event()
        self._in_flight: dict[str, asyncio.Future[Decision | None]] = {}
        self._is_running = False
        self._loop = asyncio.get_running_loop()
        metrics.STEPS_WAITING.set_function(lambda: len(self._waiting))

    async def commit(self, decision: Decision) -> GameState | None:
        """Write a decision and return the game as committed, or None if the game had moved on before.

        Raise ConflictError `move_id_reused`, TimeoutError if the step could not be tried within 5 seconds, or
        what asyncpg raises if the connection breaks. It is then unknown whether the step was written, and the
        caller may repeat it with the same move_id.
        """
        game_id = decision.before.id
        if (earlier := self._in_flight.get(game_id)) is not None:
            await asyncio.wait([earlier])  # that step wins, so this one is out of date
            return None
        written: asyncio.Future[Decision | None] = self._loop.create_future()
        self._in_flight[game_id] = written
        self._waiting.append((decision, written))
        self._filled.set()
        if not self._is_running:
            self._loop.call_later(_EXPIRE_AFTER, self._expire, decision, written)
        # If the caller is cancelled, so is its future, but the step is still written and published.
        if trace.get_current_span().is_recording():
            with _tracer.start_as_current_span("commit", attributes={"game": game_id}):
                committed = await written
        else:  # a span that nobody records would still take a twelfth of a move's time
            committed = await written
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
            finally:
                self._is_running = False
                for waiting in self._waiting:
                    self._loop.call_later(_EXPIRE_AFTER, self._expire, *waiting)
                with contextlib.suppress(asyncpg.InterfaceError):  # it is closed already
                    connection.terminate()

    def _lost(self, _connection: object) -> None:
        self._filled.set()

    def _expire(self, decision: Decision, written: "asyncio.Future[Decision | None]") -> None:
        """Refuse a step that still waits: its caller repeats it when the database is back."""
        if any(waiting is written for _, waiting in self._waiting):
            self._waiting = [waiting for waiting in self._waiting if waiting[1] is not written]
            self._settle(decision, written, TimeoutError("the database is away"))

    async def _commit_waiting(self, connection: "Connection") -> None:
        """Commit what waits. Raise whatever ends the connection; every caller is answered before."""
        batch, self._waiting = self._waiting, []
        self._filled.clear()
        metrics.COMMIT_SIZE.observe(len(batch))
        simple: list[_Waiting] = []
        apart: list[_Waiting] = []
        for waiting in batch:
            (apart if _has_consequences(waiting[0]) else simple).append(waiting)
        try:
            await self._commit_together(connection, simple)
            for decision, written in apart:
                await self._commit_apart(connection, decision, written)
        except Exception as error:
            for decision, written in batch:
                if self._in_flight.get(decision.before.id) is written:
                    self._settle(decision, written, error)
            raise

    async def _commit_together(self, connection: "Connection", batch: Sequence[_Waiting]) -> None:
        if not batch:
            return
        try:
            advanced = await _write(connection, [decision for decision, _ in batch])
        except asyncpg.PostgresConnectionError:
            raise
        except asyncpg.PostgresError:
            # One bad row must not fail its neighbours.
            for decision, written in batch:
                await self._commit_apart(connection, decision, written)
            return
        for decision, written in batch:
            self._settle(decision, written, _as_written(decision, advanced))

    async def _commit_apart(
        self, connection: "Connection", decision: Decision, written: "asyncio.Future[Decision | None]"
    ) -> None:
        outcome: Decision | Exception | None
        try:
            async with connection.transaction():
                done = _as_written(decision, await _write(connection, [decision]))
                outcome = await _with_consequences(connection, done) if done else None
        except asyncpg.PostgresConnectionError:
            raise
        except asyncpg.UniqueViolationError:
            outcome = move_id_reused()
        except asyncpg.PostgresError as error:
            outcome = error
        self._settle(decision, written, outcome)

    def _settle(
        self,
        decision: Decision,
        written: "asyncio.Future[Decision | None]",
        outcome: Decision | Exception | None,
    ) -> None:
        """Answer the caller and hand on what was committed."""
        del self._in_flight[decision.before.id]
        if isinstance(outcome, Exception):
            if not written.done():
                written.set_exception(outcome)
            return
        if not written.done():
            written.set_result(outcome)
        if outcome is not None:
            metrics.MOVES.inc(max(0, outcome.after.ply - outcome.before.ply))
            self._on_commit(outcome)


async def _write(connection: "Connection", batch: Sequence[Decision]) -> dict[str, bool]:
    """Write the steps of different games; return those they advanced, and whether these are conditional."""
    steps = [_step_row(decision) for decision in batch]
    moves = [row for decision in batch for row in _move_rows(decision)]
    rows = await connection.fetch(_WRITE_STEPS, json.encode(steps).decode(), json.encode(moves).decode())
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
        "deadline": to_datetime(clock.deadline) if clock and clock.deadline is not None else None,
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
            "move_id": played.move_id,
            "played_at": to_datetime(played.at),
            "spent": played.spent,
        }
        for ply, played in enumerate(after.moves[before.ply :], before.ply + 1)
    ]


def _has_consequences(decision: Decision) -> bool:
    """Return whether a step changes more than its game: it needs a transaction of several statements."""
    before, after = decision.before, decision.after
    return (
        _ends_rated(before, after)
        or after.submitted != before.submitted
        or after.ply < before.ply
        or after.pause != before.pause
        or bool(decision.lines)
        or bool(news.outdated(decision))
    )


def _ends_rated(before: GameState, after: GameState) -> bool:
    has_ended = after.status == "finished" and before.status == "started"
    return has_ended and after.rated and not after.is_too_short_to_rate


async def _with_consequences(connection: "Connection", decision: Decision) -> Decision:
    """Write the consequences of a step in its transaction, and return it with its rating changes."""
    before, after = decision.before, decision.after
    if after.ply < before.ply:
        await connection.execute(_DELETE_MOVES, after.id, after.ply)
    if after.clock_marks != before.clock_marks:
        marks = [[mark.ply, *mark.left, *mark.used] for mark in after.clock_marks]
        await connection.execute(_MARK_CLOCKS, after.id, json.encode(marks).decode())
    if after.pause != before.pause:
        await connection.execute("UPDATE games SET pause = $2 WHERE id = $1", after.id, after.pause)
    if decision.lines and before.player_to_move is not None:
        await conditions.save_on(connection, after, before.player_to_move.id, decision.lines)
        after = replace(after, conditional=True)
        decision = replace(decision, after=after)
    if outdated := news.outdated(decision):
        await _notify(connection, decision, outdated)
    if after.submitted and not before.submitted:
        await scores.enter(
            connection,
            after.id,
            after.players[0].id,
            after.game,
            after.options["size"],
            scores.merit(SOLITAIRE[after.game], after.position),
            after.undos,
        )
    if _ends_rated(before, after):
        ids = [player.id for player in after.players]
        changes = await ratings.rate_game(connection, after.id, after.game, ids, after.winner_seat)
        if changes is None:
            return decision
        await connection.execute("UPDATE games SET rating_changes = $2 WHERE id = $1", after.id, changes)
        players = zip(after.players, changes, strict=True)
        rated = tuple(replace(player, change=change) for player, change in players)
        return replace(decision, after=replace(after, players=rated))
    return decision


async def _notify(connection: "Connection", decision: Decision, outdated: Sequence[NewsKind]) -> None:
    """Notify the players of a correspondence game of a step, instead of what it makes outdated."""
    game = decision.after
    players = [player.id for player in game.players]
    await connection.execute(_FORGET, game.id, players, outdated)
    await inbox.notify_on(connection, news.news(decision))
