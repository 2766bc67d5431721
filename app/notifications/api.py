"""The event stream of an account, by which a program can play on its own."""

from collections.abc import AsyncIterator
from typing import Any

import orjson
from fastapi import APIRouter
from starlette.responses import StreamingResponse

from app.events import ProofRevoked, account_topic, proof_topic
from app.games.deps import GamesDep
from app.games.service import EVERYWHERE, Games
from app.identity.service import Identity
from app.identity.viewer import KnownProgram
from app.lobby.deps import LobbyDep
from app.lobby.lobby import Lobby
from app.notifications.service import Situation, events, situation
from app.realtime.hub import Hub, SubscriptionEnded
from app.realtime.presence import SITE, Presence
from app.realtime.sockets import UNAUTHENTICATED, items
from app.web.deps import HubDep, PresenceDep
from app.web.problems import problems

router = APIRouter(tags=["accounts"])

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "One JSON object a line: challenge, challenge_declined, challenge_closed, "
        "game_started, my_turn, game_finished. It begins with what waits already; an empty line is a "
        "heartbeat.",
        "content": {
            "application/x-ndjson": {
                "schema": {"type": "string"},
                "example": '{"type":"my_turn","game_id":"k7m2wq9xab","ply":4}\n\n',
            }
        },
    },
    **problems(401),
}


@router.get("/events", response_class=StreamingResponse, responses=_STREAM)
async def event_stream(
    program: KnownProgram, games: GamesDep, lobby: LobbyDep, hub: HubDep, presence: PresenceDep
) -> StreamingResponse:
    """Follow everything that concerns the token's account, a line an event."""
    return StreamingResponse(_lines(program, games, lobby, hub, presence), media_type="application/x-ndjson")


async def _lines(
    program: Identity, games: Games, lobby: Lobby, hub: Hub, presence: Presence
) -> AsyncIterator[bytes]:
    seen = Situation()
    async with presence.here(program.id, EVERYWHERE, SITE):
        with hub.subscribe(account_topic(program.id), proof_topic(program.proof)) as subscription:
            subscription.put(None)  # what waits already is told at once
            try:
                async for item in items(subscription):
                    if isinstance(item, ProofRevoked):
                        subscription.end(UNAUTHENTICATED)
                        continue
                    present = await situation(program.id, games, lobby)
                    news = await events(program.id, seen, present, games, lobby)
                    seen = present
                    yield b"".join(orjson.dumps(event) + b"\n" for event in news) or b"\n"
            except SubscriptionEnded:
                return
