"""The editor of conditional moves. It works by links and forms alone."""

from typing import Annotated

from fastapi import Query
from starlette.responses import RedirectResponse, Response

from app.core.errors import ConflictError, InvalidError
from app.core.web.deps import Part, ReceivedAt
from app.core.web.forms import SubmissionDep
from app.core.web.redirects import go
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import SignedIn
from app.play.conditions.presenter import editor_view
from app.play.conditions.schemas import ConditionsForm
from app.play.conditions.service import Conditions
from app.play.games.service import Games

router = page_router()

Moves = Annotated[str, Query(max_length=1_000)]


@router.get("/games/{game_id:id}/conditions")
async def editor(
    game_id: str,
    viewer: SignedIn,
    games: Part[Games],
    conditions: Part[Conditions],
    received_at: ReceivedAt,
    moves: Moves = "",
    move: Annotated[str, Query(max_length=16)] = "",
    at: Annotated[int | None, Query(ge=0, le=1_000)] = None,
) -> Response:
    """Show a player's conditional moves, and the board after a line; go to the line with `move` added."""
    state = await games.get(game_id)
    own = await conditions.own(game_id, viewer.id, at=received_at)
    line = list(filter(None, moves.split(",")))
    if move:
        longer = editor_view(state, viewer.id, own, [*line, move], None)
        return RedirectResponse(f"{longer.path}?moves={longer.before}", 303)
    view = editor_view(state, viewer.id, own, line, at)
    return page("pages/conditions.html", editor=view, text=view.text, error=None)


@router.post("/games/{game_id:id}/conditions")
async def save(
    game_id: str,
    viewer: Stepping,
    games: Part[Games],
    conditions: Part[Conditions],
    submission: SubmissionDep,
    received_at: ReceivedAt,
) -> Response:
    """Save a player's conditional moves; show the editor with what was entered if they cannot be saved."""
    form = submission.parse(ConditionsForm)
    try:
        await conditions.save(game_id, viewer.id, form.version, form.chosen, at=received_at)
    except (ConflictError, InvalidError) as error:
        own = await conditions.own(game_id, viewer.id, at=received_at)
        return page(
            "pages/conditions.html",
            status=error.status,
            editor=editor_view(await games.get(game_id), viewer.id, own, [], None),
            text="\n".join(map(" ".join, form.chosen)),
            error=error.message,
        )
    return go(f"/games/{game_id}/conditions")
