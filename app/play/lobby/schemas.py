"""Challenges in the JSON API."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.core.errors import InvalidError
from app.core.i18n.text import Text
from app.core.web.bodies import RequestBody
from app.core.web.registered import GameKey, Options, one_of, within
from app.play.lobby.challenges import DECLINE_REASONS, RANDOM, RATINGS, ChallengeInfo, Kind, Terms
from app.play.lobby.friends import Friend
from engine.clock import (
    BANKED_DAYS,
    DAYS,
    INCREMENTS,
    LIMITS,
    MAIN_TIMES,
    PERIOD_SECONDS,
    PERIODS,
    TimeControl,
    control_from_dict,
    control_to_dict,
)
from engine.game import Side
from engine.search.levels import LEVELS, USUAL

LINK = "link"

SideWanted = Annotated[str, Field(max_length=16), one_of(*Side, RANDOM)]

_CONTROL: dict[str, Any] = {"kind": "realtime", "limit": 300, "increment": 5}
_SHOWN: dict[str, Any] = {
    "id": "k7m2wq9xab",
    "url": "/challenges/k7m2wq9xab",
    "status": "open",
    "game": "jadejack",
    "options": {"size": 9},
    "kind": "open",
    "maker": "wren",
    "maker_rating": {"rating": 1500, "provisional": True},
    "opponent": None,
    "side": "random",
    "time_control": _CONTROL,
    "rated": True,
    "rating_min": None,
    "rating_max": None,
    "decline_reason": None,
    "rematch_of": None,
    "game_id": None,
    "created_at": "2026-01-01T12:00:00Z",
}

_FOLLOWED: dict[str, Any] = {"username": "finch", "online": True, "game_id": "k7m2wq9xab"}


class RealtimeControl(RequestBody):
    """A real-time clock: `limit` seconds for the game, and `increment` seconds more after each move."""

    model_config = ConfigDict(json_schema_extra={"examples": [_CONTROL]})

    kind: Literal["realtime"]
    limit: Annotated[int, within(LIMITS)]
    increment: Annotated[int, within(INCREMENTS)]


class ByoyomiControl(RequestBody):
    """A main time of `limit` seconds, and then `periods` of `period` seconds.

    A move made within a period gives that period back.
    """

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"kind": "byoyomi", "limit": 600, "periods": 3, "period": 30}]}
    )

    kind: Literal["byoyomi"]
    limit: Annotated[int, within(MAIN_TIMES)]
    periods: Annotated[int, within(PERIODS)]
    period: Annotated[int, within(PERIOD_SECONDS)]


class PerMoveControl(RequestBody):
    """A real-time clock of a number of seconds for each move."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kind": "per_move", "seconds": 30}]})

    kind: Literal["per_move"]
    seconds: Annotated[int, within(PERIOD_SECONDS)]


class DaysBankControl(RequestBody):
    """Some `days` at the start and `increment` days more for each move, up to a `most`.

    `weekends_off`: Saturdays and Sundays, UTC, do not count.
    """

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"kind": "days_bank", "days": 3, "increment": 1, "most": 7}]}
    )

    kind: Literal["days_bank"]
    days: Annotated[int, within(BANKED_DAYS)]
    increment: Annotated[int, within(BANKED_DAYS)]
    most: Annotated[int, within(BANKED_DAYS)]
    weekends_off: bool = False


class CorrespondenceControl(RequestBody):
    """A clock of a number of days for each move. `weekends_off`: Saturdays and Sundays, UTC, do not count."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kind": "correspondence", "days": 3}]})

    kind: Literal["correspondence"]
    days: Annotated[int, one_of(*DAYS)]
    weekends_off: bool = False


Control = Annotated[
    RealtimeControl | ByoyomiControl | PerMoveControl | CorrespondenceControl | DaysBankControl,
    Field(discriminator="kind"),
]


def control_of(control: Control | None) -> TimeControl | None:
    """Return the requested time control. Raise InvalidError `bad_time_control`."""
    try:
        return control_from_dict(control.model_dump() if control else None)
    except ValueError as error:
        raise InvalidError("bad_time_control", Text(str(error))) from None


class PairingRequest(RequestBody):
    """The game to find an opponent for."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"game": "jadejack", "options": {"size": 9}, "time_control": _CONTROL, "rated": True}
            ]
        },
    )

    game: GameKey
    options: Annotated[Options, Field(default_factory=dict)]
    time_control: Control | None = None
    rated: bool | None = None

    @property
    def terms(self) -> Terms:
        """Return the terms of the challenge. Raise InvalidError `bad_time_control`."""
        control = control_of(self.time_control)
        return Terms(self.game, self.options, control=control, rated=bool(self.rated))


class ChallengeRequest(PairingRequest):
    """A challenge to make. `opponent`: a username, null (anybody in the lobby) or "link"."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "game": "jadejack",
                    "options": {"size": 9},
                    "opponent": None,
                    "side": "random",
                    "time_control": _CONTROL,
                    "rated": True,
                    "rating_min": 1200,
                }
            ]
        },
    )

    opponent: Annotated[str, Field(max_length=64)] | None = None
    side: SideWanted = RANDOM
    rating_min: Annotated[int, within(RATINGS)] | None = None
    rating_max: Annotated[int, within(RATINGS)] | None = None

    @property
    def kind(self) -> Kind:
        """Return who may accept the challenge."""
        if self.opponent is None:
            return "open"
        return "link" if self.opponent == LINK else "direct"

    @property
    def terms(self) -> Terms:
        """Return the terms of the challenge. Raise InvalidError `bad_time_control`."""
        return Terms(
            self.game,
            self.options,
            self.side,
            control_of(self.time_control),
            bool(self.rated),
            self.rating_min,
            self.rating_max,
        )


class DeclineRequest(RequestBody):
    """The reason for declining a challenge."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"reason": "later"}]})

    reason: Annotated[str, Field(max_length=32), one_of(*DECLINE_REASONS)] | None = None


class ChallengeMade(BaseModel):
    """A new challenge, with its game if a computer player has accepted it at once."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"id": "k7m2wq9xab", "url": "/challenges/k7m2wq9xab", "status": "open", "game_id": None}
            ]
        }
    )

    id: str
    url: str
    status: str
    game_id: str | None


class MakerRating(BaseModel):
    """The rating of a challenge's maker at its game."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SHOWN["maker_rating"]]})

    rating: int
    provisional: bool


class ChallengeShown(ChallengeMade):
    """A challenge with all of its terms."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SHOWN]})

    game: GameKey
    options: Options
    kind: Kind
    maker: str
    maker_rating: MakerRating
    opponent: str | None
    side: SideWanted
    time_control: Control | None
    rated: bool
    rating_min: Annotated[int, within(RATINGS)] | None
    rating_max: Annotated[int, within(RATINGS)] | None
    decline_reason: str | None
    rematch_of: str | None
    game_id: str | None
    created_at: datetime

    @classmethod
    def of(cls, challenge: ChallengeInfo) -> "ChallengeShown":
        """Return a challenge as the API shows it."""
        terms, rating = challenge.terms, challenge.maker_rating
        return cls.model_validate(
            {
                "id": challenge.id,
                "url": f"/challenges/{challenge.id}",
                "status": challenge.status,
                "game": terms.game,
                "options": dict(terms.options),
                "kind": challenge.kind,
                "maker": challenge.maker.username,
                "maker_rating": {"rating": round(rating.rating), "provisional": rating.is_provisional},
                "opponent": challenge.opponent.username if challenge.opponent else None,
                "side": terms.side,
                "time_control": control_to_dict(terms.control),
                "rated": terms.rated,
                "rating_min": terms.rating_min,
                "rating_max": terms.rating_max,
                "decline_reason": challenge.decline_reason,
                "rematch_of": challenge.rematch_of,
                "game_id": challenge.game_id,
                "created_at": challenge.created_at,
            }
        )


class GameStarted(BaseModel):
    """The game that started with an accepted challenge."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game_id": "x3p8mk2rtz"}]})

    game_id: str


class Paired(BaseModel):
    """A challenge that was accepted, with its game, or one that waits for an opponent."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"challenge_id": "k7m2wq9xab", "game_id": None}]}
    )

    challenge_id: str
    game_id: str | None


class PlayOnRequest(RequestBody):
    """The position after `ply` plies of a game, and the level of the computer that plays on from there."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"ply": 22, "level": 3}]})

    ply: Annotated[int, Field(ge=0, le=10_000)]
    level: Annotated[int, Field(ge=LEVELS[0], le=LEVELS[-1])] = USUAL


class PlayedOn(BaseModel):
    """The game that started."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"game_id": "k7m2wq9xab", "url": "/games/k7m2wq9xab"}]}
    )

    game_id: str
    url: str


class FollowedPlayer(BaseModel):
    """A player whom the account follows; `game_id` is the game that they are playing, if any."""

    model_config = ConfigDict(json_schema_extra={"examples": [_FOLLOWED]})

    username: str
    online: bool
    game_id: str | None

    @classmethod
    def of(cls, friend: Friend) -> "FollowedPlayer":
        """Return a followed player as the API shows them."""
        return cls(username=friend.username, online=friend.is_online, game_id=friend.game_id)


class Following(BaseModel):
    """The players whom the account follows, those online first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"players": [_FOLLOWED]}]})

    players: list[FollowedPlayer]

    @classmethod
    def of(cls, friends: Iterable[Friend]) -> "Following":
        """Return followed players as the API shows them."""
        return cls(players=[FollowedPlayer.of(friend) for friend in friends])
