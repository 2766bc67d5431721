"""Conditional moves in the JSON API, and what their editor sends."""

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from app.core.web.bodies import RequestBody
from app.play.conditions.lines import MOST_LINES, MOST_PLIES
from app.play.games.schemas import ConditionLines, MoveText, Ply


class ConditionsRequest(RequestBody):
    """The lines to save, and the version of those that they replace.

    A line begins with the opponent's next move and alternates it with an answer.
    """

    version: Annotated[int, Field(ge=0, lt=2**63)]
    lines: ConditionLines


_MOST_TEXT = MOST_LINES * MOST_PLIES * 20  # characters


class ConditionsForm(BaseModel):
    """All lines as text, one below the other, and the buttons that add a line or remove one.

    With a `move`, they begin after that move of the player.
    """

    version: Annotated[int, Field(ge=0, lt=2**63)]
    move: MoveText | None = None
    ply: Ply = 0
    move_id: UUID | None = None
    lines: Annotated[str, Field(max_length=_MOST_TEXT)] = ""
    add: Annotated[str, Field(max_length=_MOST_TEXT)] = ""
    remove: Annotated[int, Field(ge=0, lt=MOST_LINES)] | None = None

    @property
    def chosen(self) -> list[list[str]]:
        """Return the lines to save. Moves are separated by white space or commas."""
        lines = [line.replace(",", " ").split() for line in self.lines.splitlines()]
        lines = [line for line in lines if line]
        if self.remove is not None:
            del lines[self.remove : self.remove + 1]
        return [*lines, self.add.split()] if self.add else lines
