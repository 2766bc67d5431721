"""The rankings: pages by cursor, filters, history and exports."""

from starlette.responses import HTMLResponse, Response

from app.core.web.deps import Part
from app.core.web.params import Cursor, OwnPlace
from app.core.web.render import fragment, page, wants_partial
from app.nugget import charts
from app.nugget.pages.exports import Form, ranking_file
from app.nugget.presenter import ranking_context
from app.nugget.rankings import Rankings
from app.nugget.views import ranking_filters
from app.people.identity.pages import page_router
from app.people.identity.viewer import Viewer

router = page_router()


@router.get("/leaderboards/golden_nugget")
async def ranking_page(
    viewer: Viewer,
    rankings: Part[Rankings],
    players: str = "everybody",
    period: str = "all",
    cursor: Cursor = "",
    at: OwnPlace = "",
) -> Response:
    """Show a page of a ranking, on request the one with the viewer's own row, which is always included."""
    if at and viewer:
        cursor = await rankings.cursor_to(players, period, viewer.id)
    context = await ranking_context(rankings, viewer, players, period, cursor)
    if wants_partial():
        return HTMLResponse(fragment("partials/nugget_ranking.html", viewer=viewer, **context))
    history, holders = await rankings.history()
    return page(
        "pages/nugget_ranking.html",
        **context,
        chart=charts.stair(history.entries, history.records),
        records=history.records,
        holders=holders,
        filters=ranking_filters(),
    )


@router.get("/leaderboards/golden_nugget.{form}")
async def ranking_export(
    form: Form, rankings: Part[Rankings], players: str = "everybody", period: str = "all"
) -> Response:
    """Download a ranking as CSV or JSON."""
    return ranking_file(rankings.exported(players, period), "golden-nugget-ranking", form)
