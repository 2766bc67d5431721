"""The game page: the board at any ply, moves as plain forms, and the live connection."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Depends, Form, Request, WebSocket
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.accounts.viewer import SignedIn, Viewer, current_viewer, same_origin
from app.errors import AppError, ConflictError
from app.games.deps import GamesDep
from app.games.present import game_view, replay_view, role_of, update
from app.games.service import topic
from app.games.state import GameState
from app.games.watch import Watcher, subscribe
from app.realtime import sockets
from app.realtime.hub import Announcement
from app.web.deps import DatabaseDep, HubDep, ReceivedAt, SettingsDep, ThrottleDep
from app.web.errors import answer
from app.web.origin import check_same_origin
from app.web.render import fragment, page, wants_partial
from app.web.throttle import Limit

router = APIRouter(include_in_schema=False)
forms = APIRouter(dependencies=[Depends(same_origin)], include_in_schema=False)


@router.get("/games/{game_id}")
async def game_page(
    request: Request, game_id: str, viewer: Viewer, games: GamesDep, ply: str = ""
) -> Response:
    """Show a game as it stands, or as it stood after a ply; htmx gets just the past board."""
    state = await games.get(game_id)
    replay = None
    if ply.isascii() and ply.isdigit() and int(ply) < state.ply:
        replay = replay_view(state, int(ply))
    if wants_partial(request):
        html = fragment("partials/replay.html", replay=replay)
        return HTMLResponse(html, headers={"Vary": "HX-Request-Type, Cookie"})
    view = game_view(state, role_of(state, viewer.id if viewer else None))
    return page(request, "pages/game.html", game=view, replay=replay)


@forms.post("/games/{game_id}/moves")
async def play(
    request: Request,
    game_id: str,
    viewer: SignedIn,
    games: GamesDep,
    throttle: ThrottleDep,
    move: Annotated[str, Form(max_length=16)],
    ply: Annotated[int, Form(ge=0, le=100_000)],
    move_id: Annotated[UUID, Form()],
    received_at: ReceivedAt,
) -> Response:
    """Play a move."""
    await throttle.hit(Limit.MOVE, f"account:{viewer.id}")
    try:
        state = await games.play_move(game_id, viewer.id, move, ply, move_id, at=received_at)
    except ConflictError as error:
        return await _refused(request, await games.get(game_id), viewer.id, error)
    return _moved(request, state, viewer.id, ply)


@forms.post("/games/{game_id}/resign")
async def resign(request: Request, game_id: str, viewer: SignedIn, games: GamesDep) -> Response:
    """Resign the game."""
    try:
        state = await games.resign(game_id, viewer.id)
    except ConflictError as error:
        return await _refused(request, await games.get(game_id), viewer.id, error)
    return _moved(request, state, viewer.id, state.ply)


def _moved(request: Request, state: GameState, account_id: int, seen_ply: int) -> Response:
    if request.headers.get("HX-Request"):
        return HTMLResponse(update(state, role_of(state, account_id), seen_ply))
    return RedirectResponse(f"/games/{state.id}", 303)


async def _refused(request: Request, state: GameState, account_id: int, error: AppError) -> Response:
    """Tell what went wrong and bring the page up to date at once."""
    if not request.headers.get("HX-Request"):
        return answer(request, error)
    notice = fragment("partials/notice.html", message=error.message)
    fresh = update(state, role_of(state, account_id), state.ply)
    return HTMLResponse(notice + fresh, error.status)


@router.websocket("/games/{game_id}/live")
async def live(
    websocket: WebSocket,
    game_id: str,
    database: DatabaseDep,
    games: GamesDep,
    hub: HubDep,
    settings: SettingsDep,
) -> None:
    """Push the game to a page: all of it on connecting, then each change."""
    await websocket.accept()
    try:
        check_same_origin(websocket.headers, settings.public_url)
        viewer = await current_viewer(websocket, settings, database)
        state = await games.get(game_id)
    except AppError as error:
        await sockets.refuse(websocket, sockets.close_code(error))
        return
    role = role_of(state, viewer.id if viewer else None)
    with subscribe(hub, game_id, viewer) as subscription:
        await websocket.send_text(update(state, role, state.ply))
        # What changed between reading the state and listening is caught up with at once.
        subscription.put(Announcement(topic(game_id), ""))
        watcher = Watcher(games, subscription, state)

        async def messages(item: Any) -> list[str]:
            before, after = await watcher.advance(item)
            if after.version > before.version:
                return [update(after, role, before.ply)]
            return [sockets.HEARTBEAT] if item is None else []

        await sockets.run(websocket, subscription, messages, sockets.ignore)


router.include_router(forms)
