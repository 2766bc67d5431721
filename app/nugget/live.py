"""The live connection of the rankings."""

from fastapi import APIRouter, WebSocket

from app.core.events import Event, Resync
from app.core.web.deps import Part
from app.core.web.render import fragment
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.nugget.presenter import ranking_context
from app.nugget.rankings import Rankings
from app.nugget.standings import RANKING, name_of

router = APIRouter(include_in_schema=False)


@router.websocket("/leaderboards/golden_nugget/live")
async def live_ranking(
    websocket: WebSocket,
    live: Part[Live],
    rankings: Part[Rankings],
    players: str = "everybody",
    period: str = "all",
) -> None:
    """Push the first page of a ranking whenever it changes."""

    async def render(_event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        viewer = socket.identity
        context = await ranking_context(rankings, name_of(players, period), viewer, "")
        names = {"players": players, "period": period}
        return fragment("partials/nugget_ranking_update.html", viewer=viewer, **names, **context)

    async with live.page(websocket) as socket:
        push(socket, render, RANKING)
