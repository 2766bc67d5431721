"""What the forms of the lobby send: a new challenge, one-click pairing, and the filter of the list."""

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.core.errors import FieldError
from app.core.i18n.text import Text
from app.core.web.params import TypedName
from app.play.lobby.challenges import QUICK_CONTROLS, RANDOM, ChallengeTerms, Kind
from app.play.lobby.presenter import ChallengeView
from engine.clock import (
    INCREMENTS,
    LIMITS,
    MAIN_TIMES,
    Byoyomi,
    Correspondence,
    DaysBank,
    PerMove,
    Realtime,
    TimeControl,
)
from engine.registry import FOR_TWO
from engine.search.levels import LEVELS, USUAL

DEFAULT_GAME = next(iter(FOR_TWO))

_KINDS: dict[str, Kind] = {"open": "open", "link": "link", "username": "direct"}
_FIELDS_OF_CLOCKS = {
    "realtime": ("minutes", "increment"),
    "byoyomi": ("main", "periods", "period"),
    "per_move": ("seconds",),
    "correspondence": ("days", "weekends_off"),
    "days_bank": ("start", "bonus", "most", "weekends_off"),
}
_DAYS_PER_MOVE = re.compile(r"([0-9]{1,3})d")

GameKey = Annotated[str, Field(max_length=32)]


class GameForm(BaseModel):
    """A game for two with its clock, which may be written as one word: 5+3, or 3d for three days per move.

    Each option of the game is a field of its own, gathered in `options`.
    """

    game: GameKey = DEFAULT_GAME
    options: dict[str, int] = {}
    clock: Literal["none", "realtime", "byoyomi", "per_move", "correspondence", "days_bank"] = "none"
    minutes: Annotated[float, Field(ge=LIMITS[0] // 60, le=LIMITS[-1] // 60)] = 10
    increment: Annotated[int, Field(ge=INCREMENTS[0], le=INCREMENTS[-1])] = 10
    main: Annotated[float, Field(ge=MAIN_TIMES[0], le=MAIN_TIMES[-1] // 60)] = 10
    periods: int = 3
    period: int = 30
    seconds: int = 30
    days: int = 3
    start: int = 3
    bonus: int = 1
    most: int = 7
    weekends_off: bool = False

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Gather the options of the game, and leave out the fields of the clocks that are not chosen."""
        minutes, plus, increment = fields.get("clock", "").partition("+")
        if plus:
            fields = {**fields, "clock": "realtime", "minutes": minutes, "increment": increment}
        if days := _DAYS_PER_MOVE.fullmatch(fields.get("clock", "")):
            fields = {**fields, "clock": "correspondence", "days": days[1]}
        rules = FOR_TWO.get(fields.get("game", DEFAULT_GAME))
        options = {name: fields[name] for name in rules.options if name in fields} if rules else {}
        chosen = _FIELDS_OF_CLOCKS.get(fields.get("clock", ""), ())
        unused = {name for names in _FIELDS_OF_CLOCKS.values() for name in names} - set(chosen)
        used = {name: value for name, value in fields.items() if name not in unused}
        return {**used, "options": options}

    @property
    def control(self) -> TimeControl | None:
        """Return the clock, or None. Raise FieldError `bad_time_control`."""
        try:
            match self.clock:
                case "realtime":
                    return Realtime(round(self.minutes * 60), self.increment)
                case "byoyomi":
                    return Byoyomi(round(self.main * 60), self.periods, self.period)
                case "per_move":
                    return PerMove(self.seconds)
                case "correspondence":
                    return Correspondence(self.days, self.weekends_off)
                case "days_bank":
                    return DaysBank(self.start, self.bonus, self.most, self.weekends_off)
                case "none":
                    return None
        except ValueError as error:
            raise FieldError("clock", "bad_time_control", Text(str(error))) from None


class ChallengeForm(GameForm):
    """A new challenge."""

    side: Annotated[str, Field(max_length=16)] = RANDOM
    opponent_kind: Literal["open", "username", "link"] = "open"
    opponent: TypedName = ""
    rated: bool = False
    rating_min: int | None = None
    rating_max: int | None = None

    @property
    def kind(self) -> Kind:
        """Return who may accept the challenge."""
        return _KINDS[self.opponent_kind]

    @property
    def terms(self) -> ChallengeTerms:
        """Return the terms of the challenge. Raise FieldError `bad_time_control`."""
        return ChallengeTerms(
            self.game, self.options, self.side, self.control, self.rated, self.rating_min, self.rating_max
        )


_PROPOSED = {
    name: str(field.default or "")  # empty: without a limit, or not ticked
    for name, field in ChallengeForm.model_fields.items()
    if name not in ("game", "options")
} | {"clock": str(QUICK_CONTROLS[1])}
"""The fields of a new challenge that do not depend on the game, as they are proposed."""


def blank(game: str) -> dict[str, str]:
    """Return the proposed fields of a challenge at a game, or at the first one if the game is unknown."""
    key = game if game in FOR_TWO else DEFAULT_GAME
    options = {name: str(allowed.proposed) for name, allowed in FOR_TWO[key].options.items()}
    return {**_PROPOSED, **options, "game": key}


class PairingForm(BaseModel):
    """One-click pairing. `time` is a real-time control as players write it, such as 5+3."""

    game: GameKey = DEFAULT_GAME
    time: Annotated[str, Field(pattern=r"^[0-9]{1,3}\+[0-9]{1,3}$")]

    @property
    def control(self) -> Realtime:
        """Return the time control. Raise FieldError `bad_time_control`."""
        minutes, increment = map(int, self.time.split("+"))
        try:
            return Realtime(minutes * 60, increment)
        except ValueError as error:
            raise FieldError("time", "bad_time_control", Text(str(error))) from None


class ComputerForm(BaseModel):
    """A game against the computer."""

    game: GameKey = DEFAULT_GAME
    level: Annotated[int, Field(ge=LEVELS[0], le=LEVELS[-1])] = USUAL
    coach: bool = False


class Filter(BaseModel):
    """Which open challenges a page lists; an empty field does not limit them."""

    model_config = ConfigDict(frozen=True)

    game: GameKey = ""
    clock: Literal["", "realtime", "correspondence", "none"] = ""
    rated: Literal["", "yes", "no"] = ""
    reach: Literal["", "yes"] = ""

    def admits(self, challenge: ChallengeView) -> bool:
        """Return whether a challenge is listed; the viewer's own always are."""
        return challenge.is_mine or (
            self.admits_game(challenge.game, challenge.clock_group, is_rated=challenge.rated)
            and (not self.reach or challenge.may_accept)
        )

    def admits_game(self, game: str, clock_group: str, *, is_rated: bool) -> bool:
        """Return whether games of this kind are listed."""
        return (
            self.game in ("", game)
            and self.clock in ("", clock_group)
            and self.rated in ("", "yes" if is_rated else "no")
        )

    @property
    def query(self) -> str:
        """Return the filter as a query string, for the address of the live connection."""
        return urlencode(self.model_dump(exclude_defaults=True))
