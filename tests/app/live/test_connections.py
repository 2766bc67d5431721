"""Connections: what an ended one leaves behind."""

import asyncio
import gc
import weakref

from app.live.connections import Stream
from app.realtime.hub import Hub


async def test_an_ended_connection_is_freed_without_a_garbage_collection():
    """The server collects garbage rarely: what waits for that would add up to gigabytes."""
    started = asyncio.Event()

    async def work(connection):
        started.set()
        await asyncio.Event().wait()
        connection.end(1000)

    stream = Stream(Hub(), None)
    stream.keep_running(work(stream))
    await started.wait()
    gc.disable()
    try:
        await stream.release()
        freed = weakref.ref(stream)
        del stream
        await asyncio.sleep(0)
        assert freed() is None
    finally:
        gc.enable()
