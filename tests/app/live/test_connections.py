"""Open connections of a process: heartbeats."""

from app.live.connections import Stream
from app.realtime.hub import Hub


async def test_a_heartbeat_looks_for_missed_events_and_sends_an_empty_line():
    checks = []
    stream = Stream(Hub(), None)
    stream.on_heartbeat(lambda: checks.append("checked"))
    stream.beat()
    assert checks == ["checked"]
    stream.end(1012)
    assert [line async for line in stream.lines()] == [b"\n"]
