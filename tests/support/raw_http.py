"""Requests and handshakes as bytes, and an application that answers them by the server's protocols."""

import asyncio
import contextlib

import uvicorn
from uvicorn.server import ServerState

from app.live.http import HttpProtocol
from app.live.protocol import WebSocketProtocol

KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
HONEST = [
    *[b"GET /live HTTP/1.1", b"Host: localhost", b"Upgrade: websocket", b"Connection: Upgrade", KEY],
    b"Sec-WebSocket-Version: 13",
]
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\n"


async def application(scope, receive, send):
    """Answer with the size of the body."""
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message["body"]), message["more_body"]
    text = str(size).encode()
    headers = [(b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": text})


@contextlib.asynccontextmanager
async def listening(application, **options):
    """Serve an ASGI application in this process, with uvicorn's options.

    Yield the port and the set of open connections.
    """
    config = uvicorn.Config(application, http=HttpProtocol, ws=WebSocketProtocol, log_config=None, **options)
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: HttpProtocol(config, state, {}), "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], state.connections
    finally:
        server.close()


@contextlib.asynccontextmanager
async def connected(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def answered(port, request):
    """Return all that the server sends until it closes the connection."""
    async with connected(port) as (reader, writer), asyncio.timeout(10):
        writer.write(request)
        return await reader.read()


def written(lines):
    """Return a head of these lines."""
    return b"\r\n".join((*lines, b"", b""))


async def status(reader):
    """Return the status of the answer, and the rest of what the server sends."""
    head = await reader.readuntil(b"\r\n\r\n")
    return int(head.split()[1]), head.lower()
