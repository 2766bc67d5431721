"""What takes place on the site, and when: tournaments, competitions of Golden Nugget, and races."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

from app.compete.tournaments.queries import TournamentInfo
from app.compete.tournaments.service import Tournaments
from app.compete.tournaments.terms import TournamentKind
from app.core.i18n.text import Text, _
from app.core.later import Later
from app.core.web.shown import example
from app.nugget.competitions import Competitions
from app.play.solitaire.service import Races
from engine.registry import GAMES

if TYPE_CHECKING:
    import icalendar
else:
    icalendar = Later("icalendar")

_MOST = 100
_REFRESH = timedelta(hours=1)
_USUAL = timedelta(hours=2)  # that a tournament takes if nothing says how long


_KINDS: Mapping[str, Text] = {
    "tournament": _("Tournament"),
    "competition": _("Golden Nugget competition"),
    "race": _("Race"),
}


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """Something that takes place: a `tournament`, a `competition` or a `race`. `path` is that of its page."""

    kind: Annotated[str, example("tournament")]
    title: Annotated[str, example("Thursday arena")]
    path: Annotated[str, example("/tournaments/k7m2wq9xab")]
    starts_at: datetime
    ends_at: datetime | None


class Calendar:
    """The calendar of the site."""

    def __init__(self, tournaments: Tournaments, competitions: Competitions, races: Races) -> None:
        self._tournaments = tournaments
        self._competitions = competitions
        self._races = races

    async def entries(self) -> list[CalendarEntry]:
        """Return what goes on now and what comes, by the start; not what begins at no known moment."""
        running = await self._tournaments.listing("started", "", _MOST)
        coming = await self._tournaments.listing("created", "", _MOST)
        entries = list(filter(None, map(_of_tournament, (*running.rows, *coming.rows))))
        entries += [
            CalendarEntry(
                "competition",
                competition.title,
                f"/nugget/competitions/{competition.id}",
                competition.starts_at,
                competition.ends_at,
            )
            for competition in await self._competitions.not_over()
        ]
        entries += [
            CalendarEntry(
                "race",
                _("Race: %(game)s", game=GAMES[race.game].title),
                f"/races/{race.id}",
                race.starts_at,
                race.ends_at,
            )
            for race in await self._races.ends()
        ]
        return sorted(entries, key=lambda entry: entry.starts_at)


def _of_tournament(info: TournamentInfo) -> CalendarEntry | None:
    terms = info.terms
    starts_at = terms.starts_at or info.started_at
    if starts_at is None:
        return None
    ends_at = info.ends_at
    if ends_at is None and terms.kind is TournamentKind.ARENA:
        ends_at = starts_at + timedelta(minutes=terms.plan.minutes)
    return CalendarEntry("tournament", terms.name, f"/tournaments/{info.id}", starts_at, ends_at)


def days(
    entries: Iterable[CalendarEntry], now: datetime
) -> Mapping[date | None, Sequence[tuple[CalendarEntry, Text]]]:
    """Return the calendar, with kinds in words, by days (UTC): what begins then; None: what goes on now."""
    by_day: defaultdict[date | None, list[tuple[CalendarEntry, Text]]] = defaultdict(list)
    for entry in entries:
        day = None if entry.starts_at <= now else entry.starts_at.date()
        by_day[day].append((entry, _KINDS[entry.kind]))
    return by_day


def to_ical(entries: list[CalendarEntry], site_url: str) -> bytes:
    """Return entries as a calendar by RFC 5545 in the reader's language, with links to a site.

    It is the same at each reading until an entry changes: programs would otherwise report changes.
    """
    document = icalendar.Calendar()
    document.add("prodid", "-//Gorrion//Calendar//EN")
    document.add("version", "2.0")
    for name in ("name", "x-wr-calname"):  # by RFC 7986, and as older programs know it
        document.add(name, "Gorrion")
    document.add("refresh-interval", _REFRESH, {"value": "DURATION"})
    document.add("x-published-ttl", icalendar.vDuration(_REFRESH))
    for entry in entries:
        event = icalendar.Event()
        event.add("uid", f"{entry.path.strip('/').replace('/', '-')}@{site_url.partition('://')[2]}")
        event.add("dtstamp", entry.starts_at)  # must be there; when it was announced does not matter
        event.add("dtstart", entry.starts_at)
        event.add("dtend", entry.ends_at or entry.starts_at + _USUAL)
        title = entry.title.translated() if isinstance(entry.title, Text) else entry.title
        event.add("summary", title)
        event.add("url", f"{site_url}{entry.path}")
        document.add_component(event)
    return bytes(document.to_ical())
