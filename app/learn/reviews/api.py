"""Reviews for programs."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import Request
from pydantic import BaseModel
from starlette.responses import Response

from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.registered import SideName
from app.core.web.routes import Router
from app.core.web.shown import Move, Unchecked, example
from app.learn.reviews.service import BoardReviews, Reviewed, Reviews
from app.nugget.entries import Entries
from app.people.identity.devices import Person
from app.people.identity.throttled import COMPUTING_FOR_PROGRAM, ReviewingProgram, queued_as
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, Program
from app.play.games.service import Games
from engine.game import Side


class PlyShown(BaseModel):
    """A move: the lead expected after it in points of the first side, and what it lost against `best`.

    In a game for one `points` is the best result within reach after it, and `best` is empty where it was best
    to stop.
    """

    ply: int
    side: SideName
    move: Move
    best: Move
    points: float
    loss: float


class ReviewShown(BaseModel):
    """The review of a game. `plies` and `accuracy` (0 to 100, by side) are there once it is `done`.

    `none` may be requested; it is also the status of a review that the computer has given up.
    """

    status: Unchecked[Literal["none", "under_way", "done"]]
    evaluated: int
    to_evaluate: int
    plies: list[PlyShown]
    accuracy: Annotated[dict[str, float | None], example({"black": 91.4, "white": 84.0})]


router = Router(prefix="/api/v1", tags=["games"])


@router.post(
    "/games/{game_id:id}/review",
    status_code=202,
    responses=problems(409),
    response_class=Response,
)
async def request_review(
    request: Request,
    game_id: str,
    program: ReviewingProgram,
    games: Part[Games],
    reviews: Part[Reviews],
) -> Response:
    """Request the review of a finished game."""
    state = await games.seen_by(program, game_id)
    await reviews.request(state, Person(program.id), queued_as(request, program))
    return Response(status_code=202)


@router.get(
    "/games/{game_id:id}/review",
    responses=problems(409),
    dependencies=[COMPUTING_FOR_PROGRAM],
    openapi_extra=TOKEN_IS_OPTIONAL,
)
async def get_review(
    game_id: str, program: Program, games: Part[Games], reviews: Part[Reviews]
) -> ReviewShown:
    """Return the review of a game, or how far it has come."""
    state = await games.seen_by(program, game_id)
    return _shown(await reviews.get(state, Person(program.id if program else None)), state.rules.sides)


@router.post(
    "/nugget/entries/{entry_id:id}/boards/{number:number}/review",
    status_code=202,
    response_class=Response,
)
async def request_board_review(
    request: Request,
    entry_id: str,
    number: int,
    program: ReviewingProgram,
    entries: Part[Entries],
    reviews: Part[BoardReviews],
) -> Response:
    """Request the review of a board of an entry to Golden Nugget."""
    await reviews.request(await entries.record(entry_id, program.id), number, queued_as(request, program))
    return Response(status_code=202)


@router.get(
    "/nugget/entries/{entry_id:id}/boards/{number:number}/review",
    responses=problems(403),
    dependencies=[COMPUTING_FOR_PROGRAM],
    openapi_extra=TOKEN_IS_OPTIONAL,
)
async def get_board_review(
    entry_id: str, number: int, program: Program, entries: Part[Entries], reviews: Part[BoardReviews]
) -> ReviewShown:
    """Return the review of a board; `points` are the moves expected on it in the end, negative."""
    entry = await entries.record(entry_id, program.id if program else None)
    _play, reviewed = await reviews.get(entry, number)
    return _shown(reviewed, [Side.SOLO])


def _shown(reviewed: Reviewed, sides: Sequence[Side]) -> ReviewShown:
    review = reviewed.review
    return ReviewShown(
        status="done" if review else "under_way" if reviewed.is_under_way else "none",
        evaluated=reviewed.evaluated,
        to_evaluate=reviewed.to_evaluate,
        plies=[
            PlyShown(
                ply=move.ply,
                side=move.side,
                move=move.move,
                best=move.best,
                points=round(move.lead, 2),
                loss=round(move.loss, 2),
            )
            for move in (review.moves if review else ())
        ],
        accuracy={str(side): review.accuracy(side) for side in sides} if review else {},
    )
