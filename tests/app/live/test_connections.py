"""Live connections: what is sent, heartbeats, and how connections end."""

import asyncio

import orjson
import pytest

from app.events import PresenceChanged, presence_topic
from app.live.connections import NORMAL, SLOTS, Connections, Stream
from app.live.messages import Message
from app.realtime.hub import Hub


async def line(lines):
    async with asyncio.timeout(10):
        return await anext(lines)


@pytest.mark.parametrize(
    ("size", "header"),
    [
        (0, b"\x81\x00"),
        (125, b"\x81\x7d"),
        (126, b"\x81\x7e\x00\x7e"),
        (65_536, b"\x81\x7f" + b"\0" * 5 + b"\1\0\0"),
    ],
)
def test_a_message_is_framed_as_the_standard_says(size, header):
    assert Message(b"x" * size).frame == header + b"x" * size


async def test_a_silent_connection_receives_heartbeats_and_looks_for_what_it_missed():
    open_connections, stream = Connections(), Stream(Hub(), None)
    looked = []
    stream.on_heartbeat(lambda: looked.append(True))
    open_connections.add(stream)
    for _ in range(SLOTS):
        open_connections.beat_next()
    assert await line(stream.lines()) == b"\n"
    assert looked == [True]


def test_no_heartbeat_comes_before_the_first_message_of_a_connection():
    open_connections, beaten = Connections(), []
    for _ in range(3 * SLOTS):
        stream = Stream(Hub(), None)
        stream.on_heartbeat(lambda: beaten.append(True))
        open_connections.add(stream)
        open_connections.beat_next()
        assert not beaten
        open_connections.remove(stream)


async def test_closing_ends_the_open_connections_and_those_to_come():
    open_connections, hub = Connections(), Hub()
    early, late = [Stream(hub, None) for _ in range(1000)], Stream(hub, None)
    for stream in early:
        open_connections.add(stream)
    open_connections.close()
    open_connections.add(late)
    assert [text async for text in late.lines()] == []
    last = [[orjson.loads(text) async for text in stream.lines()] for stream in early]
    assert all(message["type"] == "restart" for [message] in last)
    returns = [message["retry_after"] for [message] in last]
    assert min(returns) >= 0
    assert max(sum(second <= moment < second + 1 for moment in returns) for second in range(5)) < 300


async def test_a_connection_that_has_ended_receives_no_events():
    hub = Hub()
    stream, heard = Stream(hub, None), []
    stream.listen(heard.append, presence_topic("a"))
    hub.publish(PresenceChanged("a"))
    stream.end(NORMAL)
    hub.publish(PresenceChanged("a"))
    assert heard == [PresenceChanged("a")]


async def test_a_reader_of_a_stream_that_falls_behind_is_disconnected():
    stream = Stream(Hub(), None)
    for _ in range(100):
        stream.send(Message(b"{}"))
    received = [text async for text in stream.lines()]
    assert len(received) < 100
