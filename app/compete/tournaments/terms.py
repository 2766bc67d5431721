"""The terms of tournaments as values, and which ones are offered."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import blake2b
from typing import Any, Literal

from app.core import json
from app.core.errors import FieldError
from app.core.i18n.text import Text, _
from app.people.eligibility import EntryConditions
from app.play.games import creation
from app.play.lobby.challenges import RATINGS
from engine.clock import CommonDeadline, TimeControl, control_to_dict, is_realtime
from engine.tournaments.knock_out import BEST_OF
from engine.tournaments.round_robin import MOST as MOST_IN_GROUP

CALLED = "is_called"
"""The member of a stored plan that says that the tournament got its start when it was full."""

MINUTES = range(20, 241)
ROUNDS = range(3, 14)
GROUPS = range(1, 9)
PAUSES = range(5, 601)
"""Seconds between the rounds of a real-time tournament."""
_FARTHEST = timedelta(days=120)
LONGEST_WAIT = timedelta(days=30)
"""How long a tournament without a start waits for its players."""
PROMOTED = range(5)
AT_ONCE = range(MOST_IN_GROUP)
GAMES_BEFORE = range(1_001)
"""Rated games that a player may need to have played."""
_NAMES_OF_SERIES: Mapping[str, Text] = {
    str(name): name for name in (_("Hourly arena"), _("Daily arena"), _("Weekly arena"))
}


class TournamentKind(StrEnum):
    """How a tournament is played."""

    ARENA = "arena"
    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    KNOCK_OUT = "knockout"
    SIMUL = "simul"


ALL_PRESENT = (TournamentKind.ARENA, TournamentKind.SIMUL)
"""The kinds in which all players are present: they have a start and real-time clocks."""

MOST_PLAYERS: Mapping[TournamentKind, int] = {
    TournamentKind.ARENA: 2_000,
    TournamentKind.SWISS: 512,
    TournamentKind.ROUND_ROBIN: GROUPS[-1] * MOST_IN_GROUP,
    TournamentKind.KNOCK_OUT: 256,
    TournamentKind.SIMUL: 50,
}
"""The most players of each kind."""

FEWEST_PLAYERS: Mapping[TournamentKind, int] = {
    TournamentKind.ARENA: 0,
    TournamentKind.SWISS: 2,
    TournamentKind.ROUND_ROBIN: 3,
    TournamentKind.KNOCK_OUT: 2,
    TournamentKind.SIMUL: 2,
}
"""The players without which a tournament is cancelled at its start; an arena waits for them."""


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """What only some kinds of tournaments need; the others leave it at the defaults.

    An arena takes `minutes`, and games still running at its end `count`, or are `void`. `pause` are the
    seconds between real-time rounds. The best `promoted` of each group of a round robin play a final one;
    `at_once` are the correspondence games that each player has at a time, 0 for all. A match of a knock-out
    is the best of `best_of` games.
    """

    minutes: int = 0
    late_games: Literal["count", "void"] = "count"
    rounds: int = 0
    pause: int = 15
    groups: int = 1
    promoted: int = 0
    is_double: bool = False
    at_once: int = 0
    best_of: int = 1

    @classmethod
    def from_dict(cls, members: Mapping[str, Any]) -> "TournamentPlan":
        """Return a plan as stored, which is `asdict` of it."""
        known = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in members.items() if name in known})


@dataclass(frozen=True, slots=True)
class TournamentTerms:
    """What is played in a tournament, when, and who may join.

    Without `starts_at` it gets its start when `max_players` have joined: `is_called` says that it got it like
    that, as was agreed. `min_games` are rated games at its game. `computers` says whether programs may join.
    """

    name: str
    kind: TournamentKind
    game: str
    options: Mapping[str, int]
    control: TimeControl | None
    rated: bool = False
    plan: TournamentPlan = field(default_factory=TournamentPlan)
    starts_at: datetime | None = None
    max_players: int = 0
    rating_min: int | None = None
    rating_max: int | None = None
    min_games: int = 0
    team_id: str | None = None
    computers: bool = False
    chat: bool = True
    description: str = ""
    is_called: bool = False

    @property
    def fingerprint(self) -> str:
        """Return a short name of what players agree to when they join; other terms have another one."""
        agreed = {
            "kind": self.kind,
            "game": self.game,
            "options": dict(sorted(self.options.items())),
            "control": control_to_dict(self.control),
            "rated": self.rated,
            "plan": asdict(self.plan),
            "starts_at": None if self.starts_at is None or self.is_called else self.starts_at.timestamp(),
        }
        return blake2b(json.encode(agreed), digest_size=8).hexdigest()

    @property
    def is_realtime(self) -> bool:
        """Return whether its games have real-time clocks."""
        return is_realtime(self.control)

    @property
    def is_all_at_once(self) -> bool:
        """Return whether the games of all rounds are played at the same time."""
        return self.kind is TournamentKind.ROUND_ROBIN and not self.is_realtime

    @property
    def has_groups(self) -> bool:
        """Return whether the players are dealt out to groups."""
        return self.kind is TournamentKind.ROUND_ROBIN and self.plan.groups > 1

    @property
    def has_final(self) -> bool:
        """Return whether the best of each group play a final."""
        return self.has_groups and self.plan.promoted > 0

    @property
    def has_few_places(self) -> bool:
        """Return whether fewer players may join than its kind allows."""
        return self.max_players < _most_players(self)

    @property
    def conditions(self) -> EntryConditions:
        """Return what is asked of the players."""
        return EntryConditions(**members_of(EntryConditions, self))


def name_of(name: str, series: str | None) -> str:
    """Return the name of a tournament as it is shown: a text if it is one of the usual series."""
    return name if series is None else _NAMES_OF_SERIES.get(name, name)


def members_of(kind: Any, source: object) -> dict[str, Any]:
    """Return the members of a dataclass that an object has, too: terms are stored and sent by these names."""
    names = (each.name for each in fields(kind))
    return {name: getattr(source, name) for name in names if hasattr(source, name)}


def checked(terms: TournamentTerms, now: datetime, *, most: int) -> TournamentTerms:
    """Return terms with complete options and a start in `whole_minutes`, for at most `most` players.

    They may ask for fewer, and have to say how many if they have no start: the tournament then starts when
    all of them have joined.

    Raise FieldError for what is not offered, InvalidError for an unknown game or its options.
    """
    rules = creation.rules_of(terms.game, 2)
    options = creation.complete_options(rules, terms.options)
    if terms.rated:
        creation.check_rated(rules, options)
    complete = replace(
        terms,
        options=options,
        max_players=terms.max_players or min(most, _most_players(terms)),
    )
    _check_clock(complete)
    _check_plan(complete)
    _check_start(terms, now)
    _check_players(complete)
    return replace(complete, starts_at=terms.starts_at and whole_minutes(terms.starts_at))


def whole_minutes(at: datetime) -> datetime:
    """Return a moment rounded up to whole minutes: forms send back what they show, and show no more."""
    minute = at.replace(second=0, microsecond=0)
    return minute if minute == at else minute + timedelta(minutes=1)


def _most_players(terms: TournamentTerms) -> int:
    if terms.kind is TournamentKind.ROUND_ROBIN:
        return terms.plan.groups * MOST_IN_GROUP
    return MOST_PLAYERS[terms.kind]


def _check_clock(terms: TournamentTerms) -> None:
    if terms.control is None or isinstance(terms.control, CommonDeadline):
        raise FieldError("time_control", "bad_time_control", _("Choose a clock for the games."))
    if terms.kind in ALL_PRESENT and not terms.is_realtime:
        raise FieldError(
            "time_control", "bad_time_control", _("Choose a real-time clock: all players are present.")
        )


def _check_plan(terms: TournamentTerms) -> None:
    plan = terms.plan
    if terms.kind is TournamentKind.ARENA:
        _check("minutes", plan.minutes, MINUTES, _("Choose from %(least)s to %(most)s minutes for an arena."))
    if terms.kind is TournamentKind.SWISS:
        _check(
            "rounds",
            plan.rounds,
            ROUNDS,
            _("Choose from %(least)s to %(most)s rounds for a Swiss tournament."),
        )
    if terms.kind is TournamentKind.KNOCK_OUT:
        choices = ", ".join(map(str, BEST_OF))
        message = _("Choose one of these numbers of games for a match: %(choices)s.", choices=choices)
        _check("best_of", plan.best_of, BEST_OF, message)
    _check("pause", plan.pause, PAUSES, _("Choose a pause of %(least)s to %(most)s seconds between rounds."))
    _check("groups", plan.groups, GROUPS, _("Choose from %(least)s to %(most)s groups."))
    _check(
        "promoted", plan.promoted, PROMOTED, _("Let at most %(most)s players of each group reach the final.")
    )
    _check("at_once", plan.at_once, AT_ONCE, _("Choose at most %(most)s games at a time, or all."))


def _check_start(terms: TournamentTerms, now: datetime) -> None:
    if terms.starts_at is None:
        if terms.kind in ALL_PRESENT:
            raise FieldError("starts_at", "bad_start", _("Choose when the tournament starts."))
        if not terms.max_players:
            raise FieldError(
                "max_players", "bad_max_players", _("Choose with how many players it starts, or when.")
            )
    elif not now < terms.starts_at <= now + _FARTHEST:
        raise FieldError(
            "starts_at", "bad_start", _("Choose a start within the next %(days)s days.", days=_FARTHEST.days)
        )


def _check_players(terms: TournamentTerms) -> None:
    fewest = max(2, FEWEST_PLAYERS[terms.kind])
    possible = range(fewest, _most_players(terms) + 1)
    _check("max_players", terms.max_players, possible, _("Choose from %(least)s to %(most)s players."))
    for name in ("rating_min", "rating_max"):
        limit = getattr(terms, name)
        if limit is not None:
            _check(name, limit, RATINGS, _("Choose a rating from %(least)s to %(most)s."))
    if terms.rating_min is not None and terms.rating_max is not None and terms.rating_min > terms.rating_max:
        raise FieldError(
            "rating_max", "bad_rating_max", _("The highest rating must not be below the lowest one.")
        )
    _check("min_games", terms.min_games, GAMES_BEFORE, _("Choose at most %(most)s games."))


def _check(name: str, value: int, possible: range | tuple[int, ...], message: Text) -> None:
    """Raise FieldError unless a value is possible. The message has the placeholders `least` and `most`."""
    if value not in possible:
        limits = {"least": possible[0], "most": possible[-1]}
        raise FieldError(name, f"bad_{name}", _(message.message, **message.values, **limits))
