"""Following one game as JSON, by websocket or as a stream of lines."""

from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager
from typing import Any

import orjson
from pydantic import ValidationError

from app.errors import AppError, ForbiddenError
from app.events import Event, GameChanged, ProofRevoked, Resync, Topic, game_topic, proof_topic
from app.games.game import GameState
from app.games.schemas import SocketMove
from app.games.service import Games
from app.games.snapshot import events, snapshot_event
from app.identity.service import Identity
from app.moments import now
from app.realtime.hub import Hub, Subscription, SubscriptionEnded
from app.realtime.sockets import HEARTBEAT, UNAUTHENTICATED, items
from app.web.errors import problem
from app.web.throttle import Limit, Throttle


def subscribe(hub: Hub, game_id: str, identity: Identity | None, *further: Topic) -> Subscription:
    """Make a subscription to a game, to the end of the proof by which somebody watches it, and `further`."""
    topics = [game_topic(game_id), *further]
    if identity is not None:
        topics.append(proof_topic(identity.proof))
    return hub.subscribe(*topics)


class Watcher:
    """One reader of a game: knows what was shown last and gives what is new."""

    def __init__(self, games: Games, subscription: Subscription, state: GameState) -> None:
        self._games = games
        self._subscription = subscription
        self.state = state

    async def advance(self, item: Event | Resync | None) -> tuple[GameState, GameState]:
        """Take an announcement (None: just look) and give the game as shown before and as it is now.

        A proof that ended ends the subscription.
        """
        before = self.state
        if isinstance(item, GameChanged):
            self.state = await self._games.at_least(before.id, item.version)
        elif not isinstance(item, ProofRevoked):
            self.state = await self._games.get(before.id)
        else:
            self._subscription.end(UNAUTHENTICATED)
        return before, self.state


class JsonSocket:
    """The JSON websocket of one client: moves in; snapshot, events and acknowledgements out."""

    def __init__(
        self,
        watcher: Watcher,
        subscription: Subscription,
        games: Games,
        throttle: Throttle,
        player: Identity | None,
    ) -> None:
        self._watcher = watcher
        self._subscription = subscription
        self._games = games
        self._throttle = throttle
        self._player = player

    async def messages(self, item: Any) -> Iterable[str]:
        """Give what to send for an announcement, for a reply that waits (bytes), or for silence (None)."""
        if isinstance(item, bytes):
            return (item.decode(),)
        before, after = await self._watcher.advance(item)
        news = [event.decode() for event in events(before, after)]
        return news or ([HEARTBEAT] if item is None else [])

    async def incoming(self, text: str) -> None:
        """Carry out what the client sent, and answer it: an `ack`, or an `error` with its code."""
        move_id: str | None = None
        reply: dict[str, Any]
        try:
            request = SocketMove.model_validate_json(text)
            move_id = str(request.move_id)
            await self._play(request)
        except ValidationError as fault:
            detail = "; ".join(error["msg"] for error in fault.errors())
            reply = {"type": "error", "code": "invalid_request", "detail": detail, "move_id": _move_id(text)}
        except AppError as error:
            reply = {**problem(error), "type": "error", "move_id": move_id}
        else:
            reply = {"type": "ack", "move_id": move_id, "ply": request.ply + 1}
        self._subscription.put(orjson.dumps(reply))

    async def _play(self, request: SocketMove) -> None:
        received_at = now()
        if self._player is None or "play" not in self._player.scopes:
            raise ForbiddenError("not_a_player", "Only players of this game with a token to play may move.")
        await self._throttle.hit(Limit.MOVE, f"account:{self._player.id}")
        await self._games.play_move(
            self._watcher.state.id,
            self._player.id,
            request.move,
            request.ply,
            request.move_id,
            at=received_at,
        )


async def lines(
    games: Games,
    subscription: Subscription,
    state: GameState,
    here: AbstractAsyncContextManager[None],
) -> AsyncIterator[bytes]:
    """Give the stream of a game, a line an event: the snapshot first, an empty line as a heartbeat.

    `here` is entered for as long as it is read.
    """
    watcher = Watcher(games, subscription, state)
    async with here:
        with subscription:
            yield snapshot_event(state) + b"\n"
            # What changed between reading the state and listening is caught up with at once.
            subscription.put(Resync())
            try:
                async for item in items(subscription):
                    before, after = await watcher.advance(item)
                    news = b"".join(event + b"\n" for event in events(before, after))
                    if news or item is None:
                        yield news or b"\n"
            except SubscriptionEnded:
                return


def _move_id(text: str) -> str | None:
    try:
        sent = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    move_id = sent.get("move_id") if isinstance(sent, dict) else None
    return move_id if isinstance(move_id, str) and len(move_id) <= 64 else None
