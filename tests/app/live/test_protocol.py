"""The websocket protocol: what an ended connection leaves behind."""

import asyncio
import contextlib
import gc
import weakref

import uvicorn
from websockets.asyncio.client import connect

from app.live import protocol
from app.live.http import HttpProtocol
from app.live.protocol import WebSocketProtocol
from tests.support.ports import free_port


async def listener(scope, receive, send):
    """Accept a websocket and read until it ends."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


@contextlib.asynccontextmanager
async def listening(port):
    config = uvicorn.Config(
        listener, port=port, http=HttpProtocol, ws=WebSocketProtocol, lifespan="off", log_config=None
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    yield
    server.should_exit = True
    await serving


async def test_an_ended_connection_is_freed_without_a_garbage_collection(monkeypatch):
    """The server collects garbage rarely: what waits for that would add up to gigabytes."""
    monkeypatch.setattr(protocol, "_CLOSE_WITHIN", 0)
    protocols, port = [], free_port()
    begin = WebSocketProtocol.__init__

    def note(self, *args, **options):
        begin(self, *args, **options)
        protocols.append(weakref.ref(self))

    monkeypatch.setattr(WebSocketProtocol, "__init__", note)
    gc.collect()
    gc.disable()
    try:
        async with listening(port):
            for _ in range(3):
                async with connect(f"ws://127.0.0.1:{port}/") as websocket:
                    await websocket.send("{}")
            async with asyncio.timeout(10):
                while any(reference() for reference in protocols):  # noqa: ASYNC110 - as above
                    await asyncio.sleep(0.01)
    finally:
        gc.enable()
    assert len(protocols) == 3
