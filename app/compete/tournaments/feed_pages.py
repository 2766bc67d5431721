"""The feed of tournaments: each one when it is announced, and its winner when it is over."""

from collections.abc import Sequence

from starlette.responses import Response

from app.compete.tournaments import wording
from app.compete.tournaments.queries import TournamentInfo
from app.compete.tournaments.service import Tournaments
from app.core.i18n.text import _, listed
from app.core.web.atom import FeedEntry, feed
from app.core.web.deps import Part, SiteUrl
from app.core.web.filters import shown_name
from app.core.web.routes import Router

router = Router(include_in_schema=False)

_LISTED = 50
_SERVER = "Gorrion"
"""The author of what the server announces by itself."""


@router.get("/feeds/tournaments.atom")
async def tournaments_feed(tournaments: Part[Tournaments], site_url: SiteUrl) -> Response:
    """Return the tournaments and their winners, the latest news first, as a feed."""
    not_over = (await tournaments.listing("open", "", _LISTED)).rows
    over = (await tournaments.listing("finished", "", _LISTED)).rows
    winners = await tournaments.winners([info.id for info in over])
    entries = [
        *(_announced(info) for info in (*not_over, *over)),
        *(_result(info, winners.get(info.id, ())) for info in over),
    ]
    latest = sorted(entries, key=lambda entry: entry.at, reverse=True)[:_LISTED]
    return feed("/feeds/tournaments.atom", "/tournaments", _("Tournaments"), latest, site_url)


def _announced(info: TournamentInfo) -> FeedEntry:
    start = info.terms.starts_at or info.started_at or _("when full")
    return FeedEntry(
        f"/tournaments/{info.id}",
        "announced",
        info.terms.name,
        info.organiser or _SERVER,
        info.created_at,
        [_("Start: %(when)s", when=start), listed(*wording.summary(info.terms))],
    )


def _result(info: TournamentInfo, winners: Sequence[str | None]) -> FeedEntry:
    lines = [_("%(player)s won", player=shown_name(username)) for username in winners]
    return FeedEntry(
        f"/tournaments/{info.id}",
        "result",
        _("Result: %(event)s", event=info.terms.name),
        info.organiser or _SERVER,
        info.ended_at or info.created_at,
        [*lines, wording.players_text(info)],
    )
