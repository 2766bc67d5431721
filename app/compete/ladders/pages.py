"""The pages of ladders: the table of a game, and what players do there."""

from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response

from app.compete.ladders import api
from app.compete.ladders.presenter import CHANGES, ROWS, facts, history_context, table_context
from app.compete.ladders.service import Ladders
from app.core.web.deps import Part
from app.core.web.params import Before, Cursor, OwnPlace
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.viewer import Viewer
from engine.registry import FOR_TWO

router = page_router()

_CHALLENGE = "/ladders/{game:game}/challenges/{challenge_id:id}"


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
    reader = await ladders.reader(game, viewer)
    if at and viewer:
        cursor = await ladders.cursor_to(game, viewer.id)
    table = await ladders.table(game, cursor, ROWS)
    changes = await ladders.changes(game, before, CHANGES)
    shown = {"cursor": cursor} | ({"before": before} if before else {})
    return page(
        "pages/ladder.html",
        games=FOR_TWO.values(),
        rules=FOR_TWO[game],
        path=f"/ladders/{game}",
        live=f"/ladders/{game}/live?{urlencode(shown)}",
        facts=list(facts(game)),
        refusal=reader.refusal,
        **table_context(table, reader.own, cursor),
        **history_context(changes, before),
    )


router.form("/ladders/{game:game}/join", api.join, then="/ladders/{game}?at=me")
router.form("/ladders/{game:game}/leave", api.leave, then="/ladders/{game}")
router.form("/ladders/{game:game}/challenges", api.challenge, then="/ladders/{game}?at=me")
router.form(_CHALLENGE + "/accept", api.accept, then="/games/{result.game_id}")
router.form(_CHALLENGE + "/decline", api.decline, then="/ladders/{game}?at=me")
router.form(_CHALLENGE + "/withdraw", api.withdraw, then="/ladders/{game}?at=me")
