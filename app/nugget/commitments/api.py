"""Commitments for programs: making, listing and revealing them."""

from typing import Any

from fastapi import Request

from app.core.web.deps import Part
from app.core.web.params import PageDep
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.core.web.throttle import Limit, Throttle
from app.nugget.commitments.queries import CommitmentAccepted
from app.nugget.commitments.schemas import CommitmentList, CommitmentRequest
from app.nugget.commitments.service import Commitments
from app.nugget.competitions import Competitions
from app.nugget.schemas import EntryAccepted
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import PlayingProgram

router = Router(prefix="/api/v1", tags=["golden nugget"])

_FILE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "text/plain": {
                "schema": {"type": "string", "format": "binary"},
                "example": "board 1: P7 54 L6\n# salt: 3f0c9a\n",
            }
        },
    }
}


@router.post("/nugget/commitments", status_code=201, responses=problems(404, 409))
async def commit(
    body: CommitmentRequest, program: SteppingProgram, commitments: Part[Commitments]
) -> CommitmentAccepted:
    """Commit to a record file by its SHA-256. Revealed in time, it is an entry that counts from now on."""
    return await commitments.commit(program, body.sha256, body.competition)


@router.get("/nugget/commitments/{commitment_id:id}")
async def commitment(commitment_id: str, commitments: Part[Commitments]) -> CommitmentAccepted:
    """Return a commitment."""
    return await commitments.get(commitment_id)


@router.post(
    "/nugget/commitments/{commitment_id:id}/reveal",
    status_code=201,
    responses=problems(409),
    openapi_extra=_FILE,
)
async def reveal(
    request: Request,
    commitment_id: str,
    program: PlayingProgram,
    commitments: Part[Commitments],
    throttle: Part[Throttle],
) -> EntryAccepted:
    """Reveal your record: send the file that you committed to, byte for byte, as the body.

    422 `wrong_file`, or `invalid_entry` with its problems; 409 `already_revealed` or `commitment_expired`.
    """
    await throttle.hit(Limit.RECORD, f"account:{program.id}")
    return EntryAccepted.of(await commitments.reveal(program, commitment_id, await request.body()))


@router.get("/nugget/competitions/{competition_id:competition}/commitments")
async def of_competition(
    competition_id: str, competitions: Part[Competitions], commitments: Part[Commitments], page: PageDep
) -> CommitmentList:
    """Return a page of a competition's commitments, the newest first."""
    await competitions.get(competition_id)
    return CommitmentList.of(await commitments.of_competition(competition_id, *page))


@router.get("/nugget/players/{username}/commitments")
async def of_player(username: str, commitments: Part[Commitments], page: PageDep) -> CommitmentList:
    """Return a page of a player's commitments, the newest first."""
    return CommitmentList.of(await commitments.of_player(username, *page))
