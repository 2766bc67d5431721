"""What takes place on the site, and when: tournaments, competitions of Golden Nugget, and races."""

from datetime import datetime, timedelta

from icalendar import Calendar as Document
from icalendar import Event

from app.i18n.text import Text, _
from app.moments import utc_now
from app.nugget.competitions import Competitions
from app.solitaire.races import RaceEnd
from app.solitaire.service import Races
from app.tournaments.queries.tournaments import TournamentInfo
from app.tournaments.service import Tournaments
from app.tournaments.terms import TournamentKind
from app.tournaments.views import Entry
from engine.registry import GAMES

_MOST = 100
_USUAL = timedelta(hours=2)  # that a tournament takes if nothing says how long


class Calendar:
    """The calendar of the site."""

    def __init__(self, tournaments: Tournaments, competitions: Competitions, races: Races) -> None:
        self._tournaments = tournaments
        self._competitions = competitions
        self._races = races

    async def entries(self) -> list[Entry]:
        """Return what goes on now and what comes, by the start."""
        now = utc_now()
        running = await self._tournaments.listing("started", "", _MOST)
        coming = await self._tournaments.listing("created", "", _MOST)
        entries = [_of_tournament(info, now) for info in (*running.rows, *coming.rows)]
        entries += [
            Entry(
                "competition",
                competition.title,
                f"/nugget/competitions/{competition.id}",
                competition.starts_at,
                competition.ends_at,
            )
            for competition in await self._competitions.not_over()
        ]
        entries += [
            Entry("race", _race_title(race), f"/races/{race.id}", now, race.ends_at)
            for race in await self._races.ends()
        ]
        return sorted(entries, key=lambda entry: entry.starts_at)


def _race_title(race: RaceEnd) -> Text:
    return _("Race: %(game)s", game=GAMES[race.game].title)


def _of_tournament(info: TournamentInfo, now: datetime) -> Entry:
    terms = info.terms
    starts_at = info.started_at or terms.starts_at or now
    ends_at = info.ends_at
    if ends_at is None and terms.kind is TournamentKind.ARENA:
        ends_at = starts_at + timedelta(minutes=terms.plan.minutes)
    return Entry("tournament", terms.name, f"/tournaments/{info.id}", starts_at, ends_at)


def to_ical(entries: list[Entry], site_url: str, now: datetime) -> bytes:
    """Return entries as a calendar by RFC 5545 in the reader's language, with links to a site."""
    document = Document()
    document.add("prodid", "-//Gorrion//Calendar//EN")
    document.add("version", "2.0")
    for entry in entries:
        event = Event()
        event.add("uid", f"{entry.path.strip('/').replace('/', '-')}@{site_url.partition('://')[2]}")
        event.add("dtstamp", now)
        event.add("dtstart", entry.starts_at)
        event.add("dtend", entry.ends_at or entry.starts_at + _USUAL)
        title = entry.title.translated() if isinstance(entry.title, Text) else entry.title
        event.add("summary", title)
        event.add("url", f"{site_url}{entry.path}")
        document.add_component(event)
    return bytes(document.to_ical())
