"""The live connections of the lobby and of a challenge's page."""

from typing import Any

from fastapi import APIRouter, WebSocket

from app.events import LOBBY, ChallengeChanged, Event, Resync, Topic, account_topic, challenge_topic
from app.games.deps import GamesDep
from app.identity.service import Identity
from app.live.deps import LiveDep
from app.live.service import push, visit
from app.lobby.challenges import DECLINE_REASONS
from app.lobby.context import Onlooker, lobby_context, onlooker_of, open_challenges
from app.lobby.deps import LobbyDep
from app.lobby.forms import FilterDep
from app.lobby.presenter import challenge_view, challenges_html
from app.realtime.hub import Subscription
from app.web.deps import DatabaseDep, SiteUrl
from app.web.render import fragment

router = APIRouter(include_in_schema=False)


@router.websocket("/lobby/live")
async def live_lobby(
    websocket: WebSocket,
    live: LiveDep,
    database: DatabaseDep,
    games: GamesDep,
    lobby: LobbyDep,
    wanted: FilterDep,
) -> None:
    """Push the lists of the lobby to a page."""
    onlooker = Onlooker(None, {})

    async def render(item: Event | Resync | None, _subscription: Subscription) -> str:
        nonlocal onlooker
        viewer = socket.identity
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

    async with live.page(websocket) as socket:
        push(socket, render, LOBBY, *_own(socket.identity))
        await socket.closed()


@router.websocket("/challenges/{challenge_id:id}/live")
async def live_challenge(
    websocket: WebSocket,
    challenge_id: str,
    live: LiveDep,
    database: DatabaseDep,
    lobby: LobbyDep,
    site_url: SiteUrl,
) -> None:
    """Push what becomes of a challenge to its page."""

    async def render(_event: Event | Resync | None, _subscription: Subscription) -> str:
        viewer = socket.identity
        challenge = await lobby.get(challenge_id)
        if challenge.game_id is not None:
            return visit(f"/games/{challenge.game_id}")
        view = challenge_view(challenge, viewer, (await onlooker_of(database, viewer)).ratings)
        return fragment(
            "partials/challenge_update.html",
            challenge=view,
            viewer=viewer,
            site_url=site_url,
            decline_reasons=DECLINE_REASONS,
        )

    async with live.page(websocket) as socket:
        push(socket, render, challenge_topic(challenge_id), *_own(socket.identity))
        await socket.closed()


def _own(viewer: Identity | None) -> tuple[Topic, ...]:
    """Return the topic of what concerns the viewer, if there is one."""
    return () if viewer is None else (account_topic(viewer.id),)
