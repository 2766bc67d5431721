"""The live connections of the lobby and of a challenge's page."""

from typing import Any

from fastapi import APIRouter, WebSocket

from app.events import LOBBY, ChallengeChanged, Event, Resync, Topic, account_topic, challenge_topic
from app.games.deps import GamesDep
from app.identity.live import Listen, keep_live
from app.identity.service import Identity
from app.lobby.challenges import DECLINE_REASONS
from app.lobby.context import Onlooker, lobby_context, onlooker_of, open_challenges
from app.lobby.deps import LobbyDep
from app.lobby.forms import FilterDep
from app.lobby.presenter import challenge_view, challenges_html
from app.realtime import sockets
from app.realtime.hub import Subscription
from app.web.deps import DatabaseDep, HubDep, SettingsDep, SiteUrl
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

    async def render(viewer: Identity | None, item: Event | Resync | None, _: Subscription) -> str:
        nonlocal onlooker
        concerns_viewer = not isinstance(item, ChallengeChanged) or (
            viewer is not None and viewer.id in item.accounts
        )
        if concerns_viewer:
            onlooker = await onlooker_of(database, viewer)
        challenges = await open_challenges(
            lobby, onlooker, item if isinstance(item, ChallengeChanged) else None
        )
        context: dict[str, Any] = {
            "challenges_html": challenges_html(list(filter(wanted.takes, challenges))),
            "viewer": viewer,
            "concerning": None,
        }
        if viewer is not None and concerns_viewer:
            context |= await lobby_context(database, games, lobby, viewer)
        return fragment("partials/lobby_update.html", **context)

    await keep_live(websocket, _with_own(LOBBY), render, database=database, hub=hub, settings=settings)


@router.websocket("/challenges/{challenge_id:id}/live")
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

    async def render(viewer: Identity | None, _item: Event | Resync | None, _: Subscription) -> str:
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

    listen = _with_own(challenge_topic(challenge_id))
    await keep_live(websocket, listen, render, database=database, hub=hub, settings=settings)


def _with_own(topic: Topic) -> Listen:
    """Listen to a topic and to what concerns the viewer."""
    return lambda viewer: [topic, account_topic(viewer.id)] if viewer else [topic]
