"""Plain values that the templates of tournaments draw."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from app.compete.tournaments.queries.pairings import PairingShown
from app.compete.tournaments.queries.standings import StandingShown
from app.compete.tournaments.queries.tournaments import TournamentInfo
from app.compete.tournaments.tables import Crosstable, Match
from app.core.i18n.text import Text
from app.core.web.shown import example
from app.play.games.views import MiniView


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament in a list."""

    id: str
    name: str
    summary: Sequence[Text]
    players: Text
    info: TournamentInfo


@dataclass(frozen=True, slots=True)
class PastView:
    """A page of the tournaments that are over; `next` is the cursor of the next one."""

    rows: Sequence[TournamentRow]
    next: str | None


@dataclass(frozen=True, slots=True)
class ListsView:
    """The tournaments that are played and that come; `next` is the cursor of those that come later."""

    running: Sequence[TournamentRow]
    coming: Sequence[TournamentRow]
    filling: Sequence[TournamentRow]
    next: str | None


@dataclass(frozen=True, slots=True)
class StandingsView:
    """A page of the standings; `number` counts pages."""

    rows: Sequence[StandingShown]
    tie_breaks: Sequence[tuple[Text, Text]]
    has_groups: bool
    number: int
    has_more: bool
    streak: int  # the wins in a row from which points count double; 0 if they never do


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A pairing, with its result in words."""

    pairing: PairingShown
    result: Text


@dataclass(frozen=True, slots=True)
class RoundsView:
    """The pairings of a round (0: the latest ones of an arena), and what shows all rounds at once.

    `has_more` is whether the round has more pairings than `rows`.
    """

    number: int
    numbers: Sequence[int]
    rows: Sequence[PairingRow]
    has_more: bool
    crosstables: Sequence[Crosstable]
    bracket: Sequence[Sequence[Match]]


@dataclass(frozen=True, slots=True)
class OwnView:
    """How the viewer stands in a tournament, and what they may do."""

    standing: StandingShown | None
    games: Sequence[tuple[str, str]]  # the games under way: id and opponent
    is_out: bool
    is_finalist: bool
    awaits_final: bool  # after all games in a group
    sits_out: bool  # of the round that is played
    awaits_game: bool  # in real time, which opens on the page
    may_join: bool
    may_come_back: bool
    needs_password: bool
    may_pause: bool
    may_withdraw: bool
    may_switch_chat: bool
    may_edit: bool
    may_cancel: bool


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """What everybody sees of a tournament."""

    info: TournamentInfo
    kind: Text
    explained: Text
    facts: Sequence[tuple[Text, Text]]
    reason: str
    podium: Sequence[StandingShown]
    standings: StandingsView
    rounds: RoundsView
    featured: MiniView | None


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """Something that takes place: a `tournament`, a `competition` or a `race`. `path` is that of its page."""

    kind: Annotated[str, example("tournament")]
    title: Annotated[str, example("Thursday arena")]
    path: Annotated[str, example("/tournaments/k7m2wq9xab")]
    starts_at: datetime
    ends_at: datetime | None


@dataclass(frozen=True, slots=True)
class EntryRow:
    """Something that takes place, with its kind in words."""

    entry: CalendarEntry
    kind: Text


@dataclass(frozen=True, slots=True)
class Day:
    """What begins on a day, or (without a date) what goes on now."""

    date: date | None
    rows: Sequence[EntryRow]


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A game of a player in a tournament. `points` is None until it has ended."""

    round: int
    opponent: str | None
    side: str
    points: float | None
    result: Text
    game_id: str | None
