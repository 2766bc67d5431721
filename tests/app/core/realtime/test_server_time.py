"""The server's time: which clock is believed when two of them differ, and what counts as downtime."""

import asyncio

import asyncpg
import pytest

from app.core.database.session import Database
from app.core.realtime.server_time import Reading, ServerTime, Stepped, stepped
from tests.support.waiting import WITHIN

HOUR = 3_600_000  # milliseconds
LAST = 1_800_000_000_000  # a heartbeat


def reading(*, database, process):
    """Return a reading that took 4 ms, of clocks so many milliseconds after the last heartbeat."""
    return Reading(LAST + database, LAST + process - 2, LAST + process + 2)


@pytest.mark.parametrize(
    ("database", "process", "expected"),
    [
        (500, 500, None),
        (500, 1_400, None),
        (60_000, 60_000, None),  # a downtime, which both clocks have seen
        (HOUR + 500, 500, Stepped.DATABASE),
        (500 - HOUR, 500, Stepped.DATABASE),
        (500, HOUR + 500, Stepped.PROCESS),
        (500, 500 - HOUR, Stepped.PROCESS),
        (2_100, 500, Stepped.DATABASE),  # a small step, which the last heartbeat does not decide
        (HOUR + 30_000, 30_000, Stepped.DATABASE),  # a step during a downtime
    ],
)
def test_the_clock_that_goes_on_from_the_last_heartbeat_is_right(database, process, expected):
    assert stepped(reading(database=database, process=process), LAST) == expected


def test_a_slow_answer_is_no_step():
    assert Reading(LAST + 3_000, LAST, LAST + 5_000).lead == 0
    assert Reading(LAST + 6_000, LAST, LAST + 5_000).lead == 1_000
    assert Reading(LAST - 1_000, LAST, LAST + 5_000).lead == -1_000


class Downtimes(list):
    async def note(self, _connection, downtime):
        self.append(downtime)


@pytest.fixture(scope="module")
def unserved(new_database):
    """Return the URL of a database without a server, whose heartbeats would notice each downtime first."""
    return new_database("server_time")


@pytest.fixture
async def pair(unserved):
    """Return the server's time in two processes, which have one clock here."""
    database = await Database.open(unserved, pool_size=2)
    yield ServerTime(database.pool), ServerTime(database.pool)
    await database.close()


async def test_downtime_is_noted_once_however_many_processes_come_back(pair, clock):
    here, there = pair
    downtimes = Downtimes()
    await here.beat(downtimes.note)
    downtimes.clear()
    clock.advance_during_downtime(seconds=40)
    await asyncio.gather(here.beat(downtimes.note), there.beat(downtimes.note))
    (downtime,) = downtimes
    assert downtime.until - downtime.since == pytest.approx(40_000, abs=2_000)
    assert here.is_trusted


async def test_a_process_that_vanishes_within_its_beat_does_not_keep_others_from_beating(pair, clock):
    here, there = pair
    has_lock, is_closed = asyncio.Event(), asyncio.Event()

    async def vanish(connection, _downtime):
        connection.add_termination_listener(lambda _connection: is_closed.set())
        has_lock.set()
        await asyncio.Event().wait()

    await there.beat(Downtimes().note)
    clock.advance_during_downtime(seconds=40)
    beat = asyncio.create_task(here.beat(vanish))
    await has_lock.wait()
    async with asyncio.timeout(8):
        await there.beat(Downtimes().note)
    async with asyncio.timeout(WITHIN):
        await is_closed.wait()  # PostgreSQL has closed its connection
    beat.cancel()
    with pytest.raises(asyncpg.InterfaceError):
        await beat
