"""The live connection of the page of a search: the search lasts as long as the page is open."""

import contextlib
from collections.abc import AsyncIterator

from fastapi import APIRouter, WebSocket

from app.core.events import Event, Resync, account_topic
from app.core.web.deps import Part
from app.core.web.render import fragment
from app.live.messages import visit
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.play.pairing.presenter import search_view
from app.play.pairing.service import Pairing
from engine.search.levels import USUAL

router = APIRouter(include_in_schema=False)


@router.websocket("/pairing/live")
async def live_pairing(websocket: WebSocket, live: Part[Live], pairing: Part[Pairing]) -> None:
    """Push the viewer's search to its page, and send the page to the game that begins."""
    async with live.page(websocket) as socket:
        account_id = socket.viewer.id

        async def render(_event: Event | Resync | None, _subscription: LiveSubscription) -> str:
            search = await pairing.keep(account_id)
            if search is None:
                return ""
            if search.game_id is not None:
                socket.send(visit(f"/games/{search.game_id}"))
                return ""
            return fragment("partials/pairing_update.html", search=search_view(search), usual_level=USUAL)

        await socket.hold(_present(pairing, account_id))
        socket.on_heartbeat(push(socket, render, account_topic(account_id)).look)


@contextlib.asynccontextmanager
async def _present(pairing: Pairing, account_id: int) -> AsyncIterator[None]:
    try:
        yield
    finally:
        await pairing.leave(account_id)
