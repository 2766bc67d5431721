"""Conditional moves in the JSON API."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from app.core.web.bodies import RequestBody
from app.play.conditions.lines import MOST_LINES, MOST_PLIES
from app.play.conditions.service import OwnConditions
from app.play.games.schemas import MoveText

_SAVED: dict[str, Any] = {"version": 12, "lines": [["e5", "d4", "f6", "g7"]]}


class ConditionsRequest(RequestBody):
    """The lines to save, and the version of those that they replace.

    A line begins with the opponent's next move and alternates it with an answer.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_SAVED]})

    version: Annotated[int, Field(ge=0, lt=2**63)]
    lines: Annotated[
        list[Annotated[list[MoveText], Field(max_length=MOST_PLIES)]], Field(max_length=MOST_LINES)
    ]


class Dropped(BaseModel):
    """How many lines were dropped because they did not fit any more, and after which move.

    `move` is null after a takeback.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"lines": 2, "move": "e5"}]})

    lines: int
    move: str | None


class ConditionsShown(BaseModel):
    """The conditional moves of the token's account in a game, from its present position on."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{**_SAVED, "dropped": {"lines": 1, "move": "c4"}}]}
    )

    version: int
    lines: list[list[str]]
    dropped: Dropped | None

    @classmethod
    def of(cls, own: OwnConditions) -> "ConditionsShown":
        """Return conditional moves as the API shows them."""
        dropped = Dropped(lines=own.dropped, move=own.dropped_by) if own.dropped else None
        return cls(version=own.version, lines=[list(line) for line in own.lines], dropped=dropped)
