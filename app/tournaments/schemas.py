"""Tournaments in the JSON API."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, Strict

from app import ids
from app.database.ranking import RankedPage
from app.lobby.schemas import Control, control_of
from app.tournaments.queries import PairingInfo, Standing, TournamentInfo
from app.tournaments.terms import Plan, Terms, TournamentKind
from app.web.bodies import RequestBody
from app.web.plain_text import lines, one_line
from engine.clock import control_to_dict
from engine.tournaments.arena import STREAK

MOST_OF_NAME = 60
MOST_OF_DESCRIPTION = 2000
MOST_OF_REASON = 300

_CONTROL: dict[str, Any] = {"kind": "realtime", "limit": 180, "increment": 2}
_REQUEST: dict[str, Any] = {
    "name": "Thursday arena",
    "kind": "arena",
    "game": "jadejack",
    "options": {"size": 9},
    "time_control": _CONTROL,
    "starts_at": "2026-01-01T19:00:00Z",
    "minutes": 45,
    "computers": True,
}
_SHOWN: dict[str, Any] = {
    "id": "k7m2wq9xab",
    "url": "/tournaments/k7m2wq9xab",
    "name": "Thursday arena",
    "description": "",
    "kind": "arena",
    "status": "created",
    "organiser": "wren",
    "game": "jadejack",
    "options": {"size": 9},
    "time_control": _CONTROL,
    "rated": False,
    "starts_at": "2026-01-01T19:00:00Z",
    "ends_at": None,
    "started_at": None,
    "ended_at": None,
    "pause_until": None,
    "players": 12,
    "max_players": 100,
    "round": 0,
    "rounds": None,
    "plan": {
        "minutes": 45,
        "late_games": "count",
        "rounds": 0,
        "pause": 15,
        "groups": 1,
        "promoted": 0,
        "is_double": False,
        "at_once": 0,
        "best_of": 1,
    },
    "rating_min": None,
    "rating_max": None,
    "min_games": 0,
    "team": None,
    "has_password": False,
    "computers": True,
    "chat": True,
    "reason": "",
}
_STANDING: dict[str, Any] = {
    "rank": 1,
    "username": "wren",
    "is_computer": False,
    "rating": 1612,
    "group": 0,
    "points": 14.0,
    "tie_breaks": [5.0],
    "games": 6,
    "wins": 5,
    "on_fire": True,
    "status": "active",
    "game_id": "x3p8mk2rtz",
}
_PAIRING: dict[str, Any] = {
    "round": 1,
    "board": 1,
    "leg": 1,
    "group": 0,
    "first": "wren",
    "second": "robin",
    "game_id": "x3p8mk2rtz",
    "outcome": "first",
    "is_played": True,
}

_ENTRY: dict[str, Any] = {
    "kind": "tournament",
    "title": "Thursday arena",
    "path": "/tournaments/k7m2wq9xab",
    "starts_at": "2026-01-01T19:00:00Z",
    "ends_at": "2026-01-01T19:45:00Z",
}
_SEASON_ROW: dict[str, Any] = {"rank": 1, "username": "wren", "points": 58, "events": 3}

Password = Annotated[str, Field(max_length=128)]


class TournamentRequest(RequestBody):
    """A tournament to make.

    Without `starts_at` it starts when `max_players` have joined. `minutes` and `late_games` (those running at
    the end count, or are void) are for arenas; `rounds` for Swiss tournaments; `pause` (seconds) for
    real-time rounds; `groups`, the `promoted` of each one, `double` and `at_once` (correspondence games of a
    player at a time, 0: all) for round robins; `best_of` for knock-outs. `min_games` are rated games at the
    game. `computers`: programs may join. `team`: the id of the only team whose members may join.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_REQUEST]})

    name: Annotated[str, Field(min_length=3, max_length=MOST_OF_NAME), AfterValidator(one_line)]
    kind: Annotated[TournamentKind, Strict(False)]
    game: Annotated[str, Field(max_length=32)]
    options: Annotated[dict[str, int], Field(default_factory=dict)]
    time_control: Control
    rated: bool = False
    starts_at: Annotated[AwareDatetime, Strict(False)] | None = None
    minutes: int = 0
    late_games: Literal["count", "void"] = "count"
    rounds: int = 0
    pause: int = 15
    groups: int = 1
    promoted: int = 0
    double: bool = False
    at_once: int = 0
    best_of: int = 1
    max_players: int = 0
    rating_min: int | None = None
    rating_max: int | None = None
    min_games: int = 0
    team: Annotated[str, Field(pattern=rf"^{ids.PATTERN}$")] | None = None
    computers: bool = False
    chat: bool = True
    description: Annotated[str, Field(max_length=MOST_OF_DESCRIPTION), AfterValidator(lines)] = ""

    @property
    def terms(self) -> Terms:
        """Return the terms of the tournament. Raise InvalidError `bad_time_control`."""
        plan = Plan(
            minutes=self.minutes,
            late_games=self.late_games,
            rounds=self.rounds,
            pause=self.pause,
            groups=self.groups,
            promoted=self.promoted,
            is_double=self.double,
            at_once=self.at_once,
            best_of=self.best_of,
        )
        return Terms(
            name=self.name,
            kind=self.kind,
            game=self.game,
            options=self.options,
            control=control_of(self.time_control),
            rated=self.rated,
            plan=plan,
            starts_at=self.starts_at,
            max_players=self.max_players,
            rating_min=self.rating_min,
            rating_max=self.rating_max,
            min_games=self.min_games,
            team_id=self.team,
            computers=self.computers,
            chat=self.chat,
            description=self.description,
        )


class NewTournament(TournamentRequest):
    """A tournament to make, with a `password` that players need to join if there is one."""

    password: Password | None = None


class JoinRequest(RequestBody):
    """The password of a tournament that has one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"password": "nightingale"}]})

    password: Password | None = None


class CancelRequest(RequestBody):
    """Why a tournament is cancelled, as its page shows it."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"reason": "Too few of us have time."}]})

    reason: Annotated[str, Field(max_length=MOST_OF_REASON), AfterValidator(one_line)]


class TournamentMade(BaseModel):
    """A new tournament."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"id": "k7m2wq9xab", "url": "/tournaments/k7m2wq9xab"}]}
    )

    id: str
    url: str


class TournamentShown(TournamentMade):
    """A tournament with its terms. `players` is their number, `rounds` null while it is unknown."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SHOWN]})

    name: str
    description: str
    kind: TournamentKind
    status: str
    organiser: str | None
    game: str
    options: dict[str, int]
    time_control: Control
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
    plan: dict[str, int | bool | str]
    rating_min: int | None
    rating_max: int | None
    min_games: int
    team: str | None
    has_password: bool
    computers: bool
    chat: bool
    reason: str

    @classmethod
    def of(cls, info: TournamentInfo) -> "TournamentShown":
        """Return a tournament as the API shows it."""
        terms = info.terms
        return cls.model_validate(
            {
                "id": info.id,
                "url": f"/tournaments/{info.id}",
                "name": terms.name,
                "description": terms.description,
                "kind": terms.kind,
                "status": info.status,
                "organiser": info.organiser,
                "game": terms.game,
                "options": dict(terms.options),
                "time_control": control_to_dict(terms.control),
                "rated": terms.rated,
                "starts_at": terms.starts_at,
                "ends_at": info.ends_at,
                "started_at": info.started_at,
                "ended_at": info.ended_at,
                "pause_until": info.pause_until,
                "players": info.size,
                "max_players": terms.max_players,
                "round": info.round,
                "rounds": info.rounds,
                "plan": terms.plan.to_dict(),
                "rating_min": terms.rating_min,
                "rating_max": terms.rating_max,
                "min_games": terms.min_games,
                "team": terms.team_id,
                "has_password": info.has_password,
                "computers": terms.computers,
                "chat": terms.chat,
                "reason": info.reason,
            }
        )


class TournamentList(BaseModel):
    """A page of tournaments, and the cursor of the next one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"tournaments": [_SHOWN], "next": None}]})

    tournaments: list[TournamentShown]
    next: str | None

    @classmethod
    def of(cls, page: RankedPage[TournamentInfo]) -> "TournamentList":
        """Return a page of a list as the API shows it."""
        return cls(tournaments=[TournamentShown.of(info) for info in page.rows], next=page.next)


class StandingShown(BaseModel):
    """A row of the standings.

    The tie-breaks of a Swiss tournament are Buchholz cut 1, Buchholz, Sonneborn-Berger, head to head and
    wins; those of a round robin the last three; that of an arena the wins. `on_fire`: points count double.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_STANDING]})

    rank: int
    username: str
    is_computer: bool
    rating: int
    group: int
    points: float
    tie_breaks: list[float]
    games: int
    wins: int
    on_fire: bool
    status: str
    game_id: str | None

    @classmethod
    def of(cls, row: Standing) -> "StandingShown":
        """Return a row of the standings as the API shows it."""
        return cls(
            rank=row.rank,
            username=row.username,
            is_computer=row.is_computer,
            rating=row.rating,
            group=row.group,
            points=row.points,
            tie_breaks=list(row.tie_breaks),
            games=row.games,
            wins=row.wins,
            on_fire=row.streak >= STREAK,
            status=row.status,
            game_id=row.game_id,
        )


class Standings(BaseModel):
    """A page of the standings, and the cursor of the next one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"rows": [_STANDING], "next": None}]})

    rows: list[StandingShown]
    next: str | None

    @classmethod
    def of(cls, page: RankedPage[Standing]) -> "Standings":
        """Return a page of the standings as the API shows it."""
        return cls(rows=[StandingShown.of(row) for row in page.rows], next=page.next)


class PairingShown(BaseModel):
    """A pairing, in the order of the sides; `second` null is a bye.

    `outcome` is first, second (who has won), draw or neither, and null until it is decided. `is_played` is
    false if a player did not turn up.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_PAIRING]})

    round: int
    board: int
    leg: int
    group: int
    first: str
    second: str | None
    game_id: str | None
    outcome: str | None
    is_played: bool

    @classmethod
    def of(cls, pairing: PairingInfo) -> "PairingShown":
        """Return a pairing as the API shows it."""
        return cls(
            round=pairing.round,
            board=pairing.board,
            leg=pairing.leg,
            group=pairing.group,
            first=pairing.first.username,
            second=pairing.second.username if pairing.second else None,
            game_id=pairing.game_id,
            outcome=pairing.outcome,
            is_played=pairing.is_played,
        )


class Rounds(BaseModel):
    """The pairings of a tournament by rounds; of an arena, the latest ones."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"pairings": [_PAIRING]}]})

    pairings: list[PairingShown]


class CalendarEntry(BaseModel):
    """Something that takes place: a `tournament`, a `competition` or a `race`. `path` is that of its page."""

    model_config = ConfigDict(json_schema_extra={"examples": [_ENTRY]}, from_attributes=True)

    kind: str
    title: str
    path: str
    starts_at: datetime
    ends_at: datetime | None


class CalendarShown(BaseModel):
    """What goes on now and what comes, by the start."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"entries": [_ENTRY]}]})

    entries: list[CalendarEntry]


class SeasonList(BaseModel):
    """The seasons in which there were points, the latest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"seasons": ["2026-4", "2026-3"]}]})

    seasons: list[str]


class SeasonRowShown(BaseModel):
    """A row of a season's table. `events` counts the tournaments and competitions with points."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SEASON_ROW]}, from_attributes=True)

    rank: int
    username: str
    points: int
    events: int


class SeasonTable(BaseModel):
    """A page of a season's table, and the cursor of the next one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"rows": [_SEASON_ROW], "next": None}]})

    rows: list[SeasonRowShown]
    next: str | None
