"""Seasons as pages: the current one, and the final tables of those before."""

from starlette.responses import RedirectResponse, Response

from app.compete.tournaments.seasons import FEWEST, POINTS, Seasons, season_of
from app.compete.tournaments.wording import season_text
from app.core.errors import NotFoundError
from app.core.moments import utc_now
from app.core.web.deps import Part
from app.core.web.params import Cursor, OwnPlace
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.viewer import Viewer

router = page_router()

_ROWS = 50


@router.get("/seasons")
async def seasons_index() -> Response:
    """Redirect to the current season."""
    return RedirectResponse(f"/seasons/{season_of(utc_now())}", 303)


@router.get("/seasons/{season:slug}")
async def season_page(
    season: str,
    viewer: Viewer,
    seasons: Part[Seasons],
    cursor: Cursor = "",
    at: OwnPlace = "",
) -> Response:
    """Show the table of a season, the viewer's place, how points are made, and the other seasons."""
    current = season_of(utc_now())
    known = await seasons.all()
    if season != current and season not in known:
        raise NotFoundError("season")
    if at and viewer:
        cursor = await seasons.cursor_to(season, viewer.id)
    table = await seasons.table(season, cursor, _ROWS)
    others = sorted({current, *known} - {season}, reverse=True)
    return page(
        "pages/season.html",
        title=season_text(season),
        is_current=season == current,
        is_final=await seasons.is_final(season),
        rows=table.rows,
        cursor=cursor,
        next=table.next,
        mine=await seasons.row_of(season, viewer.id) if viewer else None,
        others=[(other, season_text(other)) for other in others],
        points=POINTS,
        fewest=FEWEST,
    )
