"""Pages of records: the table, who took which from whom, and the same as a feed."""

from functools import partial

from starlette.responses import Response

from app.core.i18n.formats import day_in
from app.core.i18n.languages import current
from app.core.i18n.text import _
from app.core.web.atom import FeedEntry, feed
from app.core.web.deps import Part, SiteUrl
from app.core.web.filters import shown_name
from app.core.web.params import Cursor
from app.core.web.render import page
from app.core.web.routes import Router
from app.nugget.bounds.proven import start_bound
from app.nugget.drawing import stair
from app.nugget.records.forms import QueryLength, QueryPlayers
from app.nugget.records.presenter import (
    LATEST,
    LISTED,
    record_filters,
    sentences,
    table_context,
    takings_context,
)
from app.nugget.records.reading import Records
from app.people.identity.pages import page_router

router = page_router()
feeds = Router(include_in_schema=False)


@router.get("/nugget/records")
async def table_page(
    records: Part[Records], players: QueryPlayers = "people", boards: QueryLength = "20"
) -> Response:
    """Show the records of the first boards, how the best mean over them fell, and what was taken lately."""
    means = await records.means(players, int(boards))
    return page(
        "pages/nugget_records.html",
        players=players,
        start_bound=start_bound(),
        filters=record_filters(),
        chart=stair(means, means, partial(day_in, current())) if len(means) > 1 else None,
        **await table_context(records, players, int(boards)),
        **await takings_context(records, players, "", LATEST),
    )


@router.get("/nugget/records/changes")
async def changes_page(
    records: Part[Records], players: QueryPlayers = "people", cursor: Cursor = ""
) -> Response:
    """Show who took which records from whom."""
    return page(
        "pages/nugget_record_changes.html",
        players=players,
        filters=record_filters(),
        **await takings_context(records, players, cursor, LISTED),
    )


@feeds.get("/feeds/records.atom")
async def records_feed(
    records: Part[Records], site_url: SiteUrl, players: QueryPlayers = "people"
) -> Response:
    """Return who took which records from whom, as a feed."""
    takings = await records.takings(players, "", LISTED)
    entries = []
    for taking in takings.rows:
        title, *_others = lines = sentences(taking)
        first = taking[0]
        path = f"/nugget/entries/{first.entry_id}"
        entries.append(
            FeedEntry(path, f"records-{players}", title, shown_name(first.username), first.at, lines)
        )
    query = f"?players={players}"
    title = _("Records of Golden Nugget")
    return feed(f"/feeds/records.atom{query}", f"/nugget/records/changes{query}", title, entries, site_url)
