"""Moves that come by a socket, and the answers to them."""

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from app.core import json
from app.core.database.session import is_unavailable
from app.core.errors import AppError, ForbiddenError, UnavailableError
from app.core.i18n.text import Text
from app.core.jobs.queue import Asker
from app.core.moments import now
from app.core.web.errors import invalid_request, problem
from app.core.web.throttle import Limit, Throttle
from app.live.connections import Socket
from app.live.messages import Message
from app.live.proofs import Proofs
from app.play.games.schemas import Ack, SocketMove
from app.play.games.service import Adviser, Games


@dataclass(frozen=True, slots=True)
class MoveReceiver:
    """Plays the moves that a client sends over its socket, and answers each of them."""

    connection: Socket
    proofs: Proofs
    games: Games
    adviser: Adviser
    throttle: Throttle
    game_id: str

    async def receive(self, text: str) -> None:
        """Play a move, and answer with an `ack` or an `error`."""
        move_id: str | None = None
        reply: Ack | dict[str, Any]
        try:
            request = SocketMove.model_validate_json(text)
            move_id = str(request.move_id)
            await self._play(request)
        except ValidationError as fault:
            reply = _refusal(invalid_request(fault), _move_id(text))
        except AppError as error:
            reply = _refusal(error, move_id)
        except Exception as error:
            if not is_unavailable(error):
                raise
            reply = _refusal(UnavailableError(), move_id)
        else:
            reply = Ack(type="ack", move_id=move_id, ply=request.ply + 1)
        self.connection.send(Message(json.encode(reply)))

    async def _play(self, request: SocketMove) -> None:
        received_at = now()
        player = self.connection.identity
        if player is None or "play" not in player.scopes:
            raise ForbiddenError(
                "not_a_player", Text("Only this game's players may move, with the scope 'play'.")
            )
        await self.proofs.confirm(self.connection)
        await self.throttle.hit(Limit.MOVE, f"account:{player.id}")
        asker = Asker(f"account:{player.id}", _has_left)
        await self.adviser.check(asker, player.id, self.game_id, request.move, request.ply)
        self.connection.cork()  # the opponent sees the move first
        try:
            await self.games.play_move(
                self.game_id,
                player.id,
                request.move,
                request.ply,
                request.move_id,
                at=received_at,
                lines=request.conditions,
            )
        finally:
            self.connection.uncork()


async def _has_left() -> bool:
    return False  # waiting ends with the connection anyway


def _refusal(error: AppError, move_id: str | None) -> dict[str, Any]:
    return {**problem(error), "type": "error", "move_id": move_id}


def _move_id(text: str) -> str | None:
    try:
        sent = json.decode(text)
    except ValueError:
        return None
    move_id = sent.get("move_id") if isinstance(sent, dict) else None
    return move_id if isinstance(move_id, str) and len(move_id) <= 64 else None
