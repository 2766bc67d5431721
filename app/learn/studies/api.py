"""Studies for programs."""

import asyncio
from typing import Any, Literal

from fastapi import APIRouter
from starlette.responses import Response

from app.core.web.deps import Part, SiteUrl
from app.core.web.params import PageNumber
from app.core.web.problems import problems
from app.learn.studies.analysis import ground, read_tree
from app.learn.studies.queries import Study
from app.learn.studies.schemas import StudyList, StudyShown, StudyWanted
from app.learn.studies.service import Studies, StudyDraft
from app.people.identity.throttled import COMPUTING_FOR_PROGRAM, SteppingProgram
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, Program, known_program

router = APIRouter(prefix="/api/v1", tags=["studies"])

_ON_PAGE = 30


@router.get("/studies", responses=problems(401), openapi_extra=TOKEN_IS_OPTIONAL)
async def list_studies(
    program: Program,
    studies: Part[Studies],
    of: Literal["everybody", "me"] = "everybody",
    page: PageNumber = 1,
) -> StudyList:
    """Return a page of the public studies, or of all studies of the token's account."""
    offset = _ON_PAGE * (page - 1)
    if of == "me":
        owner = await known_program(program)
        listed, _has_more = await studies.own(owner, limit=_ON_PAGE, offset=offset)
    else:
        listed, _has_more = await studies.public(program, limit=_ON_PAGE, offset=offset)
    return StudyList(studies=listed)


@router.post("/studies", status_code=201, responses=problems(401, 403, 404, 409, 422, 429))
async def save_study(
    body: StudyWanted, program: SteppingProgram, studies: Part[Studies], site_url: SiteUrl
) -> StudyShown:
    """Save a tree of variations as a study."""
    draft = await asyncio.to_thread(_draft, body)
    return _shown(await studies.save(program, draft), site_url)


@router.get(
    "/studies/{study_id:id}",
    responses=problems(401, 404, 409, 429),
    openapi_extra=TOKEN_IS_OPTIONAL,
    dependencies=[COMPUTING_FOR_PROGRAM],
)
async def get_study(study_id: str, program: Program, studies: Part[Studies], site_url: SiteUrl) -> StudyShown:
    """Return a study; 409 `game_under_way` if it leads through a rated game of yours."""
    return _shown(await studies.stored(study_id, program), site_url)


@router.put("/studies/{study_id:id}", responses=problems(401, 403, 404, 409, 422, 429))
async def replace_study(
    study_id: str, body: StudyWanted, program: SteppingProgram, studies: Part[Studies], site_url: SiteUrl
) -> StudyShown:
    """Replace all of a study, unless it has changed since `version`."""
    draft = await asyncio.to_thread(_draft, body)
    return _shown(await studies.replace(study_id, program, draft, body.version), site_url)


@router.delete(
    "/studies/{study_id:id}",
    status_code=204,
    responses=problems(401, 403, 404, 429),
    response_class=Response,
)
async def delete_study(study_id: str, program: SteppingProgram, studies: Part[Studies]) -> None:
    """Delete a study."""
    await studies.delete(study_id, program)


def _draft(body: StudyWanted) -> StudyDraft:
    fields: dict[str, Any] = {**body.options, "position": body.position}
    if body.players is not None:
        fields["players"] = body.players
    analysis = ground(body.game, fields).analysis(read_tree(body.tree))
    return StudyDraft(body.title, body.visibility, analysis)


def _shown(study: Study, site_url: str) -> StudyShown:
    return StudyShown(**vars(study), url=site_url + study.path, tree=study.moves)
