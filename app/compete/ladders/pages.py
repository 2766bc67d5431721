"""The pages of ladders: the table of a game, and what players do there."""

from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response

from app.compete.ladders.presenter import CHANGES, ROWS, facts, history_context, table_context
from app.compete.ladders.schemas import LadderChallengeRequest
from app.compete.ladders.service import Ladders
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.params import Before, Cursor, OwnPlace
from app.core.web.redirects import go
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.throttled import Challenging, Stepping
from app.people.identity.viewer import Viewer
from engine.registry import FOR_TWO

router = page_router()


@router.get("/ladders")
async def ladders_index() -> Response:
    """Redirect to the first of the ladders, which have tabs for the others."""
    return RedirectResponse(f"/ladders/{next(iter(FOR_TWO))}", 303)


@router.get("/ladders/{game:game}")
async def ladder(
    game: str,
    viewer: Viewer,
    ladders: Part[Ladders],
    cursor: Cursor = "",
    at: OwnPlace = "",
    before: Before = None,
) -> Response:
    """Show a ladder with its history, and what the viewer may do there."""
    own = await ladders.own(game, viewer) if viewer else None
    if at and viewer:
        cursor = await ladders.cursor_to(game, viewer.id)
    table = await ladders.table(game, cursor, ROWS)
    changes, has_more = await ladders.changes(game, before, CHANGES)
    shown = {"cursor": cursor} | ({"before": before} if before else {})
    return page(
        "pages/ladder.html",
        games=FOR_TWO.values(),
        rules=FOR_TWO[game],
        path=f"/ladders/{game}",
        live=f"/ladders/{game}/live?{urlencode(shown)}",
        facts=list(facts(game)),
        **table_context(table, own, cursor),
        **history_context(changes, has_more, before),
    )


@router.post("/ladders/{game:game}/join")
async def join(game: str, viewer: Challenging, ladders: Part[Ladders]) -> Response:
    """Join a ladder at the bottom."""
    await ladders.join(game, viewer)
    return go(f"/ladders/{game}?at=me")


@router.post("/ladders/{game:game}/leave")
async def leave(game: str, viewer: Challenging, ladders: Part[Ladders]) -> Response:
    """Leave a ladder."""
    await ladders.leave(game, viewer)
    return go(f"/ladders/{game}")


@router.post("/ladders/{game:game}/challenges")
async def challenge(
    game: str, viewer: Challenging, ladders: Part[Ladders], submission: SubmissionDep
) -> Response:
    """Challenge a player."""
    await ladders.challenge(game, viewer, submission.parse(LadderChallengeRequest).opponent)
    return go(f"/ladders/{game}?at=me")


@router.post("/ladders/{game:game}/challenges/{challenge_id:id}/accept")
async def accept(game: str, challenge_id: str, viewer: Stepping, ladders: Part[Ladders]) -> Response:
    """Accept a challenge and go to its game."""
    return go(f"/games/{await ladders.accept(game, challenge_id, viewer)}")


@router.post("/ladders/{game:game}/challenges/{challenge_id:id}/decline")
async def decline(game: str, challenge_id: str, viewer: Stepping, ladders: Part[Ladders]) -> Response:
    """Decline a challenge: the challenger takes the place without a game."""
    await ladders.give_way(game, challenge_id, viewer)
    return go(f"/ladders/{game}?at=me")


@router.post("/ladders/{game:game}/challenges/{challenge_id:id}/withdraw")
async def withdraw(game: str, challenge_id: str, viewer: Stepping, ladders: Part[Ladders]) -> Response:
    """Withdraw a challenge."""
    await ladders.withdraw(game, challenge_id, viewer)
    return go(f"/ladders/{game}?at=me")
