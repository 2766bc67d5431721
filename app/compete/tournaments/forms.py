"""What the forms and the addresses of tournaments' pages send."""

from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import urlencode

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from app.compete.tournaments.schemas.terms import MOST_OF_REASON, Password, TermsFields
from app.compete.tournaments.terms import Terms, TournamentKind
from app.core.errors import AppError, FieldError
from app.core.i18n.text import Text
from app.core.web.forms import form_errors
from app.core.web.params import OwnPlace, QueryId
from app.core.web.plain_text import one_line, words
from app.play.lobby.forms import DEFAULT_GAME, GameForm, GameKey

_FIELDS = {"minutes": "length", "rounds": "swiss_rounds", "time_control": "clock"}
"""The fields of the form that set terms of other names, which options and clocks of games have, too."""


def _in_utc(moment: str) -> str:
    return f"{moment}Z"


class Shown(BaseModel):
    """Which page of the standings and which round a page shows; without a round, the current one."""

    model_config = ConfigDict(frozen=True)

    number: Annotated[int, Field(ge=1, le=1000)] = 1
    round: Annotated[int, Field(ge=1, le=1000)] | None = None
    at: OwnPlace = ""

    @property
    def query(self) -> str:
        """Return the query string of the address, with its question mark; empty for the first page."""
        members = self.model_dump(exclude_defaults=True)
        return f"?{urlencode(members)}" if members else ""


class LiveShown(Shown):
    """What an open page showed when it was sent: that, and whether the viewer had a game under way."""

    has_game: bool = False


class ListShown(BaseModel):
    """Which tournaments a list shows."""

    when: Literal["", "past"] = ""


class CancelForm(BaseModel):
    """Why a tournament is cancelled, as its page shows it."""

    reason: Annotated[str, Field(min_length=3, max_length=MOST_OF_REASON), AfterValidator(one_line)]


class NewShown(BaseModel):
    """The kind, the game and the team (its id, if any) that are chosen for a new tournament."""

    kind: TournamentKind | None = None
    game: GameKey = DEFAULT_GAME
    team: QueryId = ""


class TournamentForm(TermsFields, GameForm):
    """A tournament to make or to change. Moments are in UTC; only the fields of its kind are sent."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=False)

    starts_at: Annotated[AwareDatetime, BeforeValidator(_in_utc)] | None = None
    chat: bool = False
    password: Password | None = None
    left_out: Annotated[str, AfterValidator(words)] = ""

    @property
    def has_seen(self) -> frozenset[str]:
        """Return the players of whom the form has said that the changes leave them out."""
        return frozenset(self.left_out.split())

    @property
    def terms(self) -> Terms:
        """Return the terms of the tournament. Raise FieldError `bad_time_control`."""
        return self.terms_of(self.game, self.options, self.control)


def terms_errors(error: AppError) -> Mapping[str, Text]:
    """Return what a page shows of an error that stopped the form of a tournament: messages by field."""
    if isinstance(error, FieldError):
        return {_FIELDS.get(error.field, error.field): error.message}
    if error.code == "not_a_member":
        return {"team": error.message}
    return form_errors(error)
