"""The live connections of the lobby and of a challenge's page."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, WebSocket

from app.core.events import Event, Resync, Topic, account_topic
from app.core.web.deps import Part, SiteUrl
from app.core.web.render import fragment
from app.live.messages import visit
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.people.identity.service import Identity
from app.play.games.presenter.cards import turns_in
from app.play.lobby.challenges import DECLINE_REASONS, LOBBY, ChallengeChanged, LobbyOverview, challenge_topic
from app.play.lobby.forms import Filter
from app.play.lobby.presenter import challenge_view, challenge_views, challenges_html
from app.play.lobby.service import Lobby
from app.play.pairing.presenter import who_waits
from app.play.pairing.searches import SearchChanged
from app.play.pairing.service import Pairing

router = APIRouter(include_in_schema=False)


@router.websocket("/lobby/live")
async def live_lobby(
    websocket: WebSocket,
    live: Part[Live],
    lobby: Part[Lobby],
    pairing: Part[Pairing],
    wanted: Annotated[Filter, Query()],
) -> None:
    """Push the lists of the lobby to a page."""
    overview = LobbyOverview({}, [], [])

    async def render(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        nonlocal overview
        viewer = socket.identity
        change = event if isinstance(event, ChallengeChanged | SearchChanged) else None
        context: dict[str, Any] = {"viewer": viewer, "concerning": None}
        if viewer is not None and _concerns(viewer, event):
            overview = await lobby.overview(viewer)
            context |= {
                "concerning": challenge_views(overview.challenges, viewer, overview.ratings),
                "turns": turns_in(overview.games),
            }
        offers, listing = await pairing.listing(change), await lobby.listing(change)
        searches, challenges = who_waits(offers, listing, viewer, overview, wanted)
        html = challenges_html(challenges, searches)
        return fragment("partials/lobby_update.html", challenges_html=html, **context)

    async with live.page(websocket) as socket:
        push(socket, render, LOBBY, *_own(socket.identity))


@router.websocket("/challenges/{challenge_id:id}/live")
async def live_challenge(
    websocket: WebSocket, challenge_id: str, live: Part[Live], lobby: Part[Lobby], site_url: SiteUrl
) -> None:
    """Push the state of a challenge to its page, and send the page to the game once it is accepted."""

    async def render(_event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        viewer = socket.identity
        challenge = await lobby.get(challenge_id)
        if challenge.game_id is not None:
            socket.send(visit(f"/games/{challenge.game_id}"))
            return ""
        return fragment(
            "partials/challenge_update.html",
            challenge=challenge_view(challenge, viewer, await lobby.ratings(viewer)),
            viewer=viewer,
            site_url=site_url,
            decline_reasons=DECLINE_REASONS,
        )

    async with live.page(websocket) as socket:
        push(socket, render, challenge_topic(challenge_id), *_own(socket.identity))


def _concerns(viewer: Identity, event: Event | Resync | None) -> bool:
    """Return whether an event may change what the lobby shows only to a viewer."""
    match event:
        case ChallengeChanged(accounts=accounts):
            return viewer.id in accounts
        case SearchChanged():
            return False
    return True


def _own(viewer: Identity | None) -> tuple[Topic, ...]:
    return () if viewer is None else (account_topic(viewer.id),)
