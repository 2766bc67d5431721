"""The calendar of the site as a page, and as a feed, which calendar programs read."""

from starlette.responses import Response

from app.compete.tournaments.calendar import Calendar, to_ical
from app.compete.tournaments.presenter import days
from app.core.moments import utc_now
from app.core.web.conditional import etag_of
from app.core.web.deps import Part, SiteUrl
from app.core.web.downloads import attachment
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.throttled import COMPUTING

router = page_router()


@router.get("/calendar")
async def calendar_page(calendar: Part[Calendar]) -> Response:
    """List what goes on now and what comes, by day."""
    return page("pages/calendar.html", days=days(await calendar.entries(), utc_now()))


@router.get("/calendar.ics", dependencies=[COMPUTING])
async def calendar_feed(calendar: Part[Calendar], site_url: SiteUrl) -> Response:
    """Return what goes on now and what comes."""
    document = to_ical(await calendar.entries(), site_url)
    headers = {**attachment("gorrion.ics"), **etag_of(document)}
    return Response(document, media_type="text/calendar", headers=headers)
