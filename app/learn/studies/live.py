"""The live connection of the shared board of a game."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket

from app.core.events import Event, Resync
from app.core.web.addresses import site_url
from app.core.web.deps import Part
from app.core.web.render import fragment
from app.learn.studies.events import study_topic
from app.learn.studies.presenter import board_context, board_of_study
from app.learn.studies.service import Studies
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.people.identity.devices import Person
from app.people.identity.viewer import ClientDep

router = APIRouter(include_in_schema=False)


@router.websocket("/studies/{study_id:id}/live")
async def live_study(
    websocket: WebSocket,
    study_id: str,
    live: Part[Live],
    studies: Part[Studies],
    client: ClientDep,
    version: Annotated[int, Query(ge=0)] = 0,
) -> None:
    """Push the board, at the node that was shown last, to a page that shows another version of it.

    A page may have been opened at any node, which stays until a player has moved on the board.
    """
    async with live.page(websocket) as socket:
        viewer, address = socket.identity, site_url(websocket)
        person = Person(viewer.id if viewer else None, client.device)

        async def render(_event: Event | Resync | None, _subscription: LiveSubscription) -> str:
            nonlocal version
            if await studies.version(study_id, viewer) == version:
                return ""
            seen = await studies.get(study_id, viewer, person)
            version = seen.study.version
            board = board_of_study(seen, address)
            context = await asyncio.to_thread(board_context, board, viewer)
            return fragment("partials/analysis_update.html", **context)

        socket.on_heartbeat(push(socket, render, study_topic(study_id)).look)
