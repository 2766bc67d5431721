"""What the lobby's forms ask for, as text: the terms of a new challenge, and which challenges to show."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends
from pydantic import BaseModel, ConfigDict, Field

from app.errors import FieldError, InvalidError
from app.games import creation
from app.lobby.challenges import RANDOM, Terms
from app.lobby.views import ChallengeView
from engine.clock import Correspondence, Realtime, TimeControl
from engine.registry import FOR_TWO

_KINDS = {"open": "open", "link": "link", "username": "direct"}
Short = Annotated[str, Field(max_length=64)]

DEFAULT_GAME = next(iter(FOR_TWO))

BLANK = {
    "game": DEFAULT_GAME,
    "side": RANDOM,
    "opponent_kind": "open",
    "opponent": "",
    "clock": "none",
    "minutes": "10",
    "increment": "10",
    "days": "3",
    "rated": "",
    "rating_min": "",
    "rating_max": "",
}


class ChallengeForm(BaseModel):
    """The form for a new challenge; each option of the game is a further field of that name."""

    model_config = ConfigDict(extra="allow")

    game: Short = BLANK["game"]
    side: Short = BLANK["side"]
    opponent_kind: Short = BLANK["opponent_kind"]
    opponent: Short = BLANK["opponent"]
    clock: Short = BLANK["clock"]
    minutes: Short = BLANK["minutes"]
    increment: Short = BLANK["increment"]
    days: Short = BLANK["days"]
    rated: Short = BLANK["rated"]
    rating_min: Short = BLANK["rating_min"]
    rating_max: Short = BLANK["rating_max"]

    @property
    def kind(self) -> str:
        """Give whom the challenge is for. Raises InvalidError for an answer that is not offered."""
        if self.opponent_kind not in _KINDS:
            raise InvalidError("bad_opponent", "Choose whom to play: anybody, a player by name, or by link.")
        return _KINDS[self.opponent_kind]

    @property
    def terms(self) -> Terms:
        """Give the terms of the challenge. Raises InvalidError for what cannot be read."""
        return Terms(
            self.game,
            options_of(self.game, self.model_extra or {}),
            self.side,
            self._control(),
            self.rated == "yes",
            _bound(self.rating_min),
            _bound(self.rating_max),
        )

    def _control(self) -> TimeControl | None:
        try:
            if self.clock == "realtime":
                return Realtime(round(float(self.minutes) * 60), _whole(self.increment))
            if self.clock == "correspondence":
                return Correspondence(_whole(self.days))
        except (ValueError, OverflowError) as error:
            message = str(error) if str(error).endswith(".") else "Give the time in minutes and seconds."
            raise FieldError("clock", "bad_time_control", message) from None
        if self.clock != "none":
            raise FieldError("clock", "bad_time_control", "Choose one of the kinds of clock.")
        return None


def blank(game: str) -> dict[str, str]:
    """Give the form as it begins for a game for two, the first one for a key that is none."""
    key = game if game in FOR_TWO else DEFAULT_GAME
    proposed = {name: str(allowed.proposed) for name, allowed in FOR_TWO[key].options.items()}
    return {**BLANK, **proposed, "game": key}


def options_of(game: str, fields: Mapping[str, Any]) -> dict[str, int]:
    """Read the options of a game from the fields of a form. Raises InvalidError."""
    texts = {name: str(fields[name]) for name in creation.rules_of(game, 2).options if name in fields}
    for text in texts.values():
        if not (text.isascii() and text.isdigit() and len(text) <= 4):
            raise InvalidError("bad_options", "Choose a board from the list.")
    return {name: int(text) for name, text in texts.items()}


def control_named(text: str) -> TimeControl:
    """Read a real-time control as players write it, 5+5. Raises InvalidError."""
    minutes, _, increment = text.partition("+")
    try:
        return Realtime(_whole(minutes) * 60, _whole(increment))
    except ValueError:
        raise InvalidError(
            "bad_time_control", "Write the time as minutes and seconds, such as 5+5."
        ) from None


class Filter(BaseModel):
    """Which open challenges to show: by game, by kind of clock, rated or casual, only those within reach."""

    model_config = ConfigDict(frozen=True)

    game: Short = ""
    clock: Short = ""
    rated: Short = ""
    reach: Short = ""

    def takes(self, challenge: ChallengeView) -> bool:
        """Tell whether a challenge is to be shown; one's own always is."""
        if challenge.is_mine:
            return True
        return (
            self.game in ("", challenge.game)
            and self.clock in ("", challenge.clock_kind)
            and self.rated in ("", "yes" if challenge.rated else "no")
            and (not self.reach or challenge.may_accept)
        )

    @property
    def query(self) -> str:
        """Give the query by which the lobby's live connection knows the filter."""
        chosen = self.model_dump(exclude_defaults=True)
        return "&".join(
            f"{name}={value}" for name, value in chosen.items() if value.isalnum() or "_" in value
        )


async def _filter(game: str = "", clock: str = "", rated: str = "", reach: str = "") -> Filter:
    return Filter(game=game[:64], clock=clock[:64], rated=rated[:64], reach=reach[:64])


FilterDep = Annotated[Filter, Depends(_filter)]


def _whole(text: str) -> int:
    if not (text.isascii() and text.strip().isdigit() and len(text) <= 5):
        raise ValueError("Give the time in whole numbers.")
    return int(text)


def _bound(text: str) -> int | None:
    if not text.strip():
        return None
    if not (text.isascii() and text.strip().isdigit() and len(text) <= 5):
        raise FieldError("rating", "bad_rating_range", "A rating is a number such as 1500.")
    return int(text)
