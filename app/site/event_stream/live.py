"""The live connection of every page of a signed-in viewer: what the header shows."""

from typing import Annotated

from fastapi import APIRouter, Query, WebSocket

from app.compete.tournaments.events import TournamentPaired
from app.core.events import Event, Resync, account_topic
from app.core.realtime.presence import SITE, Presence
from app.core.web.deps import Part
from app.core.web.render import fragment
from app.live.messages import visit
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.people.inbox.kinds import ABOUT_TURNS, NewsKind
from app.people.inbox.queries import is_about
from app.people.inbox.service import Inbox
from app.play.games.presenter.cards import GameCard
from app.play.games.service import Games
from app.play.lobby.challenges import ChallengeChanged
from app.play.lobby.presenter import challenge_view
from app.play.lobby.service import Lobby
from app.site.event_stream.service import Marks, look_with_heartbeats, situation
from app.site.messages.service import Messages
from app.site.moderation.events import REPORTS
from app.site.moderation.queries import ReportSource
from app.site.moderation.service import Moderation

_MOST_UNREAD = 99
_SHOWN_ANYWAY = (*ABOUT_TURNS, NewsKind.CHALLENGE, NewsKind.CHALLENGE_ACCEPTED)
"""The kinds about games and challenges that the header and the home page show by themselves."""

router = APIRouter(include_in_schema=False)


@router.websocket("/account/live")
async def live_account(
    websocket: WebSocket,
    live: Part[Live],
    games: Part[Games],
    lobby: Part[Lobby],
    inbox: Part[Inbox],
    messages: Part[Messages],
    moderation: Part[Moderation],
    marks: Part[Marks],
    presence: Part[Presence],
    at: Annotated[str, Query(max_length=32)] = "",
) -> None:
    """Push what concerns the viewer to any page, and send a waiting page to a real-time game that begins.

    The connection of a page that waits for a certain game leads to that one, whatever its clock is.

    `at` is the game that the page shows: it raises no alert, and notifications about it count as read.
    """
    async with live.page(websocket) as socket:
        viewer = socket.viewer

        async def render(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
            match event:
                case ChallengeChanged(game_id=str(game_id)) | TournamentPaired(game_id=str(game_id)):
                    if (await games.get(game_id)).is_realtime:
                        socket.send(visit(f"/games/{game_id}"))
            present = await situation(viewer.id, games, lobby)
            unread = await inbox.unread(viewer.id, limit=_MOST_UNREAD)
            if any(item.subject == at for item in unread):
                await inbox.read(viewer, is_about(at))
            challenges = present.challenges_to(viewer.id)
            ratings = await lobby.ratings(viewer) if challenges else {}
            news = [item for item in unread if item.subject != at and item.kind not in _SHOWN_ANYWAY]
            is_moderator = viewer.is_moderator
            return fragment(
                "partials/alerts_update.html",
                challenges=[challenge_view(challenge, viewer, ratings) for challenge in challenges],
                news=news,
                turns=[GameCard(game) for game in present.turns if game.id != at],
                begun=[GameCard(game) for game in present.begun if game.id != at],
                at=at,
                viewer=viewer,
                unread=await messages.unread(viewer.id),
                reports=await moderation.open_reports(viewer, ReportSource.OTHERS) if is_moderator else 0,
            )

        await socket.hold(presence.here(viewer.id, SITE))
        topics = (REPORTS,) if viewer.is_moderator else ()
        subscription = push(socket, render, account_topic(viewer.id), *topics)
        look_with_heartbeats(socket, subscription, marks, viewer.id)
