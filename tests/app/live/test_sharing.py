"""What is read for many at once is read after each of them asked."""

import asyncio

from app.live.sharing import SharedReading


async def test_those_who_ask_during_a_reading_share_the_next_one():
    readings, may_end = [], asyncio.Event()

    async def read():
        readings.append(len(readings) + 1)
        number = readings[-1]
        await may_end.wait()
        return number

    shared = SharedReading(read)
    first = asyncio.create_task(shared.after(None))
    while not readings:  # noqa: ASYNC110
        await asyncio.sleep(0)
    late = [asyncio.create_task(shared.after(None)) for _ in range(3)]
    await asyncio.sleep(0)
    may_end.set()
    assert await asyncio.gather(first, *late) == [1, 2, 2, 2]
    assert await shared.after(None) == 3
