"""Challenges in the JSON API."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from app.core.errors import InvalidError
from app.core.i18n.text import Text
from app.core.web.bodies import RequestBody
from app.core.web.params import TypedName
from app.core.web.registered import GameKey, Options, one_of, within
from app.core.web.shown import GameId, Id, Opponent, Rating, ShownAs, Unchecked, Username, example
from app.play.lobby.challenges import (
    CHOICE,
    DECLINE_REASONS,
    RANDOM,
    RATINGS,
    ChallengeInfo,
    ChallengeTerms,
    FollowedPlayer,
    Kind,
)
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

SideWanted = Annotated[str, Field(json_schema_extra={"enum": [*Side, RANDOM, CHOICE], "maxLength": 16})]


class RealtimeControl(RequestBody):
    """A real-time clock: `limit` seconds for the game, and `increment` seconds more after each move."""

    kind: Literal["realtime"]
    limit: Annotated[int, within(LIMITS), example(300)]
    increment: Annotated[int, within(INCREMENTS)]


class ByoyomiControl(RequestBody):
    """A main time of `limit` seconds, and then `periods` of `period` seconds.

    A move made within a period gives that period back.
    """

    kind: Literal["byoyomi"]
    limit: Annotated[int, within(MAIN_TIMES), example(600)]
    periods: Annotated[int, within(PERIODS)]
    period: Annotated[int, within(PERIOD_SECONDS)]


class PerMoveControl(RequestBody):
    """A real-time clock of a number of seconds for each move."""

    kind: Literal["per_move"]
    seconds: Annotated[int, within(PERIOD_SECONDS)]


class DaysBankControl(RequestBody):
    """Some `days` at the start and `increment` days more for each move, up to a `most`.

    `weekends_off`: Saturdays and Sundays, UTC, do not count.
    """

    kind: Literal["days_bank"]
    days: Annotated[int, within(BANKED_DAYS)]
    increment: Annotated[int, within(BANKED_DAYS)]
    most: Annotated[int, within(BANKED_DAYS), example(7)]
    weekends_off: bool = False


class CorrespondenceControl(RequestBody):
    """A clock of a number of days for each move. `weekends_off`: Saturdays and Sundays, UTC, do not count."""

    kind: Literal["correspondence"]
    days: Annotated[int, one_of(*DAYS)]
    weekends_off: bool = False


Control = Annotated[
    RealtimeControl | ByoyomiControl | PerMoveControl | CorrespondenceControl | DaysBankControl,
    Field(discriminator="kind", examples=[{"kind": "realtime", "limit": 300, "increment": 5}]),
]


ControlShown = Annotated[TimeControl | None, ShownAs(Control | None, control_to_dict)]
"""A clock that is stored, with the members of those that can be asked for."""


def control_of(control: Control | None) -> TimeControl | None:
    """Return the requested time control. Raise InvalidError `bad_time_control`."""
    try:
        return control_from_dict(control.model_dump() if control else None)
    except ValueError as error:
        raise InvalidError("bad_time_control", Text(str(error))) from None


class WantedGame(RequestBody):
    """A game with its options and its clock."""

    game: GameKey
    options: Annotated[Options, Field(default_factory=dict)]
    time_control: Control | None = None

    @property
    def terms(self) -> ChallengeTerms:
        """Return the terms of a casual challenge. Raise InvalidError `bad_time_control`."""
        return ChallengeTerms(self.game, self.options, control=control_of(self.time_control))


class PairingRequest(WantedGame):
    """The game to find an opponent for."""

    rated: bool | None = None

    @property
    def terms(self) -> ChallengeTerms:
        """Return the terms of the challenge. Raise InvalidError `bad_time_control`."""
        return replace(super().terms, rated=bool(self.rated))


class ChallengeRequest(PairingRequest):
    """A challenge to make. `opponent`: a username, null (anybody in the lobby) or "link"."""

    opponent: Annotated[TypedName, Field(examples=["finch"])] | None = None
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
    def terms(self) -> ChallengeTerms:
        """Return the terms of the challenge. Raise InvalidError `bad_time_control`."""
        return replace(super().terms, side=self.side, rating_min=self.rating_min, rating_max=self.rating_max)


class AcceptRequest(RequestBody):
    """The side that the token's account chooses, for a challenge whose `side` is `choice`.

    With `rated`, the game begins only if it is rated, or casual, as you have seen it.
    """

    side: Annotated[str, Field(max_length=16), one_of(*Side)] | None = None
    rated: bool | None = None


class DeclineRequest(RequestBody):
    """The reason for declining a challenge."""

    reason: Annotated[str, Field(max_length=32, examples=["later"]), one_of(*DECLINE_REASONS)] | None = None


class ChallengeMade(BaseModel):
    """A new challenge, with its game if a computer player has accepted it at once."""

    id: Id
    url: Annotated[str, example("/challenges/k7m2wq9xab")]
    status: Annotated[str, example("open")]
    game_id: GameId | None


class MakerRating(BaseModel):
    """The rating of a challenge's maker at its game."""

    rating: Rating
    provisional: bool


class ChallengeShown(ChallengeMade):
    """A challenge with all of its terms."""

    game: GameKey
    options: Options
    kind: Unchecked[Kind]
    maker: Username
    maker_rating: MakerRating
    opponent: Opponent | None
    side: SideWanted
    time_control: ControlShown
    rated: bool
    rating_min: Annotated[int, within(RATINGS)] | None
    rating_max: Annotated[int, within(RATINGS)] | None
    decline_reason: Annotated[str, example("later")] | None
    rematch_of: Id | None
    game_id: GameId | None
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
                "time_control": terms.control,
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

    game_id: GameId


class Paired(BaseModel):
    """A challenge that was accepted, with its game, or one that waits for an opponent."""

    challenge_id: Id
    game_id: GameId | None


class PlayOnRequest(RequestBody):
    """The position after `ply` plies of a game, and the level of the computer that plays on from there."""

    ply: Annotated[int, Field(ge=0, le=10_000)]
    level: Annotated[int, Field(ge=LEVELS[0], le=LEVELS[-1])] = USUAL


class PlayedOn(BaseModel):
    """The game that started."""

    game_id: GameId
    url: Annotated[str, example("/games/k7m2wq9xab")]


class Following(BaseModel):
    """The players whom the account follows, those online first."""

    players: list[FollowedPlayer]
