"""The rankings: pages by cursor, filters, history and exports."""

from collections.abc import AsyncIterator

import orjson
from fastapi import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from app.identity.pages import page_router
from app.identity.viewer import Viewer
from app.nugget import charts, standings
from app.nugget.deps import RankingsDep
from app.nugget.presenter import ranking_context
from app.nugget.views import ranking_filters
from app.web.downloads import attachment
from app.web.params import Cursor, OwnPlace
from app.web.render import fragment, page, wants_partial

router = page_router()

_FILE = "golden-nugget-ranking"


@router.get("/leaderboards/golden_nugget")
async def ranking_page(
    request: Request,
    viewer: Viewer,
    rankings: RankingsDep,
    players: str = "everybody",
    period: str = "all",
    cursor: Cursor = "",
    at: OwnPlace = "",
) -> Response:
    """Show a page of a ranking, on request the one with the viewer's own row, which is always included."""
    if at and viewer:
        cursor = await rankings.cursor_to(players, period, viewer.id)
    context = await ranking_context(rankings, viewer, players, period, cursor)
    if wants_partial(request):
        return HTMLResponse(fragment("partials/nugget_ranking.html", viewer=viewer, **context))
    history, holders = await rankings.history()
    return page(
        request,
        "pages/nugget_ranking.html",
        **context,
        chart=charts.stair(history.entries, history.records),
        records=history.records,
        holders=holders,
        filters=ranking_filters(),
    )


@router.get("/leaderboards/golden_nugget.csv")
async def as_csv(rankings: RankingsDep, players: str = "everybody", period: str = "all") -> Response:
    """Download a ranking as CSV."""
    parts = rankings.exported(players, period)

    async def sheet() -> AsyncIterator[str]:
        yield standings.CSV_HEADER
        async for rows in parts:
            yield standings.as_csv(rows)

    return StreamingResponse(sheet(), media_type="text/csv", headers=attachment(f"{_FILE}.csv"))


@router.get("/leaderboards/golden_nugget.json")
async def as_json(rankings: RankingsDep, players: str = "everybody", period: str = "all") -> Response:
    """Download a ranking as JSON."""
    parts = rankings.exported(players, period)

    async def array() -> AsyncIterator[bytes]:
        separator = b"["
        async for rows in parts:
            if rows:
                yield separator + b",".join(orjson.dumps(row.as_dict()) for row in rows)
                separator = b","
        yield b"]" if separator == b"," else b"[]"

    return StreamingResponse(array(), media_type="application/json", headers=attachment(f"{_FILE}.json"))
