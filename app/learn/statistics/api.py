"""The explorer for programs."""

from typing import Annotated

from fastapi import Query

from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.learn.statistics.explorer import ALL, Explored, Explorer, Source
from app.people.identity.devices import Person
from app.people.identity.throttled import SEARCHING_FOR_PROGRAM
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, Program
from engine.game import MAX_POSITION
from engine.registry import FOR_TWO

router = Router(prefix="/api/v1", tags=["games"])


@router.get(
    "/explorer",
    responses=problems(404, 409),
    openapi_extra=TOKEN_IS_OPTIONAL,
    dependencies=[SEARCHING_FOR_PROGRAM],
)
async def explore(
    program: Program,
    explorer: Part[Explorer],
    game: Annotated[str, Query(max_length=32, json_schema_extra={"enum": [*FOR_TWO]})],
    position: Annotated[str, Query(max_length=MAX_POSITION)] = "",
    source: Annotated[str, Query(max_length=32)] = ALL,
    above: Annotated[int | None, Query(ge=0, le=10_000)] = None,
) -> Explored:
    """Return what was played in a position (by default the first one), turned and mirrored boards included.

    `source` is `all`, `me` or a username; with `above`, only games of players rated above that on average
    count. 409 `game_under_way` in a rated game of yours.
    """
    person = Person(program.id if program else None)
    return await explorer.explore(game, position, Source(source, above), program, person)
