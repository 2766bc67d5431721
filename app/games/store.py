"""Games in PostgreSQL. All writes of moves go through `GameStore.advance`, one statement and one transaction.

The store remembers the games it saw last. That memory is a hint, never the truth: a write is guarded by
the version it was made for, and whoever is about to refuse something loads the game first.
"""

from collections import OrderedDict
from typing import Any

import asyncpg
import orjson

from app.games.state import GameState, PlayedMove, Player
from engine.game import Outcome, Side, Termination
from engine.registry import GAMES

_REMEMBERED = 5_000

_LOAD = """
SELECT g.*, m.moves, m.move_ids,
       p1.username AS first_username, p1.password_hash IS NULL AS first_is_guest,
       p2.username AS second_username, p2.password_hash IS NULL AS second_is_guest
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

# The update is a compare-and-set on the version, and the moves are written only if it took place.
_ADVANCE = """
WITH advanced AS (
    UPDATE games
    SET version = version + 1, ply = $3, position = $4, status = $5, winner = $6, termination = $7,
        updated_at = now()
    WHERE id = $1 AND version = $2
    RETURNING id
), written AS (
    INSERT INTO moves (game_id, ply, move, move_id)
    SELECT advanced.id, played.ply, played.move, played.move_id
    FROM advanced, unnest($8::bigint[], $9::text[], $10::uuid[]) AS played (ply, move, move_id)
)
SELECT count(*) FROM advanced
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

    async def advance(self, before: GameState, after: GameState) -> bool:
        """Write the step from one version to the next; False when somebody else has made a step meanwhile."""
        new = after.moves[before.ply :]
        written = await self._pool.fetchval(
            _ADVANCE,
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
        )
        if written:
            self._remember(after)
        return bool(written)

    def _remember(self, state: GameState) -> None:
        seen = self._recent.get(state.id)
        if seen is not None and seen.version > state.version:
            return
        self._recent[state.id] = state
        self._recent.move_to_end(state.id)
        if len(self._recent) > _REMEMBERED:
            self._recent.popitem(last=False)


def _state(row: asyncpg.Record) -> GameState:
    players = [Player(row["first_player"], row["first_username"], row["first_is_guest"])]
    if row["second_player"] is not None:
        players.append(Player(row["second_player"], row["second_username"], row["second_is_guest"]))
    options: dict[str, Any] = orjson.loads(row["options"])
    return GameState(
        id=row["id"],
        game=row["game"],
        options=options,
        status=row["status"],
        players=tuple(players),
        version=row["version"],
        position=GAMES[row["game"]].parse(row["position"]),
        moves=tuple(map(PlayedMove, row["moves"], row["move_ids"])),
        result=_result(row["winner"], row["termination"]),
        created_at=row["created_at"],
    )


def _result(winner: str | None, termination: str | None) -> Outcome | None:
    if termination is None:
        return None
    return Outcome(Side(winner) if winner else None, Termination(termination))
