"""Games in PostgreSQL. All writes of moves go through `GameStore.advance`, in one transaction.

The store remembers the games it saw last. That memory is a hint, never the truth: a write is guarded by
the version it was made for, and whoever is about to refuse something loads the game first.
"""

from collections import OrderedDict
from dataclasses import replace
from typing import Any

import asyncpg
import orjson

from app.games.game import GameState, PlayedMove, Player
from app.moments import from_datetime, now, to_datetime
from app.ratings import service as ratings
from app.scores import service as scores
from engine.clock import Clock, control_from_dict
from engine.game import Outcome, Side, Termination
from engine.registry import SOLITAIRE, rules_for

_REMEMBERED = 5_000

_LOAD = """
SELECT g.*, m.moves, m.move_ids,
       p1.username AS first_username, p1.password_hash IS NULL AS first_is_guest,
       p1.is_computer AS first_is_computer, p1.computer_level AS first_level,
       p2.username AS second_username, p2.password_hash IS NULL AS second_is_guest,
       p2.is_computer AS second_is_computer, p2.computer_level AS second_level
FROM games g
JOIN accounts p1 ON p1.id = g.first_player
LEFT JOIN accounts p2 ON p2.id = g.second_player
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(move ORDER BY ply), '{}') AS moves,
           coalesce(array_agg(move_id ORDER BY ply), '{}') AS move_ids
    FROM moves WHERE game_id = g.id
) m
WHERE g.id = $1
"""

# The update is a compare-and-set on the version, and the moves are written only if it took place. Where it
# is a computer's turn then, the same statement asks for its move.
_ADVANCE = """
WITH advanced AS (
    UPDATE games
    SET version = version + 1, ply = $3, position = $4, status = $5, winner = $6, termination = $7,
        clock_left = $11, clock_since = $12, deadline = $13, takeback = $14, taken_back_to = $15,
        undos = $16, submitted = $17,
        updated_at = now()
    WHERE id = $1 AND version = $2
    RETURNING id
), written AS (
    INSERT INTO moves (game_id, ply, move, move_id)
    SELECT advanced.id, played.ply, played.move, played.move_id
    FROM advanced, unnest($8::bigint[], $9::text[], $10::uuid[]) AS played (ply, move, move_id)
), awaited AS (
    INSERT INTO jobs (key, kind, payload)
    SELECT 'move:' || id || ':' || $2 + 1, 'move', jsonb_build_object('game_id', id) FROM advanced WHERE $18
)
SELECT count(*) FROM advanced
"""

_DUE = "SELECT id FROM games WHERE deadline <= $1 ORDER BY deadline LIMIT $2"
_NEXT_DEADLINE = "SELECT min(deadline) FROM games WHERE deadline > $1"

_BEAT = "UPDATE heartbeat SET beat_at = clock_timestamp() RETURNING beat_at"

# No clock ran while the server was down: what began to run before that begins anew from now on. A race ends
# for everybody at the moment that was agreed.
_CREDIT = """
UPDATE games
SET clock_since = clock_since + ($2 - greatest(clock_since, $1)),
    deadline = deadline + ($2 - greatest(clock_since, $1)),
    version = version + 1
WHERE deadline IS NOT NULL AND clock_since < $2 AND time_control ->> 'kind' <> 'race'
RETURNING id, version
"""


class GameStore:
    """Loads games and moves them on."""

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self._pool = pool
        self._recent: OrderedDict[str, GameState] = OrderedDict()

    def recent(self, game_id: str) -> GameState | None:
        """Give the game as this process saw it last, which may be out of date, or None."""
        state = self._recent.get(game_id)
        if state is not None:
            self._recent.move_to_end(game_id)
        return state

    async def current(self, game_id: str) -> GameState | None:
        """Give the game as it is now, or None when there is no such game."""
        remembered = self.recent(game_id)
        if remembered is None:
            return await self.load(game_id)
        version = await self._pool.fetchval("SELECT version FROM games WHERE id = $1", game_id)
        return remembered if version == remembered.version else await self.load(game_id)

    async def load(self, game_id: str) -> GameState | None:
        """Read the game from PostgreSQL, or give None when there is no such game."""
        row = await self._pool.fetchrow(_LOAD, game_id)
        if row is None:
            return None
        state = _state(row)
        self._remember(state)
        return state

    async def advance(self, before: GameState, after: GameState) -> GameState | None:
        """Write the step from one version to the next and return it as it was written.

        The end of a rated game changes the ratings in the same transaction, and a game that is submitted
        enters its score. Returns None when somebody else has made a step meanwhile.
        """
        is_rated = after.rated and after.status == "finished" and before.status == "started"
        is_entered = after.submitted and not before.submitted
        if not is_rated and not is_entered and after.ply >= before.ply:
            written = await self._pool.fetchval(_ADVANCE, *_step(before, after))
        else:
            async with self._pool.acquire() as connection, connection.transaction():
                written = await connection.fetchval(_ADVANCE, *_step(before, after))
                if written and after.ply < before.ply:
                    await connection.execute(
                        "DELETE FROM moves WHERE game_id = $1 AND ply > $2", after.id, after.ply
                    )
                if written and is_rated:
                    after = await _rate(connection, after)
                if written and is_entered:
                    await scores.enter(
                        connection,
                        after.id,
                        after.players[0].id,
                        after.game,
                        after.options["size"],
                        scores.merit(SOLITAIRE[after.game], after.position),
                        after.undos,
                    )
        if not written:
            return None
        self._remember(after)
        return after

    async def due(self, moment: int, *, limit: int) -> list[str]:
        """List games whose time is over by a moment, the longest overdue first."""
        rows = await self._pool.fetch(_DUE, to_datetime(moment), limit)
        return [row["id"] for row in rows]

    async def next_deadline(self, moment: int) -> int | None:
        """Give the first deadline after a moment, or None."""
        found = await self._pool.fetchval(_NEXT_DEADLINE, to_datetime(moment))
        return from_datetime(found) if found is not None else None

    async def credit_downtime(self, *, longer_than: float) -> list[tuple[str, int]]:
        """Note that the server is alive, and give all clocks the time for which it was not.

        A gap of more than so many seconds since the last sign of life counts; whoever comes first gives the
        credit. Returns the games concerned with their new versions.
        """
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute("SET LOCAL synchronous_commit = off")
            last = await connection.fetchval("SELECT beat_at FROM heartbeat FOR UPDATE")
            beat = await connection.fetchval(_BEAT)
            if (beat - last).total_seconds() <= longer_than:
                return []
            rows = await connection.fetch(_CREDIT, last, to_datetime(now()))
            return [(row["id"], row["version"]) for row in rows]

    def _remember(self, state: GameState) -> None:
        seen = self._recent.get(state.id)
        if seen is not None and seen.version > state.version:
            return
        self._recent[state.id] = state
        self._recent.move_to_end(state.id)
        if len(self._recent) > _REMEMBERED:
            self._recent.popitem(last=False)


def _step(before: GameState, after: GameState) -> tuple[Any, ...]:
    """Give the parameters of `_ADVANCE`."""
    new = after.moves[before.ply :]
    clock, deadline = after.clock, after.deadline
    return (
        before.id,
        before.version,
        after.ply,
        after.position_text,
        after.status,
        after.result.winner if after.result else None,
        after.result.termination if after.result else None,
        list(range(before.ply + 1, after.ply + 1)),
        [played.move for played in new],
        [played.move_id for played in new],
        clock.left if clock else None,
        to_datetime(clock.since) if clock else None,
        to_datetime(deadline) if deadline is not None else None,
        after.takeback,
        after.taken_back_to,
        after.undos,
        after.submitted,
        after.awaits_computer,
    )


async def _rate(
    connection: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]", state: GameState
) -> GameState:
    assert state.result is not None
    winner = state.result.winner
    changes = await ratings.rate_game(
        connection,
        state.id,
        state.game,
        [player.id for player in state.players],
        None if winner is None else state.rules.sides.index(winner),
    )
    await connection.execute("UPDATE games SET rating_changes = $2 WHERE id = $1", state.id, changes)
    players = [replace(player, change=change) for player, change in zip(state.players, changes, strict=True)]
    return replace(state, players=tuple(players))


def _state(row: asyncpg.Record) -> GameState:
    options: dict[str, Any] = orjson.loads(row["options"])
    players = tuple(_player(row, seat) for seat in range(1 if row["second_player"] is None else 2))
    rules = rules_for(row["game"], len(players))
    position = rules.parse(row["position"])
    result = _result(row["winner"], row["termination"])
    side = rules.side_to_move(position)
    return GameState(
        id=row["id"],
        game=row["game"],
        options=options,
        status=row["status"],
        players=players,
        version=row["version"],
        position=position,
        moves=tuple(map(PlayedMove, row["moves"], row["move_ids"])),
        result=result,
        rated=row["rated"],
        control=control_from_dict(orjson.loads(row["time_control"] or "null")),
        clock=_clock(row, None if result or side is None else rules.sides.index(side)),
        takeback=Side(row["takeback"]) if row["takeback"] else None,
        taken_back_to=row["taken_back_to"],
        undos=row["undos"],
        submitted=row["submitted"],
        created_at=row["created_at"],
    )


def _player(row: asyncpg.Record, seat: int) -> Player:
    name = ("first", "second")[seat]
    rating, deviation, change = (
        values[seat] if values else None
        for values in (row["ratings"], row["deviations"], row["rating_changes"])
    )
    return Player(
        row[f"{name}_player"],
        row[f"{name}_username"],
        row[f"{name}_is_guest"],
        rating,
        deviation,
        change,
        is_computer=row[f"{name}_is_computer"],
        level=row[f"{name}_level"],
    )


def _clock(row: asyncpg.Record, running: int | None) -> Clock | None:
    control = control_from_dict(orjson.loads(row["time_control"] or "null"))
    if control is None or row["clock_left"] is None:
        return None
    since = from_datetime(row["clock_since"])
    return Clock(control, tuple(row["clock_left"]), running, since, opening=row["ply"] == 0)


def _result(winner: str | None, termination: str | None) -> Outcome | None:
    if termination is None:
        return None
    return Outcome(Side(winner) if winner else None, Termination(termination))
