"""The live connection of the shared board of a game."""

import asyncio

from fastapi import APIRouter, WebSocket

from app.core.events import Event, Resync, study_topic
from app.core.web.addresses import site_url
from app.core.web.render import fragment
from app.learn.studies.boards import board_context
from app.learn.studies.deps import StudiesDep
from app.learn.studies.presenter import path_of, study_forms, study_view
from app.live.deps import LiveDep
from app.live.pushing import LiveSubscription, push

router = APIRouter(include_in_schema=False)


@router.websocket("/studies/{study_id:id}/live")
async def live_study(websocket: WebSocket, study_id: str, live: LiveDep, studies: StudiesDep) -> None:
    """Push the board as soon as a player has moved on it, at the node that was shown last."""
    async with live.page(websocket) as socket:
        viewer = socket.identity

        async def render(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
            if event is None:
                await studies.check_visible(study_id, viewer)
                return ""
            seen = await studies.get(study_id, viewer, [viewer.id] if viewer else [])
            link = site_url(websocket) + path_of(seen.study, seen.shown.key or "0")
            context = await asyncio.to_thread(
                board_context, seen.shown, study_forms(seen), link, viewer, study_view(seen)
            )
            return fragment("partials/analysis_update.html", **context)

        push(socket, render, study_topic(study_id))
        await socket.closed()
