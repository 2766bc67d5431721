"""What programs send about tournaments (forms have the same fields), and what they get."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, Field, Strict

from app.compete.tournaments.calendar import CalendarEntry
from app.compete.tournaments.queries import TournamentInfo
from app.compete.tournaments.standings import PairingShown, StandingShown
from app.compete.tournaments.terms import (
    AT_ONCE,
    GAMES_BEFORE,
    GROUPS,
    MINUTES,
    PAUSES,
    PROMOTED,
    ROUNDS,
    TournamentKind,
    TournamentPlan,
    TournamentTerms,
    members_of,
)
from app.core import ids
from app.core.database.rank_order import RankedPage
from app.core.web.bodies import RequestBody
from app.core.web.params import RankedList
from app.core.web.plain_text import SHORTEST_TITLE, Cleaned, lines, one_line, words
from app.core.web.registered import GameKey, Options, one_of, within
from app.core.web.shown import Id, NextCursor, Text, Unchecked, Username, example
from app.play.lobby.challenges import RATINGS
from app.play.lobby.schemas import Control, ControlShown, control_of
from engine.clock import TimeControl
from engine.tournaments.knock_out import BEST_OF

MOST_OF_NAME = 60
MOST_OF_DESCRIPTION = 2000
MOST_OF_REASON = 300


Password = Annotated[str, Field(max_length=128, examples=["nightingale"])]


class TermsFields(BaseModel):
    """The terms of a tournament, but for its game and clock, which forms and programs send differently.

    Both have these as `game`, `options` and `control`. Forms send the fields by their names here, since those
    of the game and the clock have `minutes` and `rounds`, too; programs by their aliases.
    """

    kind: Annotated[TournamentKind, Strict(False)]
    name: Annotated[
        str,
        Field(min_length=SHORTEST_TITLE, max_length=MOST_OF_NAME, examples=["Thursday arena"]),
        Cleaned(words),
    ]
    description: Annotated[str, Field(max_length=MOST_OF_DESCRIPTION), Cleaned(lines)] = ""
    rated: bool = False
    starts_at: Annotated[AwareDatetime, Strict(False), Field(examples=["2026-11-26T19:00:00Z"])] | None = None
    max_players: int = 0
    length: Annotated[int, Field(validation_alias="minutes", examples=[60]), within(range(MINUTES.stop))] = 0
    late_games: Literal["count", "void"] = "count"
    swiss_rounds: Annotated[int, Field(validation_alias="rounds"), within(range(ROUNDS.stop))] = 0
    pause: Annotated[int, within(PAUSES)] = 15
    groups: Annotated[int, within(GROUPS)] = 1
    promoted: Annotated[int, within(PROMOTED)] = 0
    is_double: Annotated[bool, Field(validation_alias="double")] = False
    at_once: Annotated[int, within(AT_ONCE)] = 0
    best_of: Annotated[int, one_of(*BEST_OF)] = 1
    rating_min: Annotated[int, within(RATINGS)] | None = None
    rating_max: Annotated[int, within(RATINGS)] | None = None
    min_games: Annotated[int, within(GAMES_BEFORE)] = 0
    team: Annotated[str, Field(pattern=rf"^{ids.PATTERN}$")] | None = None
    computers: bool = False
    chat: bool = True

    @property
    def plan(self) -> TournamentPlan:
        """Return what only some kinds need."""
        return TournamentPlan(
            **members_of(TournamentPlan, self) | {"minutes": self.length, "rounds": self.swiss_rounds}
        )

    @property
    def terms(self) -> TournamentTerms:
        """Return the terms of the tournament. Raise FieldError or InvalidError `bad_time_control`."""
        return TournamentTerms(**members_of(TournamentTerms, self), team_id=self.team)


class TournamentRequest(TermsFields, RequestBody):
    """A tournament to make.

    `starts_at` is rounded up to a minute. Without one it needs `max_players`: it starts when so many have
    joined, in real time five minutes later, and is cancelled if they have not after 30 days. `minutes` and
    `late_games` (those running at the end count, or are void) are for arenas; `rounds` for Swiss tournaments;
    `pause` (seconds) for real-time rounds; `groups`, the `promoted` of each one, `double` and `at_once`
    (correspondence games of a player at a time, 0: all) for round robins; `best_of` for knock-outs.
    `min_games` are rated games at the game. `computers`: programs may join. `team`: the id of the only team
    whose members may join.
    """

    game: GameKey
    options: Annotated[Options, Field(default_factory=dict)]
    time_control: Control

    @property
    def control(self) -> TimeControl | None:
        """Return the clock. Raise InvalidError `bad_time_control`."""
        return control_of(self.time_control)


class NewTournament(TournamentRequest):
    """A tournament to make, with a `password` that players need to join if there is one."""

    password: Password | None = None


class EntryRequest(RequestBody):
    """The password of a tournament that has one.

    With `terms`, only if these are still those of the tournament.
    """

    password: Password | None = None
    terms: Annotated[str, Field(max_length=32, examples=["9f2c41d07be35a68"])] | None = None


class CancelRequest(RequestBody):
    """Why a tournament is cancelled, as its page shows it."""

    reason: Annotated[
        str, Field(max_length=MOST_OF_REASON, examples=["Too few of us have time."]), Cleaned(one_line)
    ]


class ChatSwitch(RequestBody):
    """Whether a tournament has a chat."""

    chat: bool


class TournamentMade(BaseModel):
    """A new tournament."""

    id: Id
    url: Annotated[str, example("/tournaments/k7m2wq9xab")]


class TournamentShown(TournamentMade):
    """A tournament with its terms. `players` is their number, `rounds` null while it is unknown.

    `terms` changes with the kind, the game, its clock, whether it is rated, the plan and the start.
    """

    name: Annotated[str, example("Thursday arena")]
    description: Text
    kind: Unchecked[TournamentKind]
    status: Annotated[str, example("created")]
    organiser: Username | None
    game: GameKey
    options: Options
    time_control: ControlShown
    rated: bool
    starts_at: datetime | None
    ends_at: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    pause_until: datetime | None
    players: int
    max_players: int
    round: int
    rounds: int | None
    plan: Annotated[dict[str, int | bool | str], example(asdict(TournamentPlan(minutes=45)))]
    rating_min: int | None
    rating_max: int | None
    min_games: int
    team: Id | None
    has_password: bool
    computers: bool
    chat: bool
    reason: Text
    terms: Annotated[str, example("9f2c41d07be35a68")]

    @classmethod
    def of(cls, info: TournamentInfo) -> "TournamentShown":
        """Return a tournament as the API shows it."""
        terms = info.terms
        special = {
            "url": f"/tournaments/{info.id}",
            "options": dict(terms.options),
            "time_control": terms.control,
            "players": info.size,
            "rounds": info.rounds,
            "plan": asdict(terms.plan),
            "team": terms.team_id,
            "terms": terms.fingerprint,
        }
        return cls.model_validate(
            members_of(TournamentTerms, terms) | members_of(TournamentInfo, info) | special
        )


class TournamentList(BaseModel):
    """A page of tournaments, and the cursor of the next one."""

    tournaments: list[TournamentShown]
    next: NextCursor | None

    @classmethod
    def of(cls, page: RankedPage[TournamentInfo]) -> "TournamentList":
        """Return a page of a list as the API shows it."""
        return cls(tournaments=[TournamentShown.of(info) for info in page.rows], next=page.next)


class CalendarShown(BaseModel):
    """What goes on now and what comes, by the start."""

    entries: list[CalendarEntry]


class SeasonList(BaseModel):
    """The seasons in which there were points, the latest first."""

    seasons: list[Annotated[str, example("2026-4")]]


class Standings(RankedList[StandingShown]):
    """A page of the standings, and the cursor of the next one."""


class TournamentExport(BaseModel):
    """All about a tournament."""

    tournament: TournamentShown
    standings: Sequence[StandingShown]
    pairings: Sequence[PairingShown]
