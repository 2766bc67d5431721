"""The calendar of the site as a feed, which calendar programs read."""

from fastapi import APIRouter
from starlette.responses import Response

from app.moments import utc_now
from app.tournaments.calendar import to_ical
from app.tournaments.deps import CalendarDep
from app.web.deps import SiteUrl
from app.web.downloads import attachment

router = APIRouter(include_in_schema=False)


@router.get("/calendar.ics")
async def calendar_feed(calendar: CalendarDep, site_url: SiteUrl) -> Response:
    """Return what goes on now and what comes."""
    document = to_ical(await calendar.entries(), site_url, utc_now())
    return Response(document, media_type="text/calendar", headers=attachment("gorrion.ics"))
