"""Hints in games against the computer."""

from fastapi import Request
from starlette.responses import HTMLResponse, Response

from app.core.web.deps import Part
from app.core.web.render import fragment, wants_htmx
from app.core.web.throttle import Limit, Throttle
from app.people.identity.pages import page_router
from app.people.identity.throttled import asker_of
from app.people.identity.viewer import BrowserAccounts, SignedIn
from app.play.bots.service import Evaluations
from app.play.chat.service import Chat
from app.play.games.boards import BOARDS
from app.play.games.pages import page_of_game
from app.play.games.service import Games
from app.play.games.views import MoveKind
from app.play.kept_games.service import KeptGames

router = page_router()


@router.post("/games/{game_id:id}/hint")
async def hint(
    request: Request,
    game_id: str,
    viewer: SignedIn,
    accounts: BrowserAccounts,
    games: Part[Games],
    chat: Part[Chat],
    evaluations: Part[Evaluations],
    throttle: Part[Throttle],
    kept_games: Part[KeptGames],
) -> Response:
    """Show a good move to the player whose turn it is in a casual game against the computer."""
    await throttle.hit(Limit.COMPUTER, f"account:{viewer.id}")
    state = await games.seen_by(viewer, game_id)
    move = await evaluations.hint(asker_of(request, viewer.id), accounts, state, viewer.id)
    side = state.side_of(viewer.id)
    assert side is not None
    shown = {"move": move, "text": BOARDS[state.rules].describe(move, side, MoveKind.PLAIN, automatic=False)}
    if wants_htmx():
        return HTMLResponse(fragment("partials/hint_update.html", hint=shown))
    conversations = await chat.conversations(viewer, state)
    is_kept = await kept_games.is_kept(viewer, game_id)
    return page_of_game(state, viewer, conversations, hint=shown, is_kept=is_kept)
