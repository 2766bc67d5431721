"""What the forms and the addresses of tournaments' pages send."""

from collections.abc import Mapping
from datetime import UTC
from typing import Annotated, Literal
from urllib.parse import urlencode

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, NaiveDatetime

from app.errors import AppError
from app.i18n.text import Text
from app.lobby.forms import DEFAULT_GAME, GameForm, GameKey
from app.tournaments.schemas import MOST_OF_DESCRIPTION, MOST_OF_NAME, MOST_OF_REASON, Password
from app.tournaments.terms import Plan, Terms, TournamentKind
from app.web.forms import form_errors
from app.web.params import OwnPlace
from app.web.plain_text import lines, one_line

_FIELDS = {"minutes": "length", "rounds": "swiss_rounds", "time_control": "clock"}
"""The fields of the form that set terms of other names, which options and clocks of games have, too."""


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


class ListShown(BaseModel):
    """Which tournaments a list shows."""

    when: Literal["", "past"] = ""


class JoinForm(BaseModel):
    """The password of a tournament, if it has one."""

    password: Password | None = None


class CancelForm(BaseModel):
    """Why a tournament is cancelled, as its page shows it."""

    reason: Annotated[str, Field(min_length=3, max_length=MOST_OF_REASON), AfterValidator(one_line)]


class NewShown(BaseModel):
    """The kind and the game that are chosen for a new tournament."""

    kind: TournamentKind | None = None
    game: GameKey = DEFAULT_GAME


class TournamentForm(GameForm):
    """A tournament to make or to change. Moments are in UTC; only the fields of its kind are sent."""

    kind: TournamentKind
    name: Annotated[str, Field(min_length=3, max_length=MOST_OF_NAME), AfterValidator(one_line)]
    description: Annotated[str, Field(max_length=MOST_OF_DESCRIPTION), AfterValidator(lines)] = ""
    rated: bool = False
    starts_at: NaiveDatetime | None = None
    max_players: int = 0
    length: int = 0
    late_games: Literal["count", "void"] = "count"
    swiss_rounds: int = 0
    pause: int = 15
    groups: int = 1
    promoted: int = 0
    is_double: bool = False
    at_once: int = 0
    best_of: int = 1
    rating_min: int | None = None
    rating_max: int | None = None
    min_games: int = 0
    computers: bool = False
    password: Password | None = None

    @property
    def terms(self) -> Terms:
        """Return the terms of the tournament. Raise FieldError `bad_time_control`."""
        plan = Plan(
            minutes=self.length,
            late_games=self.late_games,
            rounds=self.swiss_rounds,
            pause=self.pause,
            groups=self.groups,
            promoted=self.promoted,
            is_double=self.is_double,
            at_once=self.at_once,
            best_of=self.best_of,
        )
        return Terms(
            name=self.name,
            kind=self.kind,
            game=self.game,
            options=self.options,
            control=self.control,
            rated=self.rated,
            plan=plan,
            starts_at=self.starts_at.replace(tzinfo=UTC) if self.starts_at else None,
            max_players=self.max_players,
            rating_min=self.rating_min,
            rating_max=self.rating_max,
            min_games=self.min_games,
            computers=self.computers,
            description=self.description,
        )


def terms_errors(error: AppError) -> Mapping[str, Text]:
    """Return what a page shows of an error that stopped the form of a tournament: messages by field."""
    return {_FIELDS.get(field, field): message for field, message in form_errors(error).items()}
