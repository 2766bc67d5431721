"""Connections: their heartbeats, and what an ended one leaves behind."""

import asyncio
import gc
import weakref

from app.core.realtime.hub import Hub
from app.live.connections import HEARTBEAT_EVERY, Connections, Stream
from app.live.pushing import push
from app.play.lobby.challenges import ChallengeChanged, challenge_topic


async def assert_freed(occupied):
    """Check that the connection which `occupied` returns is freed without a garbage collection.

    The server collects garbage rarely: what waits for that would add up to gigabytes.
    """
    gc.disable()
    try:
        stream = await occupied()
        await stream.release()
        freed = weakref.ref(stream)
        del stream
        await asyncio.sleep(0)
        assert freed() is None
    finally:
        gc.enable()


async def test_an_ended_connection_is_freed_without_a_garbage_collection():
    started = asyncio.Event()

    async def work(connection):
        started.set()
        await asyncio.Event().wait()
        connection.end(1000)

    async def working():
        stream = Stream(Hub(), None)
        stream.keep_running(work(stream))
        await started.wait()
        return stream

    await assert_freed(working)


async def test_a_reader_that_is_too_slow_is_sent_away_and_freed():
    rendering = asyncio.Event()

    async def render(_event, subscription):
        subscription.listen_to(challenge_topic("a"))
        rendering.set()
        await asyncio.Event().wait()

    async def sent_away():
        hub = Hub()
        stream = Stream(hub, None)
        push(stream, render, challenge_topic("a"))
        await rendering.wait()
        for number in range(100):
            hub.publish(ChallengeChanged("a", str(number), ()))
        assert stream.is_ended
        assert not hub.topics
        return stream

    await assert_freed(sent_away)


class BusyLoop(asyncio.SelectorEventLoop):
    """An event loop whose sleeps take no time by themselves, and each of which ends late by its own clock."""

    LATE = 0.05  # seconds
    now = 0.0

    def time(self):
        return self.now

    def call_at(self, when, callback, *arguments, context=None):
        def late():
            self.now = max(self.now, when) + self.LATE
            callback(*arguments)

        return self.call_soon(late, context=context)


def test_a_busy_process_sends_heartbeats_as_often_as_others():
    async def seconds(beats):
        connections, stream = Connections(), Stream(Hub(), None)
        connections.add(stream)
        beating = asyncio.create_task(connections.beat())
        lines = stream.lines()
        for _ in range(beats):
            await anext(lines)
        beating.cancel()
        return asyncio.get_running_loop().time()

    with asyncio.Runner(loop_factory=BusyLoop) as runner:
        assert 9 < runner.run(seconds(beats=10)) / HEARTBEAT_EVERY < 10.5
