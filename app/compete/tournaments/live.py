"""The live connections of the pages of tournaments and of their lists."""

from typing import Annotated

from fastapi import APIRouter, Query, WebSocket

from app.compete.tournaments.chatting import Chatting
from app.compete.tournaments.drawing import Drawing, draw_lists, draw_own
from app.compete.tournaments.events import (
    TOURNAMENTS,
    TournamentChanged,
    TournamentFinished,
    TournamentPaired,
    TournamentStarted,
    tournament_topic,
)
from app.compete.tournaments.follow import Followed
from app.compete.tournaments.forms import ListShown, LiveShown
from app.compete.tournaments.presenter import featured
from app.compete.tournaments.service import Tournaments
from app.core.events import Event, Resync, account_topic, game_topic
from app.core.web.deps import Part
from app.core.web.render import fragment
from app.live.messages import visit
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.play.chat.events import ChatSaid, chat_topic
from app.play.chat.hearing import said_update
from app.play.games.events import GameChanged
from app.play.games.presenter.cards import mini_view
from app.play.games.service import Games

router = APIRouter(include_in_schema=False)


@router.websocket("/tournaments/live")
async def live_tournaments(
    websocket: WebSocket,
    live: Part[Live],
    followed: Part[Followed],
    tournaments: Part[Tournaments],
    shown: Annotated[ListShown, Query()],
) -> None:
    """Push the first page of a list of tournaments whenever it changes."""
    async with live.page(websocket) as socket:
        viewer = socket.identity
        drawn = ""

        async def own() -> str:
            if viewer is None or shown.when == "past":
                return ""
            return draw_own(await tournaments.of_account(viewer.id))

        async def render(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
            nonlocal drawn
            match event:
                case TournamentStarted() | TournamentFinished():
                    return await own()
                case TournamentChanged():
                    last, drawn = drawn, draw_lists(await followed.lists(), shown.when)
                    return drawn if drawn != last else ""
                case None | Resync():
                    drawn = draw_lists(await followed.lists(), shown.when)
                    return drawn + await own()
            return ""

        push(socket, render, TOURNAMENTS, *((account_topic(viewer.id),) if viewer else ()))
        await socket.closed()


@router.websocket("/tournaments/{tournament_id:id}/live")
async def live_tournament(
    websocket: WebSocket,
    tournament_id: str,
    live: Part[Live],
    followed: Part[Followed],
    chatting: Part[Chatting],
    games: Part[Games],
    shown: Annotated[LiveShown, Query()],
) -> None:
    """Push a tournament to its page, and send players to their real-time games when they are paired.

    A page that was not connected when its player was paired is sent to the game when it connects.
    """
    async with live.page(websocket) as socket:
        viewer = socket.identity
        drawing = Drawing(viewer, shown)
        of_viewer = (account_topic(viewer.id),) if viewer else ()
        topics = (tournament_topic(tournament_id), chat_topic(tournament_id), *of_viewer)

        async def render(event: Event | Resync | None, subscription: LiveSubscription) -> str:
            match event:
                case ChatSaid():
                    is_heard = drawing.has_chat and await chatting.hears(viewer, event)
                    return said_update(event, viewer) if is_heard else ""
                case GameChanged(is_over=False):
                    mini = mini_view(await games.after(event))
                    return fragment("partials/mini_update.html", mini=mini)
                case TournamentPaired(tournament_id=paired, game_id=game_id) if paired == tournament_id:
                    snapshot = await followed.read(tournament_id)
                    if snapshot.info.terms.is_realtime:
                        socket.send(visit(f"/games/{game_id}"))
                case None | Resync() | TournamentChanged() | GameChanged():
                    snapshot = await followed.read(tournament_id)
                    top = await featured(snapshot, games)
                    subscription.listen_to(*topics, *((game_topic(top.id),) if top else ()))
                    html, info = drawing.update(snapshot, top), snapshot.info
                    if info.terms.is_realtime and (game_id := drawing.first_game):
                        socket.send(visit(f"/games/{game_id}"))
                    if isinstance(event, Resync | None) or drawing.has_chat != info.terms.chat:
                        html += drawing.update_chat(snapshot, await chatting.conversations(viewer, info))
                    return html
            return ""

        push(socket, render, *topics)
        await socket.closed()
