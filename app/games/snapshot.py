"""Games as JSON: the snapshot, and the events that lead from one version to a later one (docs/api.md)."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import orjson

from app.games.game import GameState, Player
from app.moments import now, to_datetime
from engine.clock import control_to_dict
from engine.game import Outcome, Score


def snapshot(state: GameState) -> dict[str, Any]:
    """Give everything there is to know of a game, in the notation of its rules."""
    return {
        "id": state.id,
        "game": state.game,
        "options": dict(state.options),
        "status": state.status,
        "players": {
            # The encoder takes plain text as keys, and a Side is more than that.
            side.value: _player(player)
            for side, player in zip(state.rules.sides, state.players, strict=True)
        },
        "ply": state.ply,
        "side_to_move": state.side_to_move,
        "position": state.position_text,
        "legal_moves": state.legal_moves,
        "score": state.score,
        "last_move": state.moves[-1].move if state.moves else None,
        "clock": clock(state, now()),
        "deadline": to_datetime(state.deadline).isoformat() if state.deadline is not None else None,
        "time_control": control_to_dict(state.control),
        "rated": state.rated,
        "takeback": state.takeback,
        "undos": state.undos,
        "submitted": state.submitted,
        "moves": [played.move for played in state.moves],
        "result": _result(state.result, state.score),
    }


def clock(state: GameState, moment: int) -> dict[str, int] | None:
    """Give the milliseconds that each side has left at a moment, or None without a clock."""
    if state.clock is None:
        return None
    return {side.value: left for side, left in zip(state.rules.sides, state.clock.read(moment), strict=True)}


def snapshot_event(state: GameState) -> bytes:
    """Give the first message of a socket or stream."""
    return orjson.dumps({"type": "snapshot", **snapshot(state)})


@lru_cache(maxsize=1024)
def _encoded(before: "_Versioned", after: "_Versioned") -> tuple[bytes, ...]:
    return tuple(orjson.dumps(event) for event in _events(before.state, after.state))


def events(before: GameState, after: GameState) -> tuple[bytes, ...]:
    """Give the messages that bring somebody who has seen `before` up to `after`.

    One `move` a ply, then `finished`; or a `snapshot` where that does not lead there, as after a takeback.
    Encoded once for everybody who watches.
    """
    if after.version <= before.version:
        return ()
    return _encoded(_Versioned(before), _Versioned(after))


class _Versioned:
    """A state that is compared by what names it, the game and the version."""

    __slots__ = ("_key", "state")

    def __init__(self, state: GameState) -> None:
        self.state = state
        self._key = (state.id, state.version)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Versioned) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _events(before: GameState, after: GameState) -> Iterator[dict[str, Any]]:
    if after.moves[: before.ply] != before.moves or (after.ply == before.ply and not after.result):
        # A takeback, or something about it or the clocks: what is new is no move.
        yield {"type": "snapshot", **snapshot(after)}
        return
    rules, position = after.rules, before.position
    for ply, played in enumerate(after.moves[before.ply :], before.ply + 1):
        if ply == after.ply:
            yield _move(after, ply, played.move, after.position)
        else:
            position = rules.play(position, played.move)
            yield _move(after, ply, played.move, position)
    if after.result and not before.result:
        yield {"type": "finished", "result": _result(after.result, after.score)}


def _move(state: GameState, ply: int, move: str, position: Any) -> dict[str, Any]:
    rules, is_last = state.rules, ply == state.ply
    return {
        "type": "move",
        "ply": ply,
        "move": move,
        "automatic": state.moves[ply - 1].automatic,
        "position": state.position_text if is_last else rules.format(position),
        "side_to_move": state.side_to_move if is_last else rules.side_to_move(position),
        "legal_moves": state.legal_moves if is_last else rules.legal_moves(position),
        "score": state.score if is_last else rules.score(position),
        "clock": clock(state, state.clock.since) if state.clock else None,
    }


def _player(player: Player) -> dict[str, Any]:
    rating = None if player.rating is None else round(player.rating)
    return {
        "username": player.username,
        "rating": rating,
        "provisional": player.provisional,
        "is_computer": player.is_computer,
    }


def _result(result: Outcome | None, score: Score) -> dict[str, Any] | None:
    if result is None:
        return None
    return {"winner": result.winner, "termination": result.termination, "score": score}
