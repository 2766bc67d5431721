"""Games as JSON: what the API takes and returns, and the events of a game (docs/api.md)."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from app.core import json
from app.core.errors import members
from app.core.moments import now, to_datetime
from app.core.web.bodies import LARGEST_ID, BodyUuid, RequestBody, bounded
from app.core.web.registered import Ending, GameKey, Options, SideName
from app.core.web.shown import Id, Move, Position, Rating, Score, ShownAs, Unchecked, Username, example
from app.live.messages import Message
from app.play.conditions.lines import MOST_LINES, MOST_PLIES
from app.play.games.events import Ended, Played, Step
from app.play.games.examples import SNAPSHOT
from app.play.games.game import GameState, PlayedMove, Player
from app.play.games.refusals import GameMovedOn
from app.play.games.seen import Seen
from app.play.lobby.schemas import Control
from engine.clock import Byoyomi, control_to_dict
from engine.game_record import MAX_BYTES

MoveText = Annotated[str, *bounded(min_length=1, max_length=16), Field(examples=["e5"])]
Ply = Annotated[int, *bounded(ge=0, le=100_000)]
ConditionLines = Annotated[
    list[Annotated[list[MoveText], *bounded(max_length=MOST_PLIES)]], *bounded(max_length=MOST_LINES)
]


class Option(BaseModel):
    """The integers that an option may take, and its default."""

    minimum: int
    maximum: int
    default: int


class SoloForm(BaseModel):
    """The form of a game for one, which `POST /games` starts."""

    sides: Annotated[list[SideName], example(["solo"])]
    options: Annotated[dict[str, Option], example({"size": {"minimum": 4, "maximum": 12, "default": 8}})]


class Kind(BaseModel):
    """A game of the registry, with the sides and options of its form for two if it has one.

    `solitaire`: it can be played alone; `solo` is that form of it, or null.
    """

    key: GameKey
    title: Annotated[str, example("JadeJack")]
    seats: Unchecked[Literal[1, 2]]
    solitaire: bool
    sides: list[SideName]
    options: Annotated[dict[str, Option], example({"size": {"minimum": 8, "maximum": 13, "default": 10}})]
    solo: SoloForm | None


class RaceControl(BaseModel):
    """The clock of a race, which ends for all players `until` a moment, in milliseconds since 1970."""

    kind: Literal["race"]
    until: Annotated[int, example(1796074660154)]


class DayControl(BaseModel):
    """The clock of a board of the day, which ends `until` a moment, in milliseconds since 1970."""

    kind: Literal["day"]
    until: Annotated[int, example(1796106000000)]


_ControlOfGame = Annotated[Control | RaceControl | DayControl, Field(discriminator="kind")]


class MoveRequest(RequestBody):
    """A move, the number of plies before it, and the client's identifier of it.

    `conditions` are lines of conditional moves that are saved with it, each of which begins with the
    opponent's next move. In a game with a coach, a move of which the player is `sure` is played although it
    loses much; without it, the coach warns once at each ply, and with false each time.
    """

    move: MoveText
    ply: Ply
    move_id: BodyUuid
    sure: bool | None = None
    conditions: Annotated[ConditionLines, Field(default_factory=list)]


class SeenRequest(RequestBody):
    """What you have seen: the ply to which the takeback leads, or the version of the game.

    The command is carried out only if that is still so.
    """

    takeback_to: Ply | None = None
    version: Annotated[int, Field(ge=0, le=LARGEST_ID)] | None = None

    @property
    def seen(self) -> Seen:
        """Return what the player has seen."""
        return Seen(self.takeback_to, self.version)


class SocketMove(MoveRequest):
    """A move sent over the websocket."""

    type: Literal["move"]


class Seat(TypedDict):
    """The player of a side, with the rating at the start of the game.

    During a vacation, whose end is `vacation_until`, the player's clock stands still.
    """

    username: Username
    rating: Rating | None
    provisional: bool | None
    is_computer: bool
    vacation_until: datetime | None


class Result(TypedDict):
    """How a game ended; `winner` is a side, or null."""

    winner: SideName | None
    termination: Ending
    score: Score


@with_config(ConfigDict(json_schema_extra={"examples": [SNAPSHOT]}))
class Snapshot(TypedDict):
    """Everything about a game, in the notation of its rules.

    `version` grows with every change of the game: of two answers or messages, that with the greater one is
    the newer one. `spent` has the milliseconds that the side of each move thought (null without a clock, and
    for moves that the server played), `played_at` when each move was made. `clock` is in milliseconds; it
    stands still until `paused_until`. `takeback` and `pause` are the sides that ask for one; the takeback
    would lead to the ply `takeback_to`. The first `first_ply` moves led to the position in which the game
    began. `tournament` is the id of the tournament that the game is part of, or null.
    """

    id: Id
    game: GameKey
    options: Options
    status: Unchecked[Literal["started", "finished", "aborted"]]
    players: Mapping[str, Seat]
    ply: int
    first_ply: int
    side_to_move: SideName | None
    position: Position
    legal_moves: list[Move]
    score: Score
    last_move: Move | None
    clock: dict[str, int] | None
    periods: dict[str, int] | None
    deadline: datetime | None
    time_control: Annotated[dict[str, Any] | None, ShownAs(_ControlOfGame | None)]
    rated: bool
    tournament: Id | None
    voided: bool
    takeback: SideName | None
    takeback_to: int | None
    pause: SideName | None
    paused_until: datetime | None
    undos: int
    submitted: bool
    moves: list[Move]
    spent: list[int | None]
    played_at: list[datetime]
    result: Result | None
    version: int


@with_config(ConfigDict(json_schema_extra={"examples": [{"type": "snapshot", **SNAPSHOT}]}))
class SnapshotEvent(Snapshot):
    """The first message, and the one after steps that are no moves: everything about the game."""

    type: Literal["snapshot"]


class MoveEvent(TypedDict):
    """A ply that was played, and the game after it.

    What else it changes follows: requests for a takeback or a pause have ended, and so has a pause.
    """

    type: Literal["move"]
    ply: int
    move: Move
    automatic: bool
    spent: int | None
    played_at: datetime
    position: Position
    side_to_move: SideName | None
    legal_moves: list[Move]
    score: Score
    clock: dict[str, int] | None
    periods: dict[str, int] | None
    deadline: datetime | None
    version: int


class FinishedEvent(TypedDict):
    """The end of a game."""

    type: Literal["finished"]
    result: Result | None
    version: int


class Ack(TypedDict):
    """The move with this `move_id` is committed; the game has `ply` plies now, at its `version`."""

    type: Literal["ack"]
    move_id: Annotated[str, example("5f0c8a6e-6f3b-4bb4-9a39-0c7a3c7f5a11")]
    ply: int
    version: int


class SocketError(TypedDict):
    """Why a move was not played, with the members of a problem of the API; its `type` is always this."""

    type: Literal["error"]
    title: Annotated[str, example("Unprocessable Content")]
    status: Annotated[int, example(422)]
    detail: Annotated[str, example("c4 is taken.")]
    code: Annotated[str, example("illegal_move")]
    move_id: Annotated[str, example("5f0c8a6e-6f3b-4bb4-9a39-0c7a3c7f5a11")] | None


class RecordRequest(RequestBody):
    """A game's record as text."""

    record: Annotated[
        str, Field(max_length=MAX_BYTES, examples=['[Game "jadejack"]\n[Options "size=9"]\n\n1. c4 g6\n'])
    ]


class RecordRead(BaseModel):
    """What a record says, and where its moves lead."""

    game: GameKey
    options: Options
    headers: dict[str, str]
    moves: list[Move]
    position: Position
    score: Score


def snapshot(state: GameState) -> Snapshot:
    """Return everything about a game, in the notation of its rules."""
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
        "deadline": _datetime(state.deadline),
        "time_control": control_to_dict(state.control),
        "rated": state.rated,
        "tournament": state.tournament_id,
        "voided": state.voided,
        "takeback": state.takeback,
        "takeback_to": None if state.takeback is None else state.before_last_move_of(state.takeback),
        "pause": state.pause,
        "paused_until": _datetime(state.paused_until(now())),
        "undos": state.undos,
        "submitted": state.submitted,
        "moves": [played.move for played in state.moves],
        "spent": [played.spent for played in state.moves],
        "played_at": [to_datetime(played.at) for played in state.moves],
        "result": _result(state),
        "version": state.version,
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


def _datetime(moment: int | None) -> datetime | None:
    return None if moment is None else to_datetime(moment)


def snapshot_message(state: GameState) -> Message:
    """Return the first message of a socket or stream."""
    return Message(json.encode({"type": "snapshot", **snapshot(state)}))


def messages(before: GameState, step: Step | None, after: GameState) -> tuple[Message, ...]:
    """Return what brings a client from one version to a later one; the step is None if it missed some.

    They are one `move` for each ply, or a `snapshot` after any other change, then `finished` if the game has
    ended meanwhile, which is all there is to say of an end without a move.
    """
    events: list[Message] = []
    if isinstance(step, Played):
        events += (Message(json.encode(event)) for event in _move_events(before, after))
    elif not isinstance(step, Ended):
        events.append(snapshot_message(after))
    if after.result and not before.result:
        finished: FinishedEvent = {"type": "finished", "result": _result(after), "version": after.version}
        events.append(Message(json.encode(finished)))
    return tuple(events)


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
        "played_at": to_datetime(played.at),
        "position": state.position_text,
        "side_to_move": state.side_to_move,
        "legal_moves": state.legal_moves,
        "score": state.score,
        "clock": clock(state, state.clock.since) if state.clock else None,
        "periods": _periods(state, state.clock.since) if state.clock else None,
        "deadline": _datetime(state.deadline),
        "version": state.version,
    }


def _seat(player: Player) -> Seat:
    return {
        "username": player.username,
        "rating": None if player.rating is None else round(player.rating),
        "provisional": player.provisional,
        "is_computer": player.is_computer,
        "vacation_until": _datetime(player.vacation_until(now())),
    }


def _result(state: GameState) -> Result | None:
    if state.result is None:
        return None
    return {"winner": state.result.winner, "termination": state.result.termination, "score": state.score}
