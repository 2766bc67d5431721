"""Conditional moves for programs."""

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.deps import Part, ReceivedAt
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import KnownProgram
from app.play.conditions.lines import MOST_LINES, MOST_PLIES
from app.play.conditions.service import Conditions, ConditionsShown
from app.play.games.schemas import ConditionLines, MoveText, Ply


class ConditionsRequest(RequestBody):
    """The lines to save, and the version of those that they replace.

    A line begins with the opponent's next move and alternates it with an answer.
    """

    version: Annotated[int, Field(ge=0, lt=2**63)]
    lines: Annotated[ConditionLines, Field(examples=[[["e5", "d4"]]])]


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


router = Router(prefix="/api/v1", tags=["games"])


@router.get("/games/{game_id:id}/conditions", responses=problems(403))
async def conditions(
    game_id: str, program: KnownProgram, conditions: Part[Conditions], received_at: ReceivedAt
) -> ConditionsShown:
    """Return your conditional moves in a game. Nobody else sees them."""
    return await conditions.own(game_id, program.id, at=received_at)


@router.put("/games/{game_id:id}/conditions", responses=problems(409))
async def save_conditions(
    game_id: str,
    body: ConditionsRequest,
    program: SteppingProgram,
    conditions: Part[Conditions],
    received_at: ReceivedAt,
) -> ConditionsShown:
    """Replace your conditional moves while your opponent is to move. The server plays the answers at once."""
    return await conditions.save(game_id, program.id, body.version, body.lines, at=received_at)


@router.delete("/games/{game_id:id}/conditions", status_code=204)
async def delete_conditions(
    game_id: str, program: SteppingProgram, conditions: Part[Conditions], received_at: ReceivedAt
) -> None:
    """Delete your conditional moves in a game."""
    await conditions.delete(game_id, program.id, at=received_at)
