"""The server's protocols with another application, in the test's own process."""

import asyncio
import contextlib

import uvicorn
from uvicorn.server import ServerState

from app.live.http import HttpProtocol
from app.live.protocol import WebSocketProtocol


@contextlib.asynccontextmanager
async def listening(application, **options):
    """Serve an ASGI application with uvicorn's options. Yield the port and the set of open connections."""
    config = uvicorn.Config(application, http=HttpProtocol, ws=WebSocketProtocol, log_config=None, **options)
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: HttpProtocol(config, state, {}), "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], state.connections
    finally:
        server.close()
