"""Hints in games against the computer."""

from fastapi import Request
from starlette.responses import HTMLResponse, Response

from app.core.web.deps import Part
from app.core.web.redirects import go
from app.core.web.render import fragment, wants_htmx
from app.core.web.throttle import Limit, Throttle
from app.people.identity.pages import page_router
from app.people.identity.throttled import asker_of
from app.people.identity.viewer import PersonDep, SignedIn
from app.play.bots.service import Evaluations
from app.play.games.presenter.page import hint_view, role_of
from app.play.games.service import Games

router = page_router()


@router.post("/games/{game_id:id}/hint")
async def hint(
    request: Request,
    game_id: str,
    viewer: SignedIn,
    person: PersonDep,
    games: Part[Games],
    evaluations: Part[Evaluations],
    throttle: Part[Throttle],
) -> Response:
    """Show a good move to the player whose turn it is in a casual game against the computer.

    It belongs to the version of the game for which it was asked, and the page shows it at no other one.
    """
    await throttle.hit(Limit.COMPUTER, f"account:{viewer.id}")
    state = await games.seen_by(viewer, game_id)
    move = await evaluations.hint(asker_of(request, viewer.id), person, state, viewer.id)
    if not wants_htmx():
        return go(f"/games/{game_id}?hint={move}&version={state.version}")
    shown = hint_view(state, role_of(state, viewer.id), move, state.version)
    return HTMLResponse(fragment("partials/hint_update.html", hint=shown))
