"""Reading games from PostgreSQL, with a cache of those used last.

A cached game may be out of date: a write is guarded by the version that it was decided for, and nothing is
refused before the game has been read again. What was read before a game was forgotten is not remembered after
it: names of players change without a new version.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence

import asyncpg
from msgspec.structs import replace

from app.core import json
from app.core.database.session import DATABASE_ERRORS, Database
from app.core.database.unreadable import read
from app.core.errors import found
from app.core.events import Event, Resync
from app.core.moments import from_datetime
from app.people.identity.events import PlayersChanged
from app.play.games.events import GameChanged
from app.play.games.evolving import evolve
from app.play.games.game import GameState, PlayedMove, Player
from engine.clock import Clock, TimeControl, control_from_dict
from engine.clock_history import Mark
from engine.game import Outcome, Side, Termination, with_defaults
from engine.registry import rules_for

_REMEMBERED = 300_000  # moves, about 500 bytes each
_EACH_GAME = 50  # moves that a game counts besides its own

_LOAD = """
SELECT g.*, m.moves, m.move_ids, m.played_at, m.spent,
       p1.username AS first_username, p1.password_hash IS NULL AS first_is_guest,
       p1.is_computer AS first_is_computer, p1.computer_level AS first_level,
       p2.username AS second_username, p2.password_hash IS NULL AS second_is_guest,
       p2.is_computer AS second_is_computer, p2.computer_level AS second_level,
       EXISTS (SELECT FROM ladder_challenges WHERE game_id = g.id) AS on_ladder
FROM games g
JOIN accounts p1 ON p1.id = g.first_player
LEFT JOIN accounts p2 ON p2.id = g.second_player
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(move ORDER BY ply), '{}') AS moves,
           coalesce(array_agg(move_id ORDER BY ply), '{}') AS move_ids,
           coalesce(array_agg(played_at ORDER BY ply), '{}') AS played_at,
           coalesce(array_agg(spent ORDER BY ply), '{}') AS spent
    FROM moves WHERE game_id = g.id
) m
WHERE g.id = $1
"""

_VACATIONS = "SELECT account_id, since, until FROM vacations WHERE account_id = ANY($1) AND since IS NOT NULL"

_VERSIONS = "SELECT id, version FROM games WHERE id = ANY($1)"


class _RecentGames:
    """The games that were read or changed last. Others are forgotten when these have many moves."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, GameState] = OrderedDict()
        self._moves = 0
        self.get = self._games.get

    def keep(self, state: GameState) -> None:
        """Remember a game instead of an earlier version of it."""
        self.forget(state.id)
        self._games[state.id] = state
        self._moves += _size(state)
        while self._moves > _REMEMBERED:
            self.forget(next(iter(self._games)))

    def forget(self, game_id: str) -> None:
        """Forget a game if it is remembered."""
        state = self._games.pop(game_id, None)
        if state is not None:
            self._moves -= _size(state)

    def of(self, accounts: Iterable[int]) -> list[str]:
        """Return the ids of the games in which one of some accounts plays."""
        wanted = frozenset(accounts)
        return [
            game_id
            for game_id, state in self._games.items()
            if any(player.id in wanted for player in state.players)
        ]

    def clear(self) -> None:
        """Forget all games."""
        self._games.clear()
        self._moves = 0


def _size(state: GameState) -> int:
    return state.ply + _EACH_GAME


class GameStore:
    """Reads games."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pool = database.pool
        self._recent = _RecentGames()
        self._times_forgotten = 0

    def recent(self, game_id: str) -> GameState | None:
        """Return the cached game, which may be out of date, or None."""
        return self._recent.get(game_id)

    async def current(self, game_id: str) -> GameState:
        """Return the game as it is now. Raise NotFoundError, UnreadableError."""
        remembered = self.recent(game_id) or await self._load_final(game_id)
        if remembered is None:
            return await self.load(game_id)
        if remembered.is_final:
            return remembered
        version = await self._pool.fetchval("SELECT version FROM games WHERE id = $1", game_id)
        return remembered if version == remembered.version else await self.load(game_id)

    async def load(self, game_id: str) -> GameState:
        """Read the game from PostgreSQL. Raise NotFoundError, UnreadableError."""
        times_forgotten = self._times_forgotten
        row = found(await self._pool.fetchrow(_LOAD, game_id), "game")
        state = await self._with_vacations(read("games", game_id, _state, row))
        if self._times_forgotten == times_forgotten:
            self._remember(state)
        return state

    async def _with_vacations(self, state: GameState) -> GameState:
        if not state.is_correspondence or state.result is not None:
            return state
        rows = await self._pool.fetch(_VACATIONS, [player.id for player in state.players])
        vacations = {
            row["account_id"]: (from_datetime(row["since"]), from_datetime(row["until"])) for row in rows
        }
        players = tuple(replace(player, vacation=vacations.get(player.id)) for player in state.players)
        return replace(state, players=players)

    async def _load_final(self, game_id: str) -> GameState | None:
        """Return a game from the replica if this request may read there and nothing will change it."""
        replica = self._database.replica
        if replica is None or not replica.is_usable:
            return None
        try:
            row = await replica.database.pool.fetchrow(_LOAD, game_id)
        except DATABASE_ERRORS:
            replica.give_up()
            return None
        state = None if row is None else read("games", game_id, _state, row)
        # Not remembered: the replica may be behind a decision about the game.
        return state if state is not None and state.is_final else None

    async def versions(self, game_ids: Collection[str]) -> dict[str, int]:
        """Return the current version of each of these games."""
        rows = await self._pool.fetch(_VERSIONS, list(game_ids))
        return {row["id"]: row["version"] for row in rows}

    def _remember(self, state: GameState) -> None:
        """Remember a game as it was read, unless a later version is remembered."""
        known = self._recent.get(state.id)
        if known is None or known.version <= state.version:
            self._recent.keep(state)

    def advance(self, before: GameState, after: GameState) -> None:
        """Remember a game as it was committed, if the version that it was decided for is still remembered."""
        if self._recent.get(before.id) is before:
            self._recent.keep(after)

    def forget(self, event: Event | Resync) -> None:
        """Forget the games of players who changed; all games after a loss of events."""
        self._times_forgotten += 1
        match event:
            case PlayersChanged(accounts):
                for game_id in self._recent.of(accounts):
                    self._recent.forget(game_id)
            case Resync():
                self._recent.clear()

    def follow(self, event: GameChanged) -> GameState | None:
        """Return the game as an event left it, or later; None if this process missed an earlier event."""
        state = self._recent.get(event.game_id)
        if state is not None and state.version == event.version - 1 and event.step is not None:
            state = _with_changes(evolve(state, event.step), event.rating_changes)
            self._recent.keep(state)
        return state if state is not None and state.version >= event.version else None


def _with_changes(state: GameState, changes: Sequence[float] | None) -> GameState:
    if changes is None:
        return state
    players = zip(state.players, changes, strict=True)
    return replace(state, players=tuple(replace(player, change=change) for player, change in players))


def _state(row: asyncpg.Record) -> GameState:
    players = tuple(_player(row, seat) for seat in range(1 if row["second_player"] is None else 2))
    rules = rules_for(row["game"], len(players))
    options = with_defaults(rules.options, json.decode(row["options"]))
    position = rules.parse(row["position"])
    control = control_from_dict(json.decode(row["time_control"] or "null"))
    result = _result(rules.sides, row["winner_seat"], row["termination"])
    side = rules.side_to_move(position)
    state = GameState(
        id=row["id"],
        game=row["game"],
        options=options,
        status=row["status"],
        players=players,
        version=row["version"],
        position=position,
        moves=tuple(
            PlayedMove(move, move_id and move_id.int, from_datetime(played_at), spent)
            for move, move_id, played_at, spent in zip(
                row["moves"], row["move_ids"], row["played_at"], row["spent"], strict=True
            )
        ),
        result=result,
        rated=row["rated"],
        control=control,
        clock=_clock(row, len(players), control, None if result or side is None else rules.sides.index(side)),
        takeback=Side(row["takeback"]) if row["takeback"] else None,
        taken_back_to=row["taken_back_to"],
        undos=row["undos"],
        submitted=row["submitted"],
        aborted_by=None if row["aborted_by"] is None else rules.sides[row["aborted_by"]],
        created_at=row["created_at"],
        tournament_id=row["tournament_id"],
        voided=row["voided_at"] is not None,
        pause=Side(row["pause"]) if row["pause"] else None,
        on_ladder=row["on_ladder"],
        first_ply=row["first_ply"],
        clock_marks=_marks(row["clock_marks"], len(players)),
    )
    state.positions()  # every move can be played: pages draw them
    if not 0 <= state.first_ply <= state.ply:
        raise ValueError(f"The game began at ply {state.first_ply} of {state.ply}.")
    if state.takeback is not None and state.before_last_move_of(state.takeback) is None:
        raise ValueError("There is no move to take back.")
    return state


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


def _clock(
    row: asyncpg.Record, players: int, control: TimeControl | None, running: int | None
) -> Clock | None:
    left = row["clock_left"]
    if control is None or left is None:
        return None
    if len(left) != players:
        raise ValueError(f"The clock has {len(left)} sides.")
    since = from_datetime(row["clock_since"])
    stop = None
    if row["stop_from"] is not None:
        stop = from_datetime(row["stop_from"]), from_datetime(row["stop_until"])
    is_opening = row["ply"] == row.get("first_ply", 0) and row["taken_back_to"] is None
    return Clock(control, tuple(left), running, since, is_opening, stop)


def _marks(text: str | None, players: int) -> tuple[Mark, ...]:
    """Return the marks of takebacks: lists of a ply, what each seat had there, and what it had used beyond.

    Those of earlier versions do not say what was used. Raise ValueError for anything else.
    """
    marks = json.decode(text or "[]")
    for mark in marks:
        lengths = 1 + players, 1 + 2 * players
        if len(mark) not in lengths or any(type(number) is not int for number in mark):
            raise ValueError(f"The clocks after a takeback are {mark}.")
    return tuple(
        Mark(ply, tuple(times[:players]), tuple(times[players:]) or (0,) * players) for ply, *times in marks
    )


def _result(sides: Sequence[Side], winner_seat: int | None, termination: str | None) -> Outcome | None:
    if termination is None:
        return None
    return Outcome(None if winner_seat is None else sides[winner_seat], Termination(termination))
