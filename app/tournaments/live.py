"""The live connections of tournaments' pages."""

from typing import Annotated

from fastapi import APIRouter, Query, WebSocket

from app.events import (
    Event,
    GameChanged,
    Resync,
    TournamentChanged,
    TournamentPaired,
    account_topic,
    game_topic,
    tournament_topic,
)
from app.games.deps import GamesDep
from app.games.presenter.minis import mini_view
from app.live.deps import LiveDep
from app.live.service import push, visit
from app.realtime.hub import Subscription
from app.tournaments.deps import FollowedDep
from app.tournaments.drawing import Drawing
from app.tournaments.forms import Shown
from app.tournaments.presenter import featured
from app.web.render import fragment

router = APIRouter(include_in_schema=False)


@router.websocket("/tournaments/{tournament_id:id}/live")
async def live_tournament(
    websocket: WebSocket,
    tournament_id: str,
    live: LiveDep,
    followed: FollowedDep,
    games: GamesDep,
    shown: Annotated[Shown, Query()],
) -> None:
    """Push a tournament to its page, and send players to their real-time games when they are paired."""
    async with live.page(websocket) as socket:
        viewer = socket.identity
        drawing = Drawing(viewer, shown)
        topics = (tournament_topic(tournament_id), *((account_topic(viewer.id),) if viewer else ()))

        async def render(event: Event | Resync | None, subscription: Subscription) -> str:
            match event:
                case GameChanged(is_over=False):
                    mini = mini_view(await games.after(event))
                    return fragment("partials/mini_update.html", mini=mini)
                case TournamentPaired(tournament_id=paired, game_id=game_id) if paired == tournament_id:
                    snapshot = await followed.read(tournament_id)
                    return visit(f"/games/{game_id}") if snapshot.info.terms.is_realtime else ""
                case None | Resync() | TournamentChanged() | GameChanged():
                    snapshot = await followed.read(tournament_id)
                    top = await featured(snapshot, games)
                    subscription.listen_to(*topics, *((game_topic(top.id),) if top else ()))
                    return drawing.update(snapshot, top)
            return ""

        push(socket, render, *topics)
        await socket.closed()
