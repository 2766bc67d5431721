"""Keeping a page up to date: what its live connection does from opening to end."""

from collections.abc import Awaitable, Callable

from fastapi import WebSocket

from app.database.session import Database
from app.errors import AppError
from app.events import Event, ProofRevoked, Resync, Topic, proof_topic
from app.identity.service import Identity
from app.identity.viewer import current_viewer
from app.realtime import sockets
from app.realtime.hub import Hub, Subscription
from app.settings import Settings
from app.web.origin import check_same_origin

Listen = Callable[[Identity | None], list[Topic]]
"""Returns the topics that a viewer's page listens to."""

Render = Callable[[Identity | None, Event | Resync | None, Subscription], Awaitable[str]]
"""Returns what to send to a viewer on an event, or as a greeting (None)."""


async def keep_live(
    websocket: WebSocket,
    listen: Listen,
    render: Render,
    *,
    database: Database,
    hub: Hub,
    settings: Settings,
) -> None:
    """Serve the live connection of a page until it ends, or until the viewer's proof does."""
    await websocket.accept()
    try:
        check_same_origin(websocket.headers, settings.public_url)
        viewer = await current_viewer(websocket, settings, database)
        proof = [proof_topic(viewer.proof)] if viewer else []
        with hub.subscribe(*listen(viewer), *proof) as subscription:

            async def messages(item: Event | Resync | None) -> list[str]:
                if item is None:
                    return [sockets.HEARTBEAT]
                if isinstance(item, ProofRevoked):
                    subscription.end(sockets.UNAUTHENTICATED)
                    return []
                return [await render(viewer, item, subscription)]

            greeting = await render(viewer, None, subscription)
            await sockets.run(websocket, subscription, messages, sockets.ignore, greeting)
    except AppError as error:
        await sockets.refuse(websocket, sockets.close_code(error))
