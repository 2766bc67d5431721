"""Counting limited actions in one process."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from app.web.throttle import Limit, PostgresCounts

FINCH, WREN = "account:1", "account:2"


async def test_actions_are_counted_without_waiting_for_threads_that_work():
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    counts, done = PostgresCounts(None), threading.Event()
    working = asyncio.create_task(asyncio.to_thread(done.wait))
    try:
        async with asyncio.timeout(5):
            for _ in range(20):
                assert await counts.count(Limit.CHALLENGE, FINCH) is None
                await asyncio.sleep(0)
            assert await counts.count(Limit.CHALLENGE, FINCH) in range(50, 61)
            assert await counts.count(Limit.CHALLENGE, WREN) is None
    finally:
        done.set()
        await working


async def test_a_window_ends():
    counts = PostgresCounts(None)
    while (seconds := await counts.count(Limit.MOVE, FINCH)) is None:
        pass
    await asyncio.sleep(seconds)
    assert await counts.count(Limit.MOVE, FINCH) is None
