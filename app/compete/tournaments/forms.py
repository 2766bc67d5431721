"""What the forms and the addresses of tournaments' pages send, and the fields of the form as it is shown."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated, Literal, Self
from urllib.parse import urlencode

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)

from app.compete.tournaments.schemas import MOST_OF_REASON, Password, TermsFields
from app.compete.tournaments.terms import TournamentKind, TournamentPlan, TournamentTerms, members_of
from app.core.errors import AppError, FieldError
from app.core.i18n.text import Text
from app.core.moments import utc_now
from app.core.web.forms import Submission, form_errors
from app.core.web.params import Cursor, OwnPlace, PageNumber, QueryId
from app.core.web.plain_text import Cleaned, one_line, words
from app.play.lobby.forms import DEFAULT_GAME, GameForm, GameKey, blank
from engine.clock import Byoyomi, Correspondence, DaysBank, PerMove, Realtime, TimeControl

_FIELDS = {"minutes": "length", "rounds": "swiss_rounds", "time_control": "clock"}
"""The fields of the form that set terms of other names, which options and clocks of games have, too."""


Start = Literal["5", "15", "60", "at", "full"]
"""When a tournament starts: in some minutes, at a moment, or as soon as it is full."""


def _in_utc(moment: str) -> str:
    return f"{moment}Z"


class PageShown(BaseModel):
    """Which page of the standings and which round a page shows; without a round, the current one."""

    model_config = ConfigDict(frozen=True)

    number: PageNumber = 1
    round: Annotated[int, Field(ge=1, le=1000)] | None = None
    at: OwnPlace = ""

    @property
    def query(self) -> str:
        """Return the query string of the address, with its question mark; empty for the first page."""
        members = self.model_dump(exclude_defaults=True)
        return f"?{urlencode(members)}" if members else ""


class LiveShown(PageShown):
    """What an open page showed when it was sent: that, and whether the viewer had a game under way."""

    has_game: bool = False


class ListShown(BaseModel):
    """Which tournaments a page lists: what is over, or its lists, each after a cursor."""

    when: Literal["", "past"] = ""
    cursor: Cursor = ""  # of those that are over, or that come
    running: Cursor = ""
    filling: Cursor = ""

    @property
    def is_first(self) -> bool:
        """Return whether all lists begin with their first pages, which are kept up to date."""
        return not (self.cursor or self.running or self.filling)


class CancelForm(BaseModel):
    """Why a tournament is cancelled, as its page shows it; those who may not say so send none."""

    reason: Annotated[str, Field(min_length=3, max_length=MOST_OF_REASON), Cleaned(one_line)] = ""


class NewShown(BaseModel):
    """The kind, the game and the team (its id, if any) that are chosen for a new tournament."""

    kind: TournamentKind | None = None
    game: GameKey = DEFAULT_GAME
    team: QueryId = ""


class TournamentForm(TermsFields, GameForm):
    """A tournament to make or to change. Moments are in UTC; only the fields of its kind are sent."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=False)

    starts: Start = "at"
    starts_at: Annotated[AwareDatetime, BeforeValidator(_in_utc)] | None = None
    chat: bool = False
    password: Password | None = None
    left_out: Annotated[str, Cleaned(words)] = ""

    @model_validator(mode="after")
    def _choose_start(self) -> Self:
        if self.starts == "full":
            self.starts_at = None
        elif self.starts != "at":
            self.starts_at = utc_now() + timedelta(minutes=int(self.starts))
        return self

    @property
    def has_seen(self) -> frozenset[str]:
        """Return the players of whom the form has said that the changes leave them out."""
        return frozenset(self.left_out.split())


def changed(submission: Submission, stored: TournamentTerms) -> TournamentTerms:
    """Return the terms to which a form changes those that are stored by now.

    Raise InvalidFormError, ConflictError as `merged` does, and as `TermsFields.terms` does.
    """
    values = dict(submission.values)
    if values.get("starts", "at") != "at":
        values["starts_at"] = ""  # another start than that moment was chosen
    return Submission(values).rebased(values_of(stored)).parse(TournamentForm).terms


def terms_errors(error: AppError) -> Mapping[str, Text]:
    """Return what a page shows of an error that stopped the form of a tournament: messages by field."""
    if isinstance(error, FieldError):
        return {_FIELDS.get(error.field, error.field): error.message}
    if error.code == "not_a_member":
        return {"team": error.message}
    return form_errors(error)


def proposed(kind: TournamentKind, game: str, team_id: str | None = None) -> dict[str, str]:
    """Return the fields of a new tournament of a kind, at a game or at the first one if it is unknown."""
    control, plan = Realtime(300, 3), TournamentPlan(minutes=60, rounds=5)
    terms = TournamentTerms("", kind, game, {}, control, plan=plan, team_id=team_id)
    return {**values_of(terms), "max_players": "", "starts": "15"}


def entered(values: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a form that was sent, which leaves out the boxes that are not ticked."""
    kind = next((kind for kind in TournamentKind if kind == values.get("kind")), TournamentKind.ARENA)
    boxes = dict.fromkeys(("is_double", "computers", "chat"), "")
    return {**proposed(kind, values.get("game", "")), **boxes, **values, "kind": kind}


def values_of(terms: TournamentTerms) -> dict[str, str]:
    """Return the fields with the terms of a tournament."""
    plan = terms.plan
    named = {"length": plan.minutes, "swiss_rounds": plan.rounds, "team": terms.team_id}
    members = members_of(TournamentTerms, terms) | members_of(TournamentPlan, plan) | named
    values = {name: members[name] for name in TermsFields.model_fields} | dict(terms.options)
    values |= {"starts": "at" if terms.starts_at else "full", **_clock_values(terms.control)}
    return {**blank(terms.game), **{name: _text(value) for name, value in values.items()}, "password": ""}


def _text(value: object) -> str:
    match value:
        case None | False:
            return ""
        case True:
            return "yes"
        case datetime():
            return value.strftime("%Y-%m-%dT%H:%M")
    return str(value)


def _clock_values(control: TimeControl | None) -> dict[str, object]:
    match control:
        case Realtime(limit, increment):
            return {"clock": "realtime", "minutes": f"{limit / 60:g}", "increment": increment}
        case Byoyomi(limit, periods, period):
            return {"clock": "byoyomi", "main": f"{limit / 60:g}", "periods": periods, "period": period}
        case PerMove(seconds):
            return {"clock": "per_move", "seconds": seconds}
        case Correspondence(days, weekends_off):
            return {"clock": "correspondence", "days": days, "weekends_off": weekends_off}
        case DaysBank(days, bonus, most, weekends_off):
            rest = {"bonus": bonus, "most": most, "weekends_off": weekends_off}
            return {"clock": "days_bank", "start": days, **rest}
    return {}
