"""Solitaire games and races in the JSON API."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from app.core.web.bodies import RequestBody
from app.core.web.registered import GameKey, Options, one_of
from app.play.solitaire.races import MINUTES

_RACER: dict[str, Any] = {
    "rank": 1,
    "username": "wren",
    "game_id": "x3p8mk2rtz",
    "points": 41,
    "tie_break": 7,
    "ply": 41,
    "is_done": False,
}
_RACE: dict[str, Any] = {
    "id": "k7m2wq9xab",
    "game": "up_and_up",
    "options": {"size": 8},
    "maker": "wren",
    "ends_at": "2026-01-01T12:10:00Z",
    "is_over": False,
    "racers": [_RACER],
}


class NewGame(RequestBody):
    """A solitaire game to start."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game": "up_and_up", "options": {"size": 8}}]})

    game: GameKey
    options: Annotated[Options, Field(default_factory=dict)]


class RaceRequest(NewGame):
    """A race to make; it starts at once and lasts a number of minutes."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"game": "up_and_up", "options": {"size": 8}, "minutes": 10}]}
    )

    minutes: Annotated[int, one_of(*MINUTES)]


class RacerShown(BaseModel):
    """A player of a race. Of equal points the lower tie-break ranks higher.

    A closed account whose results stay has no `username`.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_RACER]}, from_attributes=True)

    rank: int
    username: str | None
    game_id: str
    points: int
    tie_break: int
    ply: int
    is_done: bool


class RaceShown(BaseModel):
    """A race with its players in the order of their ranks."""

    model_config = ConfigDict(json_schema_extra={"examples": [_RACE]}, from_attributes=True)

    id: str
    game: GameKey
    options: Options
    maker: str
    ends_at: datetime
    is_over: bool
    racers: list[RacerShown]


class RaceGame(BaseModel):
    """The player's game in a race."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game_id": "x3p8mk2rtz"}]})

    game_id: str
