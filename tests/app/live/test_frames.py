"""Frames that bring no message are limited, and none keeps other connections waiting."""

import asyncio
import contextlib
import os
import struct
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.live.protocol import protocol_of
from tests.support.raw_http import HONEST, connected, listening, status, written

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


async def opening(endpoint):
    """Wait until an endpoint has accepted its websocket."""
    while not hasattr(endpoint, "protocol") or not endpoint.protocol.handshake_complete:  # noqa: ASYNC110
        await asyncio.sleep(0)


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


ANSWERS = {
    "an empty pong": ([frame(FINAL | PONG)], []),
    "a pong within a message": (
        [frame(TEXT, b"hel"), frame(FINAL | PONG), frame(FINAL | CONTINUED, b"lo")],
        ["hello"],
    ),
    "a pong before a message": ([frame(FINAL | PONG) + frame(FINAL | TEXT, HELLO)], ["hello"]),
    "a pong in two parts": ([frame(FINAL | PONG)[:3], frame(FINAL | PONG)[3:]], []),
    "a message": ([frame(FINAL | TEXT, HELLO)], ["hello"]),
}


@pytest.mark.parametrize("answer", ANSWERS)
async def test_who_answers_a_ping_stays_connected(answer):
    parts, messages = ANSWERS[answer]
    endpoint = Endpoint()
    async with opened(endpoint) as (reader, writer):
        await opening(endpoint)
        for _ in range(3):
            endpoint.protocol.ping()
            assert await reader.readexactly(2) == bytes((FINAL | PING, 0))
            for part in parts:
                writer.write(part)
                await asyncio.sleep(0.02)  # so that the server reads it alone
        writer.write(frame(FINAL | CLOSE, struct.pack(">H", 1000)))
        assert await close_code(reader) == 1000
        await endpoint.ended.wait()
    assert endpoint.messages == 3 * messages


KINDS = st.sampled_from(
    (FINAL | TEXT,) * 6 + (TEXT, CONTINUED, FINAL | CONTINUED, FINAL | BINARY, FINAL | PING)
)
PAYLOADS = st.one_of(st.text(max_size=60).map(str.encode), st.binary(max_size=130))
FRAMES = st.lists(
    st.builds(frame, KINDS, PAYLOADS.filter(lambda data: len(data) < 126)), min_size=1, max_size=6
)


@st.composite
def deliveries(draw):
    """Return frames, and all of their bytes in parts as a network may deliver them."""
    frames = draw(FRAMES)
    whole = b"".join(frames)
    cuts = sorted(draw(st.sets(st.integers(1, len(whole) - 1), max_size=6)))
    of_frames = [sum(map(len, frames[:n])) for n in range(1, len(frames))]
    ends = draw(st.sampled_from((cuts, of_frames, sorted({*cuts, *of_frames}))))
    return whole, [whole[start:end] for start, end in pairwise([0, *ends, len(whole)])]


@given(delivery=deliveries())
async def test_it_does_not_matter_how_the_network_cuts_what_a_client_sends(delivery):
    """Text that comes alone does not pass the parser of frames; a byte at a time always does."""
    whole, parts = delivery
    arrived = []
    for received in (parts, [whole[n : n + 1] for n in range(len(whole))]):
        endpoint = Endpoint()
        async with opened(endpoint) as (_, writer):
            await opening(endpoint)
            for part in received:
                endpoint.protocol.data_received(part)
            writer.close()
            await endpoint.ended.wait()
        arrived.append((endpoint.messages, endpoint.protocol.conn.close_sent))
    (messages, closed), (by_bytes, closed_by_bytes) = arrived
    assert (closed is None) == (closed_by_bytes is None)
    if closed is None:
        assert messages == by_bytes
    else:  # what arrived together with a frame that is not allowed may be dropped with it
        assert messages == by_bytes[: len(messages)]


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
