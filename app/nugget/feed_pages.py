"""The feed of competitions: each one when it is announced, and its result when it is over."""

from collections.abc import Iterator, Mapping, Sequence

from starlette.responses import Response

from app.core.i18n.text import Text, _, ngettext
from app.core.web.atom import FeedEntry, feed
from app.core.web.deps import Part, SiteUrl
from app.core.web.filters import shown_name
from app.core.web.routes import Router
from app.nugget.competitions import Competitions, CompetitionShown
from app.nugget.rankings import Rankings
from app.nugget.standings import of_competition

router = Router(include_in_schema=False)

_LISTED = 50
_PAGE = "/nugget/competitions"


@router.get("/feeds/competitions.atom")
async def competitions_feed(
    competitions: Part[Competitions], rankings: Part[Rankings], site_url: SiteUrl
) -> Response:
    """Return the competitions and their results, the latest news first, as a feed."""
    listed = (await competitions.listing("", _LISTED)).rows
    over = [competition for competition in listed if competition.is_over]
    winners = await rankings.winners([of_competition(competition.id) for competition in over])
    entries = [*map(_announced, listed), *_results(over, winners)]
    latest = sorted(entries, key=lambda entry: entry.at, reverse=True)[:_LISTED]
    return feed("/feeds/competitions.atom", _PAGE, _("Golden Nugget competitions"), latest, site_url)


def _announced(competition: CompetitionShown) -> FeedEntry:
    lines: list[Text | str] = [
        _("%(start)s to %(end)s", start=competition.starts_at, end=competition.ends_at),
        _boards(competition),
        *competition.text.splitlines(),
    ]
    if competition.status == "cancelled":
        lines = [_("Cancelled"), competition.reason, *lines]
    return FeedEntry(
        f"{_PAGE}/{competition.id}",
        "announced",
        competition.title,
        competition.organiser,
        competition.created_at,
        list(filter(None, lines)),
    )


def _boards(competition: CompetitionShown) -> Text:
    least, most = competition.min_boards, competition.max_boards
    if least == most:
        return ngettext("%(count)s board", "%(count)s boards", most)
    return _("%(least)s to %(most)s boards", least=least, most=most)


def _results(over: Sequence[CompetitionShown], winners: Mapping[str, str | None]) -> Iterator[FeedEntry]:
    for competition in over:
        name = of_competition(competition.id)
        yield FeedEntry(
            f"{_PAGE}/{competition.id}",
            "result",
            _("Result: %(event)s", event=competition.title),
            competition.organiser,
            competition.ends_at,
            [
                _("%(player)s won", player=shown_name(winners[name]))
                if name in winners
                else _("No entry came in.")
            ],
        )
