"""Conditional moves for programs."""

from fastapi import APIRouter

from app.core.web.deps import Part, ReceivedAt
from app.core.web.problems import problems
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import KnownProgram
from app.play.conditions.schemas import ConditionsRequest
from app.play.conditions.service import Conditions, ConditionsShown

router = APIRouter(prefix="/api/v1", tags=["games"])


@router.get("/games/{game_id:id}/conditions", responses=problems(401, 403, 404))
async def conditions(
    game_id: str, program: KnownProgram, conditions: Part[Conditions], received_at: ReceivedAt
) -> ConditionsShown:
    """Return your conditional moves in a game. Nobody else sees them."""
    return await conditions.own(game_id, program.id, at=received_at)


@router.put("/games/{game_id:id}/conditions", responses=problems(401, 403, 404, 409, 429))
async def save_conditions(
    game_id: str,
    body: ConditionsRequest,
    program: SteppingProgram,
    conditions: Part[Conditions],
    received_at: ReceivedAt,
) -> ConditionsShown:
    """Replace your conditional moves while your opponent is to move. The server plays the answers at once."""
    return await conditions.save(game_id, program.id, body.version, body.lines, at=received_at)


@router.delete("/games/{game_id:id}/conditions", status_code=204, responses=problems(401, 403, 404, 429))
async def delete_conditions(
    game_id: str, program: SteppingProgram, conditions: Part[Conditions], received_at: ReceivedAt
) -> None:
    """Delete your conditional moves in a game."""
    await conditions.delete(game_id, program.id, at=received_at)
