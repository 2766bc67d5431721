"""Games as JSON: the snapshot, and the events that lead from one version to the next (docs/api.md)."""

from collections.abc import Iterator

from typing_extensions import TypedDict

from app.core import json
from app.core.errors import members
from app.core.moments import now, to_datetime
from app.live.messages import Message
from app.play.games.decisions import GameMovedOn
from app.play.games.events import Played, Step
from app.play.games.game import GameState, PlayedMove, Player
from app.play.games.schemas import FinishedEvent, MoveEvent, Result, Seat, Snapshot
from engine.clock import Byoyomi, control_to_dict


def snapshot(state: GameState) -> Snapshot:
    """Return everything about a game, in the notation of its rules."""
    paused_until = state.paused_until(now())
    return {
        "id": state.id,
        "game": state.game,
        "options": dict(state.options),
        "status": state.status,
        "players": {
            side.value: _seat(player) for side, player in zip(state.rules.sides, state.players, strict=True)
        },
        "ply": state.ply,
        "first_ply": state.first_ply,
        "side_to_move": state.side_to_move,
        "position": state.position_text,
        "legal_moves": state.legal_moves,
        "score": state.score,
        "last_move": state.moves[-1].move if state.moves else None,
        "clock": clock(state, now()),
        "periods": _periods(state, now()),
        "deadline": to_datetime(state.deadline) if state.deadline is not None else None,
        "time_control": control_to_dict(state.control),
        "rated": state.rated,
        "tournament": state.tournament_id,
        "voided": state.voided,
        "takeback": state.takeback,
        "takeback_to": None if state.takeback is None else state.before_last_move_of(state.takeback),
        "pause": state.pause,
        "paused_until": None if paused_until is None else to_datetime(paused_until),
        "undos": state.undos,
        "submitted": state.submitted,
        "moves": [played.move for played in state.moves],
        "spent": [played.spent for played in state.moves],
        "played_at": [to_datetime(played.at) for played in state.moves],
        "result": _result(state),
    }


def clock(state: GameState, moment: int) -> dict[str, int] | None:
    """Return the milliseconds that each side has left at a moment, or None without a clock."""
    if state.clock is None:
        return None
    return {side.value: left for side, left in zip(state.rules.sides, state.clock.read(moment), strict=True)}


def _periods(state: GameState, moment: int) -> dict[str, int] | None:
    """Return the periods of byo-yomi that each side has left, or None without any."""
    if state.clock is None or not isinstance(state.control, Byoyomi):
        return None
    left = zip(state.rules.sides, state.clock.read(moment), strict=True)
    return {side.value: state.control.split(milliseconds)[1] for side, milliseconds in left}


def snapshot_message(state: GameState) -> Message:
    """Return the first message of a socket or stream."""
    return Message(json.encode({"type": "snapshot", **snapshot(state)}))


def step_messages(before: GameState, step: Step, after: GameState) -> tuple[Message, ...]:
    """Return the messages for a step from one version to the next.

    One `move` for each ply, then `finished`; any other step that leaves the game running is a `snapshot`.
    """
    if isinstance(step, Played):
        messages = [Message(json.encode(event)) for event in _move_events(before, after)]
    else:
        messages = [] if after.result else [snapshot_message(after)]
    if after.result:
        finished: FinishedEvent = {"type": "finished", "result": _result(after)}
        messages.append(Message(json.encode(finished)))
    return tuple(messages)


class _MovedOnMembers(TypedDict):
    """The current snapshot, which brings the client up to date."""

    snapshot: Snapshot


@members.register
def _members_of_refusal(refusal: GameMovedOn) -> _MovedOnMembers:
    return {"snapshot": snapshot(refusal.state)}


def _move_events(before: GameState, after: GameState) -> Iterator[MoveEvent]:
    rules, position = after.rules, before.position
    *earlier, last = enumerate(after.moves[before.ply :], before.ply + 1)
    for ply, played in earlier:
        position = rules.play(position, played.move)
        yield {
            **_move_event(after, ply, played),
            "position": rules.format(position),
            "side_to_move": rules.side_to_move(position),
            "legal_moves": rules.legal_moves(position),
            "score": rules.score(position),
        }
    yield _move_event(after, *last)


def _move_event(state: GameState, ply: int, played: PlayedMove) -> MoveEvent:
    return {
        "type": "move",
        "ply": ply,
        "move": played.move,
        "automatic": played.automatic,
        "spent": played.spent,
        "position": state.position_text,
        "side_to_move": state.side_to_move,
        "legal_moves": state.legal_moves,
        "score": state.score,
        "clock": clock(state, state.clock.since) if state.clock else None,
    }


def _seat(player: Player) -> Seat:
    vacation_until = player.vacation_until(now())
    return {
        "username": player.username,
        "rating": None if player.rating is None else round(player.rating),
        "provisional": player.provisional,
        "is_computer": player.is_computer,
        "vacation_until": None if vacation_until is None else to_datetime(vacation_until),
    }


def _result(state: GameState) -> Result | None:
    if state.result is None:
        return None
    return {"winner": state.result.winner, "termination": state.result.termination, "score": state.score}
