"""Keeping a page up to date: what its live connection does from opening to end."""

from collections.abc import Awaitable, Callable

from fastapi import WebSocket

from app.database.session import Database
from app.errors import AppError
from app.identity.service import Identity
from app.identity.viewer import current_viewer, proof_topic
from app.realtime import sockets
from app.realtime.hub import Announcement, Hub, Subscription
from app.settings import Settings
from app.web.origin import check_same_origin

Listen = Callable[[Identity | None], list[str]]
"""Gives the topics that a viewer's page listens to."""

Render = Callable[[Identity | None, Announcement | None, Subscription], Awaitable[str]]
"""Gives what to send to a viewer on an announcement, or as a greeting (None)."""


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
        proof = [proof_topic(viewer)] if viewer else []
        with hub.subscribe(*listen(viewer), *proof) as subscription:

            async def messages(item: Announcement | None) -> list[str]:
                if item is None:
                    return [sockets.HEARTBEAT]
                if item.topic in proof:
                    subscription.end(sockets.UNAUTHENTICATED)
                    return []
                return [await render(viewer, item, subscription)]

            greeting = await render(viewer, None, subscription)
            await sockets.run(websocket, subscription, messages, sockets.ignore, greeting)
    except AppError as error:
        await sockets.refuse(websocket, sockets.close_code(error))
