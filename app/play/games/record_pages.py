"""The score graph, record and picture of a game, and the replay of an imported record."""

import asyncio
from typing import Annotated

from fastapi import File, Form, Query, Request, UploadFile
from starlette.responses import PlainTextResponse, Response

from app.core.errors import InvalidError
from app.core.web.addresses import network_of
from app.core.web.cards import Cards
from app.core.web.deps import Part, SiteUrl
from app.core.web.downloads import attachment
from app.core.web.render import page
from app.core.web.throttle import Limit, Throttle
from app.people.identity.pages import page_router
from app.people.identity.viewer import Viewer
from app.play.chat.presenter import transcript
from app.play.chat.service import Chat
from app.play.games import export
from app.play.games.presenter.page import game_view, role_of
from app.play.games.results import headline
from app.play.games.service import Games
from app.play.games.views import SPECTATOR
from engine.record import MAX_BYTES

router = page_router()


@router.get("/games/{game_id:id}/about")
async def about(
    game_id: str,
    viewer: Viewer,
    games: Part[Games],
    site_url: SiteUrl,
    ply: Annotated[int | None, Query(ge=0, le=100_000)] = None,
) -> Response:
    """Show a game's score graph, its record, and a link to share a ply of it."""
    state = await games.seen_by(viewer, game_id)
    role = role_of(state, viewer.id if viewer else None)
    shown = state.ply if ply is None else min(ply, state.ply)
    return page(
        "pages/game_about.html",
        game=game_view(state, role),
        headline=headline(state, role) if state.result else "",
        last_ply=state.ply,
        graph=export.score_graph(export.record_of(state)),
        record=export.export(state),
        ply=shown,
        link=f"{site_url}/games/{state.id}" + (f"?ply={shown}" if shown < state.ply else ""),
    )


@router.get("/games/{game_id:id}/record.txt")
async def download(game_id: str, viewer: Viewer, games: Part[Games], chat: Part[Chat]) -> Response:
    """Download a game's record; its players get their chat as comments."""
    state = await games.seen_by(viewer, game_id)
    said = transcript(await chat.of_player(viewer, state))
    return PlainTextResponse(
        export.export(state) + said,
        headers=attachment(f"gorrion-{game_id}.txt"),
    )


@router.get("/games/{game_id:id}/board.svg")
async def picture(
    game_id: str, viewer: Viewer, games: Part[Games], ply: Annotated[int, Query(ge=0, le=100_000)] = 100_000
) -> Response:
    """Return an image of a game after a ply, by default the last one."""
    drawn = export.picture(await games.seen_by(viewer, game_id), ply)
    return Response(drawn, media_type="image/svg+xml")


@router.get("/games/{game_id:id}/card.png")
async def card(request: Request, game_id: str, games: Part[Games], cards: Part[Cards]) -> Response:
    """Return a picture of a game for links to it."""
    state = await games.seen_by(None, game_id)
    view = game_view(state, SPECTATOR)
    lines = [f"{view.title} {view.board_text}", *view.players_with_sides]
    if state.result:
        lines.append(headline(state))
    return await cards.response(request, export.picture(state, state.ply), lines)


@router.get("/import")
async def import_form() -> Response:
    """Show the form to import a record."""
    return page("pages/import.html", text="", error="", replay=None, graph=None)


@router.post("/import")
async def import_record(
    request: Request,
    throttle: Part[Throttle],
    record: Annotated[str, Form(max_length=MAX_BYTES)] = "",
    file: Annotated[UploadFile | None, File()] = None,
    ply: Annotated[int, Form(ge=0, le=100_000)] = 0,
) -> Response:
    """Replay a record. Nothing is stored."""
    await throttle.hit(Limit.RECORD, network_of(request))
    text = record
    if file is not None and file.filename:
        text = (await file.read(MAX_BYTES + 1)).decode(errors="replace")
    try:
        read = await asyncio.to_thread(export.read, text)
    except InvalidError as error:
        return page(
            "pages/import.html",
            status=error.status,
            text=text[:MAX_BYTES],
            error=error.message,
            replay=None,
            graph=None,
        )
    return page(
        "pages/import.html",
        text=text,
        error="",
        replay=export.replay_of_record(read, ply),
        graph=export.score_graph(read),
        headers_of_record=read.headers,
    )
