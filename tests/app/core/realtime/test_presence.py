"""Presence: who is there, also after a process was taken for dead."""

import asyncio

import pytest

from app.core.events import player_topic
from app.core.realtime import presence as presence_module
from app.core.realtime.bus import MemoryBus
from app.core.realtime.hub import Hub
from app.core.realtime.postgres_presence import PostgresPresence
from app.core.realtime.presence import SITE, PresenceAnnouncer
from app.core.supervisor import Supervisor


@pytest.fixture
async def presence(database):
    """Run the presence of a process under a supervisor."""
    presence = PostgresPresence(database.pool, MemoryBus(Hub()))
    supervisor = Supervisor(database.answers, pytest.fail)
    supervisor.keep("presence", presence.run)
    await presence.joined.wait()
    yield presence
    await supervisor.stop()
    await presence.stop()


async def strangers_become(number, presence, place):
    async with asyncio.timeout(20):
        while (await presence.at(place)).strangers != number:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_a_process_that_was_taken_for_dead_announces_its_connections_again(presence, database):
    place, before = "taken-for-dead", presence.watching_since
    async with presence.here(None, place):
        assert (await presence.at(place)).strangers == 1
        async with database.pool.acquire() as connection, connection.transaction():
            await connection.execute("LOCK TABLE connections IN EXCLUSIVE MODE")  # it cannot come back yet
            await database.pool.execute("DELETE FROM processes WHERE id = $1", presence.process_id)
            assert (await presence.at(place)).strangers == 0
        await strangers_become(1, presence, place)
        await presence.joined.wait()
        # It saw nobody come for a moment, so absences count from now on.
        assert presence.watching_since > before
    await strangers_become(0, presence, place)


async def test_a_visit_ends_that_begins_and_ends_while_another_one_is_stored(presence, database):
    place = "short-visit"
    leaving = asyncio.Event()

    async def stay_until(gone):
        async with presence.here(None, place):
            await gone.wait()

    async with database.pool.acquire() as connection:
        transaction = connection.transaction()
        await transaction.start()
        await connection.execute("LOCK TABLE connections IN EXCLUSIVE MODE")
        stored = asyncio.create_task(stay_until(leaving))
        await asyncio.sleep(0.1)  # it waits for the lock
        passing = asyncio.create_task(stay_until(leaving))
        await asyncio.sleep(0.1)
        passing.cancel()
        await asyncio.wait([passing])
        await transaction.rollback()
    await strangers_become(1, presence, place)
    leaving.set()
    await stored
    await strangers_become(0, presence, place)


async def test_a_process_that_does_not_run_sees_no_absence(database):
    assert PostgresPresence(database.pool, MemoryBus(Hub())).watching_since is None


async def test_who_leaves_as_a_process_ends_is_missed_by_another_one(presence, database):
    account, missed = 2**40, asyncio.Event()

    async def tell(gone):
        if account in gone:
            missed.set()

    presence.departures.when_gone(tell)
    looking = asyncio.create_task(presence.departures.look())
    ending = PostgresPresence(database.pool, MemoryBus(Hub()))
    running = asyncio.create_task(ending.run())
    await ending.joined.wait()
    async with ending.here(account, "ends-with-its-process"):
        running.cancel()
        await ending.stop()
    async with asyncio.timeout(25):
        await missed.wait()
    looking.cancel()


async def test_who_comes_back_while_a_departure_is_told_is_seen(monkeypatch):
    monkeypatch.setattr(presence_module, "ABSENT_AFTER", 0)
    hub, is_here, seen = Hub(), False, []

    async def gone(accounts):
        return frozenset() if is_here else frozenset(accounts)

    async def come_back(_gone):
        nonlocal is_here
        is_here = True
        announcer.arrive([(7, SITE)])

    announcer = PresenceAnnouncer(MemoryBus(hub), gone)
    announcer.when_gone(come_back)
    hub.listen(lambda _event: seen.append(is_here), (player_topic(7),))
    announcer.note([(7, SITE)])
    looking = asyncio.create_task(announcer.look())
    await asyncio.sleep(1.5)
    looking.cancel()
    assert seen
    assert seen[-1], "what readers read after the last event"
