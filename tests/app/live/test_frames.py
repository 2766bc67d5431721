"""Frames that bring no message are limited, and none keeps other connections waiting."""

import asyncio
import contextlib
import os
import struct

import pytest

from app.live.protocol import protocol_of
from tests.support.listening import listening
from tests.support.raw_http import HONEST, connected, status, written

TEXT, BINARY, CONTINUED, CLOSE, PING, PONG, FINAL = 0x01, 0x02, 0x00, 0x08, 0x09, 0x0A, 0x80
HELLO = b"hello"


def frame(kind, payload=b""):
    """Return a masked frame."""
    size = len(payload)
    length = bytes((0x80 | size,)) if size < 126 else bytes((0xFE,)) + struct.pack(">H", size)
    mask = os.urandom(4)
    return bytes((kind,)) + length + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload))


class Endpoint:
    """Accepts websockets and keeps what it is sent."""

    def __init__(self, pause=0.0):
        self.messages = []
        self.pause = pause
        self.ended = asyncio.Event()

    async def __call__(self, scope, receive, send):
        self.protocol = protocol_of(scope)
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            self.messages.append(message.get("text", message.get("bytes")))
            await asyncio.sleep(self.pause)
        self.ended.set()


@contextlib.asynccontextmanager
async def opened(endpoint):
    async with listening(endpoint, ws_max_size=16_384) as (port, _), connected(port) as (reader, writer):
        writer.write(written(HONEST))
        assert (await status(reader))[0] == 101
        async with asyncio.timeout(30):
            yield reader, writer


async def close_code(reader):
    """Return the code with which the server closes the connection, after pongs."""
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        while True:
            kind, size = await reader.readexactly(2)
            payload = await reader.readexactly(size)
            if kind == FINAL | CLOSE:
                return int.from_bytes(payload[:2])
    return 1006


ENDLESS = {
    "pings": frame(FINAL | PING),
    "pings with data": frame(FINAL | PING, b"x" * 100),
    "pongs": frame(FINAL | PONG),
    "pongs with data": frame(FINAL | PONG, b"x" * 100),
    "empty texts": frame(FINAL | TEXT),
    "empty bytes": frame(FINAL | BINARY),
    "empty messages in fragments": frame(TEXT) + frame(CONTINUED) + frame(FINAL | CONTINUED),
    "tiny messages in empty fragments": frame(TEXT) + frame(CONTINUED) * 9 + frame(FINAL | CONTINUED, b"x"),
}


@pytest.mark.parametrize("form", ENDLESS)
async def test_frames_that_bring_nothing_end_the_connection(form):
    async with opened(Endpoint()) as (reader, writer):
        writer.write(ENDLESS[form] * 10_000)
        assert await close_code(reader) in {1008, 1006}


@pytest.mark.parametrize("fragment", [b"", b"x"], ids=["empty", "tiny"])
@pytest.mark.parametrize("kind", [TEXT, BINARY])
async def test_a_message_of_endless_fragments_ends_the_connection(kind, fragment):
    async with opened(Endpoint()) as (reader, writer):
        writer.write(frame(kind, b"x") + frame(CONTINUED, fragment) * 10_000)
        assert await close_code(reader) in {1008, 1006}


@pytest.mark.parametrize(
    "frames",
    [
        [frame(FINAL | TEXT, HELLO)],
        [
            frame(TEXT, b"h"),
            *(frame(CONTINUED, b"%c" % byte) for byte in b"ell"),
            frame(FINAL | CONTINUED, b"o"),
        ],
        [frame(TEXT), frame(CONTINUED, HELLO), frame(FINAL | CONTINUED)],
        [
            frame(TEXT, b"he"),
            frame(FINAL | PING, b"1"),
            frame(FINAL | PONG),
            frame(FINAL | CONTINUED, b"llo"),
        ],
        [frame(FINAL | PONG)] * 5 + [frame(FINAL | TEXT, HELLO)],
    ],
    ids=["whole", "fragments", "empty fragments", "control frames between", "pongs"],
)
async def test_honest_messages_arrive(frames):
    endpoint = Endpoint()
    async with opened(endpoint) as (reader, writer):
        writer.write(b"".join(frames))
        writer.write(frame(FINAL | CLOSE, struct.pack(">H", 1000)))
        assert await close_code(reader) == 1000
        await endpoint.ended.wait()
    assert endpoint.messages == ["hello"]


@pytest.mark.parametrize("size", [1, 10, 200, 5000, 16_000])
async def test_messages_of_a_quick_client_all_arrive_in_order(size):
    endpoint, count = Endpoint(), 300_000 // (size + 8) + 1
    texts = [f"{n:0{size}}"[-size:] for n in range(min(count, 5000))]
    async with opened(endpoint) as (reader, writer):
        writer.write(b"".join(frame(FINAL | TEXT, text.encode()) for text in texts))
        writer.write(frame(FINAL | CLOSE, struct.pack(">H", 1000)))
        assert await close_code(reader) == 1000
        await endpoint.ended.wait()
    assert endpoint.messages == texts


async def test_a_flood_of_messages_is_neither_kept_nor_parsed_at_once():
    endpoint = Endpoint(pause=0.001)
    async with opened(endpoint) as (_, writer):
        writer.write(frame(FINAL | TEXT, b"x") * 50_000)
        while len(endpoint.messages) < 500:
            assert endpoint.protocol.queue.qsize() < 500
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    "frames",
    [
        [frame(FINAL | TEXT, b"\xff\xfe")],
        [frame(TEXT, b"\xe2\x82"), frame(FINAL | CONTINUED, b"x")],
        [frame(FINAL | TEXT, b"\xff"), frame(FINAL | CLOSE, struct.pack(">H", 1000))],
        [frame(FINAL | TEXT, b"\xff"), frame(FINAL | PING), frame(FINAL | TEXT, b"\xff")],
        [frame(FINAL | CLOSE, b"\x03\xe8\xff\xff")],
        [frame(FINAL | CLOSE, b"\x03")],
        [frame(CONTINUED, b"x")],
        [frame(TEXT, b"x"), frame(FINAL | TEXT, b"y")],
        [frame(FINAL | TEXT, b"x" * 17_000)],
        [frame(TEXT, b"x" * 16_000), frame(CONTINUED, b"x" * 1000)],
        [frame(0xC1, b"x")],
        [frame(0x8F, b"x")],
        [b"\x81\x01x"],
        [b"\xff" * 1000],
    ],
    ids=range(14),
)
async def test_frames_that_are_not_allowed_close_the_connection_and_are_no_error_of_the_server(
    frames, caplog
):
    async with opened(Endpoint()) as (reader, writer):
        writer.write(b"".join(frames))
        assert await close_code(reader) in {1000, 1002, 1007, 1009}
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
