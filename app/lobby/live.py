"""The live connections of the lobby and of a challenge's page."""

from typing import Any

from fastapi import APIRouter, WebSocket

from app.accounts.service import Identity, account_topic
from app.accounts.viewer import current_viewer, proof_topic
from app.database.session import Database
from app.errors import AppError
from app.games.deps import GamesDep
from app.lobby import service
from app.lobby.challenges import DECLINE_REASONS, LOBBY
from app.lobby.context import Onlooker, lobby_context, onlooker_of, open_challenges
from app.lobby.deps import LobbyDep
from app.lobby.form import FilterDep
from app.lobby.present import challenge_view, challenges_html
from app.realtime import sockets
from app.realtime.hub import Announcement, Subscription
from app.web.deps import DatabaseDep, HubDep, SettingsDep, SiteUrl
from app.web.origin import check_same_origin
from app.web.render import fragment

router = APIRouter(include_in_schema=False)


@router.websocket("/lobby/live")
async def live_lobby(
    websocket: WebSocket,
    database: DatabaseDep,
    hub: HubDep,
    settings: SettingsDep,
    games: GamesDep,
    lobby: LobbyDep,
    wanted: FilterDep,
) -> None:
    """Push the lists of the lobby to a page."""
    onlooker = Onlooker(None, {})

    async def render(viewer: Identity | None, item: Announcement | None) -> str:
        nonlocal onlooker
        if item is None or item.topic != LOBBY:
            onlooker = await onlooker_of(database, viewer)
        challenges = await open_challenges(lobby, onlooker, item if item and item.topic == LOBBY else None)
        context: dict[str, Any] = {
            "challenges_html": challenges_html(list(filter(wanted.takes, challenges))),
            "viewer": viewer,
            "concerning": None,
        }
        if viewer is not None and (item is None or item.topic != LOBBY):
            context |= await lobby_context(database, games, lobby, viewer)
        return fragment("partials/lobby_update.html", **context)

    await _live(websocket, [LOBBY], render, database, hub, settings)


@router.websocket("/challenges/{challenge_id}/live")
async def live_challenge(
    websocket: WebSocket,
    challenge_id: str,
    database: DatabaseDep,
    hub: HubDep,
    settings: SettingsDep,
    lobby: LobbyDep,
    site_url: SiteUrl,
) -> None:
    """Push what becomes of a challenge to its page."""

    async def render(viewer: Identity | None, _item: Announcement | None) -> str:
        challenge = await lobby.get(challenge_id)
        if challenge.game_id is not None:
            return sockets.visit(f"/games/{challenge.game_id}")
        view = challenge_view(challenge, viewer, (await onlooker_of(database, viewer)).ratings)
        return fragment(
            "partials/challenge_update.html",
            challenge=view,
            viewer=viewer,
            site_url=site_url,
            decline_reasons=DECLINE_REASONS,
        )

    await _live(websocket, [service.topic(challenge_id)], render, database, hub, settings)


async def _live(
    websocket: WebSocket,
    topics: list[str],
    render: Any,
    database: Database,
    hub: HubDep,
    settings: SettingsDep,
) -> None:
    await websocket.accept()
    try:
        check_same_origin(websocket.headers, settings.public_url)
        viewer = await current_viewer(websocket, settings, database)
        if viewer is not None:
            topics = [*topics, proof_topic(viewer), account_topic(viewer.id)]
        with hub.subscribe(*topics) as subscription:
            await _push(websocket, subscription, viewer, render)
    except AppError as error:
        await sockets.refuse(websocket, sockets.close_code(error))


async def _push(
    websocket: WebSocket, subscription: Subscription, viewer: Identity | None, render: Any
) -> None:
    async def messages(item: Announcement | None) -> list[str]:
        if item is None:
            return [sockets.HEARTBEAT]
        if viewer is not None and item.topic == proof_topic(viewer):
            subscription.end(sockets.UNAUTHENTICATED)
            return []
        return [await render(viewer, item)]

    await sockets.run(websocket, subscription, messages, sockets.ignore, await render(viewer, None))
