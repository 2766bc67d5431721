"""One open socket: what its subscription brings goes out, in order; what comes in goes to a handler."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any

import orjson
from starlette.websockets import WebSocket, WebSocketDisconnect

from app.errors import AppError
from app.realtime.hub import Subscription, SubscriptionEnded

HEARTBEAT_EVERY = 20.0  # seconds; each is also a moment to look whether an announcement was missed
_SEND_WITHIN = 10.0  # seconds

HEARTBEAT = '{"type":"heartbeat"}'

NORMAL = 1000
UNAUTHENTICATED = 4401
BAD_ORIGIN = 4403

# What to send for one item of the subscription, or for None when it is time for a heartbeat.
Messages = Callable[[Any], Awaitable[Iterable[str]]]
Incoming = Callable[[str], Awaitable[None]]


async def items(subscription: Subscription) -> AsyncIterator[Any]:
    """Give a subscription's items as they come, and None whenever there was silence for a while.

    Raises SubscriptionEnded.
    """
    while True:
        try:
            async with asyncio.timeout(HEARTBEAT_EVERY):
                item = await subscription.get()
        except TimeoutError:
            item = None
        yield item


async def run(
    websocket: WebSocket,
    subscription: Subscription,
    messages: Messages,
    incoming: Incoming,
    greeting: str = "",
) -> None:
    """Serve an accepted socket until one of the two ends is done; a client that does not read is dropped.

    The greeting, if there is one, is sent before anything else.
    """
    receiving = asyncio.create_task(_receive(websocket, subscription, incoming))
    code = NORMAL
    try:
        if greeting:
            await websocket.send_text(greeting)
        async for item in items(subscription):
            for text in await messages(item):
                async with asyncio.timeout(_SEND_WITHIN):
                    await websocket.send_text(text)
    except SubscriptionEnded as end:
        code = end.code
    except (TimeoutError, WebSocketDisconnect, RuntimeError):
        pass  # the client is gone, or might as well be
    finally:
        receiving.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await receiving
        await refuse(websocket, code)


async def refuse(websocket: WebSocket, code: int) -> None:
    """Close an accepted socket with a code; nothing happens when it is closed already."""
    websocket.state["close_code"] = code  # for the log line, see app.web.middleware
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await websocket.close(code)


def close_code(error: AppError) -> int:
    """Give the close code that tells a client of an error, 4404 for a 404; hx-ws does not retry these."""
    return 4000 + error.status


def visit(path: str) -> str:
    """Give the message that takes a waiting page to another one."""
    return orjson.dumps({"visit": path}).decode()


async def ignore(_text: str) -> None:
    """Do nothing with what a page's socket says: pages speak by requests."""


async def _receive(websocket: WebSocket, subscription: Subscription, incoming: Incoming) -> None:
    try:
        while True:
            message = await websocket.receive()
            if message["type"] == "websocket.disconnect":
                break
            await incoming(message.get("text") or "")
    finally:
        subscription.end(NORMAL)
