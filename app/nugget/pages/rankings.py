"""The world ranking: pages by cursor, filters, live; its history, and its exports."""

from typing import Any

import orjson
from fastapi import APIRouter, Request, WebSocket
from starlette.responses import HTMLResponse, Response

from app.database.session import Database
from app.events import RANKING, Event, Resync
from app.identity.service import Identity
from app.identity.viewer import Viewer
from app.live.deps import LiveDep
from app.live.service import push
from app.nugget import charts, standings
from app.nugget.history import HistoryReader
from app.nugget.standings import PLAYERS, RankedEntry
from app.realtime.hub import Subscription
from app.web.deps import DatabaseDep
from app.web.downloads import attachment
from app.web.params import Cursor
from app.web.render import fragment, page, wants_partial

router = APIRouter()

_ROWS = 50
_EXPORTED = 10_000
_HISTORY = HistoryReader()


@router.get("/leaderboards/golden_nugget")
async def ranking(
    request: Request,
    viewer: Viewer,
    database: DatabaseDep,
    players: str = "everybody",
    period: str = "all",
    cursor: Cursor = "",
) -> Response:
    """Show a page of a ranking, the viewer's own row always in sight."""
    context = await _context(database, viewer, players, period, cursor)
    if wants_partial(request):
        return HTMLResponse(fragment("partials/nugget_ranking.html", viewer=viewer, **context))
    async with database.transaction() as session:
        past = await _HISTORY.read(session)
    return page(
        request,
        "pages/nugget_ranking.html",
        **context,
        chart=charts.stair(past.entries, past.records),
        records=past.records,
        filters={"players": PLAYERS, "periods": standings.periods()},
    )


@router.get("/leaderboards/golden_nugget.csv")
async def as_csv(database: DatabaseDep, players: str = "everybody", period: str = "all") -> Response:
    """Download a ranking as comma-separated values."""
    sheet = standings.as_csv(await _all(database, players, period))
    return Response(sheet, media_type="text/csv", headers=attachment("golden-nugget-ranking.csv"))


@router.get("/leaderboards/golden_nugget.json")
async def as_json(database: DatabaseDep, players: str = "everybody", period: str = "all") -> Response:
    """Download a ranking as JSON."""
    rows = [row.as_dict() for row in await _all(database, players, period)]
    return Response(
        orjson.dumps(rows), media_type="application/json", headers=attachment("golden-nugget-ranking.json")
    )


@router.websocket("/leaderboards/golden_nugget/live")
async def live_ranking(
    websocket: WebSocket,
    live: LiveDep,
    database: DatabaseDep,
    players: str = "everybody",
    period: str = "all",
) -> None:
    """Push the first page of a ranking whenever it changes."""

    async def render(_event: Event | Resync | None, _subscription: Subscription) -> str:
        viewer = socket.identity
        context = await _context(database, viewer, players, period, "")
        return fragment("partials/nugget_ranking_update.html", viewer=viewer, **context)

    async with live.page(websocket) as socket:
        push(socket, render, RANKING)
        await socket.closed()


async def _context(
    database: Database, viewer: Identity | None, players: str, period: str, cursor: str
) -> dict[str, Any]:
    name = standings.name_of(players, period)
    async with database.transaction() as session:
        await standings.release(session)
        found = await standings.page(session, name, cursor or None, _ROWS)
        mine = await standings.row_of(session, viewer.id, name) if viewer else None
    return {
        "rows": found.rows,
        "next": found.next,
        "cursor": cursor,
        "mine": mine if mine not in found.rows else None,
        "players": players,
        "period": period,
    }


async def _all(database: Database, players: str, period: str) -> tuple[RankedEntry, ...]:
    async with database.transaction() as session:
        await standings.release(session)
        return (await standings.page(session, standings.name_of(players, period), None, _EXPORTED)).rows
