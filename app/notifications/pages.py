"""What the header tells a signed-in viewer on every page, live; and the way to the next game."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, WebSocket
from starlette.responses import Response

from app.errors import AppError, UnauthenticatedError
from app.events import ChallengeChanged, Event, ProofRevoked, Resync, account_topic, proof_topic
from app.games.deps import GamesDep
from app.games.presenter import game_card
from app.games.service import Games
from app.identity.service import Identity
from app.identity.viewer import SignedIn, current_viewer
from app.lobby.deps import LobbyDep
from app.lobby.lobby import Lobby
from app.lobby.presenter import challenge_view
from app.notifications.service import situation
from app.realtime import sockets
from app.realtime.presence import SITE
from app.web.deps import DatabaseDep, HubDep, PresenceDep, SettingsDep
from app.web.origin import check_same_origin
from app.web.redirects import go
from app.web.render import fragment

router = APIRouter(include_in_schema=False)


@router.get("/games/next")
async def next_game(
    request: Request,
    viewer: SignedIn,
    games: GamesDep,
    lobby: LobbyDep,
    after: Annotated[str, Query(max_length=32)] = "",
) -> Response:
    """Go to the most urgent game that waits for the viewer, if there is one other than `after`."""
    turns = (await situation(viewer.id, games, lobby)).turns
    others = [game for game in turns if game.id != after] or turns
    return go(request, f"/games/{others[0].id}" if others else "/games")


@router.websocket("/account/live")
async def live_account(
    websocket: WebSocket,
    database: DatabaseDep,
    games: GamesDep,
    lobby: LobbyDep,
    hub: HubDep,
    settings: SettingsDep,
    presence: PresenceDep,
    at: Annotated[str, Query(max_length=32)] = "",
) -> None:
    """Push what concerns the viewer to any page, and take one that waits to the game that begins.

    `at` is the game that the page shows: nobody has to be led there.
    """
    await websocket.accept()
    try:
        check_same_origin(websocket.headers, settings.public_url)
        viewer = await current_viewer(websocket, settings, database)
        if viewer is None:
            raise UnauthenticatedError
    except AppError as error:
        await sockets.refuse(websocket, sockets.close_code(error))
        return
    with hub.subscribe(account_topic(viewer.id), proof_topic(viewer.proof)) as subscription:

        async def messages(item: Event | Resync | None) -> list[str]:
            if item is None:
                return [sockets.HEARTBEAT]
            if isinstance(item, ProofRevoked):
                subscription.end(sockets.UNAUTHENTICATED)
                return []
            game_id = item.game_id if isinstance(item, ChallengeChanged) else None
            visit = [sockets.visit(f"/games/{game_id}")] if game_id else []
            return [*visit, await _alerts(viewer, at, games, lobby)]

        async with presence.here(viewer.id, SITE):
            greeting = await _alerts(viewer, at, games, lobby)
            await sockets.run(websocket, subscription, messages, sockets.ignore, greeting)


async def _alerts(viewer: Identity, at: str, games: Games, lobby: Lobby) -> str:
    present = await situation(viewer.id, games, lobby)
    return fragment(
        "partials/alerts_update.html",
        challenges=[challenge_view(one, viewer, {}) for one in present.challenges_to(viewer.id)],
        turns=[game_card(game) for game in present.turns if game.id != at],
        at=at,
    )
