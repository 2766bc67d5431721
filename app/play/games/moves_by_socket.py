"""Moves that come by a socket, and the answers to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol
from uuid import UUID

import msgspec
from pydantic import ValidationError

from app.core import json
from app.core.database.session import is_unavailable
from app.core.errors import AppError, ConflictError, ForbiddenError, UnavailableError
from app.core.i18n.text import Text
from app.core.moments import now
from app.core.web.errors import invalid_request, problem
from app.core.web.throttle import Limit, Throttle
from app.live.connections import Socket
from app.live.messages import Message
from app.live.proofs import Proofs
from app.people.identity.devices import Person
from app.people.identity.service import Identity
from app.play.bots.service import Coach
from app.play.games.game import GameState
from app.play.games.presenter.updates import refusal_of_move
from app.play.games.schemas import Ack, ConditionLines, MoveText, Ply, SocketMove
from app.play.games.service import Games


class SentMove(msgspec.Struct, forbid_unknown_fields=True):
    """What is valid as a `SocketMove`, which takes five times as long to read and says what is not."""

    type: Literal["move"]
    move: MoveText
    ply: Ply
    move_id: UUID
    sure: bool | None = None
    conditions: ConditionLines = []


class _Identified(msgspec.Struct):
    """What an answer repeats of a text, whether the rest of it is valid or not."""

    move_id: Any = None  # of several the last one counts, which a type would check one by one


_sent_move = msgspec.json.Decoder(SentMove)
_identified = msgspec.json.Decoder(_Identified)
_UNREADABLE = (msgspec.MsgspecError, RecursionError)


def sent_move(text: str) -> SentMove | SocketMove:
    """Return the move in a text. Raise ValidationError."""
    try:
        return _sent_move.decode(text)
    except _UNREADABLE:
        return SocketMove.model_validate_json(text)


class Answers(Protocol):
    """The answers that a kind of client understands, which repeat the `move_id` as it was sent."""

    def played(self, after: GameState, move_id: str, /) -> Mapping[str, object]:
        """Return the answer to a move that is committed, in the game as it is now."""

    async def refused(
        self, request: SentMove | SocketMove | None, move_id: str | None, error: AppError, /
    ) -> Mapping[str, object]:
        """Return the answer to a move that was not played, or to a text that is no move."""


@dataclass(frozen=True, slots=True)
class MoveReceiver:
    """Plays the moves that a client sends over its socket, and answers each of them.

    `device` is the token of the player's browser.
    """

    connection: Socket
    proofs: Proofs
    games: Games
    coach: Coach
    throttle: Throttle
    game_id: str
    answers: Answers
    device: str | None = None

    async def receive(self, text: str) -> None:
        """Play a move, and answer it."""
        received_at = now()
        move_id = _move_id(text)
        request: SentMove | SocketMove | None = None
        answer: Mapping[str, object]
        try:
            player = self._player()
            if not self.proofs.is_confirmed(self.connection):
                await self.proofs.confirm(self.connection)
            await self.throttle.hit(Limit.MOVE, f"account:{player.id}")
            request = sent_move(text)
            if self.coach.may_warn(player.id, self.game_id, request.ply):
                person = Person(player.id, self.device)
                await self.coach.check(person, self.game_id, request.move, request.ply, is_sure=request.sure)
            self.connection.cork()  # the opponent sees the move first
            after = await self.games.play_move(
                self.game_id,
                player.id,
                request.move,
                request.ply,
                request.move_id,
                at=received_at,
                device=self.device,
                lines=request.conditions,
            )
        except ValidationError as fault:
            answer = await self.answers.refused(None, move_id, invalid_request(fault))
        except AppError as error:
            answer = await self.answers.refused(request, move_id, error)
        except Exception as error:
            if not is_unavailable(error):
                raise
            answer = await self.answers.refused(request, move_id, UnavailableError())
        else:
            assert move_id is not None  # as every move has one
            answer = self.answers.played(after, move_id)
        self.connection.answer(Message(json.encode(answer)))

    def _player(self) -> Identity:
        """Return who moves. Raise ForbiddenError."""
        player = self.connection.identity
        if player is None or "play" not in player.scopes:
            raise ForbiddenError(
                "not_a_player", Text("Only this game's players may move, with the scope 'play'.")
            )
        return player


class ProgramAnswers:
    """An `ack` or an `error` for each move of a program."""

    def played(self, after: GameState, move_id: str) -> Ack:
        """Return the acknowledgement."""
        return Ack(type="ack", move_id=move_id, ply=after.ply, version=after.version)

    async def refused(
        self, _request: SentMove | SocketMove | None, move_id: str | None, error: AppError
    ) -> Mapping[str, object]:
        """Return the problem."""
        return {**problem(error), "type": "error", "move_id": move_id}


@dataclass(frozen=True, slots=True)
class PageAnswers:
    """What a page needs besides its updates, which show what was played.

    A refusal has fragments if it is one of the game. After any other the page sends its form, whose answer
    also says how long to wait, or where to log in. `cookie` is for the page to keep after it has written.
    """

    connection: Socket
    games: Games
    game_id: str
    cookie: str | None

    def played(self, _after: GameState, move_id: str) -> Mapping[str, object]:
        """Return that the move was played.

        A connection that ended meanwhile was not sent the position: the page sends its form, which is.
        """
        is_shown = not self.connection.is_ended
        return {"answers": move_id, "played": is_shown, "cookie": self.cookie}

    async def refused(
        self, request: SentMove | SocketMove | None, move_id: str | None, error: AppError
    ) -> Mapping[str, object]:
        """Return that the move was not played."""
        answer: dict[str, Any] = {"answers": move_id, "played": False}
        if request is not None and isinstance(error, ConflictError):
            account_id = self.connection.viewer.id
            shown = await refusal_of_move(
                self.games, self.game_id, account_id, request.move, request.ply, error
            )
            answer["html"] = shown.decode()
        return answer


def _move_id(text: str) -> str | None:
    try:
        move_id = _identified.decode(text).move_id
    except _UNREADABLE:
        return None
    return move_id if isinstance(move_id, str) and len(move_id) <= 64 else None
