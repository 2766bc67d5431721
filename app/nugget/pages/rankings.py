"""The rankings: pages by cursor, filters, live updates, history and exports."""

from typing import Any

import orjson
from fastapi import APIRouter, Request, WebSocket
from starlette.responses import HTMLResponse, Response

from app.events import RANKING, Event, Resync
from app.identity.service import Identity
from app.identity.viewer import Viewer
from app.live.deps import LiveDep
from app.live.service import push
from app.nugget import charts, standings
from app.nugget.deps import RankingsDep
from app.nugget.rankings import Rankings
from app.nugget.views import ranking_filters
from app.realtime.hub import Subscription
from app.web.downloads import attachment
from app.web.params import Cursor
from app.web.render import fragment, page, wants_partial

router = APIRouter()

_ROWS = 50
_EXPORTED = 10_000
_FILE = "golden-nugget-ranking"


@router.get("/leaderboards/golden_nugget")
async def ranking_page(
    request: Request,
    viewer: Viewer,
    rankings: RankingsDep,
    players: str = "everybody",
    period: str = "all",
    cursor: Cursor = "",
) -> Response:
    """Show a page of a ranking; the viewer's own row is always included."""
    context = await _context(rankings, viewer, players, period, cursor)
    if wants_partial(request):
        return HTMLResponse(fragment("partials/nugget_ranking.html", viewer=viewer, **context))
    history = await rankings.history()
    return page(
        request,
        "pages/nugget_ranking.html",
        **context,
        chart=charts.stair(history.entries, history.records),
        records=history.records,
        filters=ranking_filters(),
    )


@router.get("/leaderboards/golden_nugget.csv")
async def as_csv(rankings: RankingsDep, players: str = "everybody", period: str = "all") -> Response:
    """Download a ranking as CSV."""
    ranking = await rankings.page(players, period, "", _EXPORTED)
    sheet = standings.as_csv(ranking.rows)
    return Response(sheet, media_type="text/csv", headers=attachment(f"{_FILE}.csv"))


@router.get("/leaderboards/golden_nugget.json")
async def as_json(rankings: RankingsDep, players: str = "everybody", period: str = "all") -> Response:
    """Download a ranking as JSON."""
    ranking = await rankings.page(players, period, "", _EXPORTED)
    rows = orjson.dumps([row.as_dict() for row in ranking.rows])
    return Response(rows, media_type="application/json", headers=attachment(f"{_FILE}.json"))


@router.websocket("/leaderboards/golden_nugget/live")
async def live_ranking(
    websocket: WebSocket,
    live: LiveDep,
    rankings: RankingsDep,
    players: str = "everybody",
    period: str = "all",
) -> None:
    """Push the first page of a ranking whenever it changes."""

    async def render(_event: Event | Resync | None, _subscription: Subscription) -> str:
        viewer = socket.identity
        context = await _context(rankings, viewer, players, period, "")
        return fragment("partials/nugget_ranking_update.html", viewer=viewer, **context)

    async with live.page(websocket) as socket:
        push(socket, render, RANKING)
        await socket.closed()


async def _context(
    rankings: Rankings, viewer: Identity | None, players: str, period: str, cursor: str
) -> dict[str, Any]:
    ranking = await rankings.page(players, period, cursor, _ROWS)
    mine = await rankings.row_of(players, period, viewer.id) if viewer else None
    return {
        "rows": ranking.rows,
        "next": ranking.next,
        "cursor": cursor,
        "mine": mine if mine not in ranking.rows else None,
        "players": players,
        "period": period,
    }
