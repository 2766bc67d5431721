"""The explorer for programs."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from app.core.errors import InvalidError
from app.core.i18n.reasons import reason_of
from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.throttle import Limit, Throttle
from app.learn.statistics.schemas import Explored, MovePlayed
from app.learn.statistics.service import ALL, Archive, Source
from app.people.identity.throttled import counted_as
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, Program
from app.play.games.creation import rules_of
from engine.game import MoveSyntaxError
from engine.registry import FOR_TWO

router = APIRouter(prefix="/api/v1", tags=["games"])


@router.get("/explorer", responses=problems(401, 404, 409, 422, 429), openapi_extra=TOKEN_IS_OPTIONAL)
async def explore(
    request: Request,
    program: Program,
    archive: Part[Archive],
    throttle: Part[Throttle],
    game: Annotated[str, Query(max_length=32, json_schema_extra={"enum": [*FOR_TWO]})],
    position: Annotated[str, Query(max_length=4_000)] = "",
    source: Annotated[str, Query(max_length=32)] = ALL,
    above: Annotated[int | None, Query(ge=0, le=10_000)] = None,
) -> Explored:
    """Return what was played in a position (by default the first one), turned and mirrored boards included.

    `source` is `all`, `me` or a username; with `above`, only games of players rated above that on average
    count. 409 `game_under_way` in a rated game of yours.
    """
    await throttle.hit(Limit.SEARCH, counted_as(request, program))
    rules = rules_of(game, 2)
    try:
        at: Any = rules.parse(position) if position else rules.initial({})
    except MoveSyntaxError as error:
        raise InvalidError("bad_position", reason_of(error)) from None
    accounts = [program.id] if program else []
    explored = await archive.explore(rules, at, Source(source, above), program, accounts)
    return Explored(
        games=sum(each.games for each in explored),
        moves=[MovePlayed(move=each.move, games=each.games, wins=dict(each.won)) for each in explored],
    )
