"""What carries news between sockets and processes, and how it copes with loss."""

import asyncio

import asyncpg
import pytest

from app.realtime import sockets
from app.realtime.bus import PostgresBus
from app.realtime.hub import GOING_AWAY, TOO_SLOW, Announcement, Hub, SubscriptionEnded


async def told(subscription):
    async with asyncio.timeout(10):
        return await subscription.get()


async def test_a_listener_hears_its_topics_only():
    hub = Hub()
    with hub.subscribe("game:a", "account:1") as subscription:
        for topic in ("game:b", "game:a", "account:1"):
            hub.publish(Announcement(topic, "7"))
        assert await told(subscription) == Announcement("game:a", "7")
        assert await told(subscription) == Announcement("account:1", "7")


async def test_who_does_not_read_is_told_to_come_back():
    hub = Hub()
    with hub.subscribe("game:a") as slow, hub.subscribe("game:a") as quick:
        for version in range(200):
            hub.publish(Announcement("game:a", str(version)))
            assert await told(quick) == Announcement("game:a", str(version))
        for _ in range(2):  # and it stays ended
            with pytest.raises(SubscriptionEnded) as end:
                await told(slow)
            assert end.value.code == TOO_SLOW


async def test_closing_ends_those_who_listen_and_those_who_come():
    hub = Hub()
    with hub.subscribe("game:a") as before:
        hub.close()
        with hub.subscribe("game:a") as after:
            for subscription in (before, after):
                with pytest.raises(SubscriptionEnded) as end:
                    await told(subscription)
                assert end.value.code == GOING_AWAY


async def test_silence_is_a_moment_to_look_again(monkeypatch):
    monkeypatch.setattr(sockets, "HEARTBEAT_EVERY", 0.01)
    hub = Hub()
    with hub.subscribe("game:a") as subscription:
        items = sockets.items(subscription)
        assert await anext(items) is None
        hub.publish(Announcement("game:a", "1"))
        assert await anext(items) == Announcement("game:a", "1")
        assert await anext(items) is None


@pytest.fixture
async def buses(database_url):
    """Give two processes' buses on one PostgreSQL, each with its hub."""
    pairs = []
    for _ in range(2):
        hub = Hub()
        bus = PostgresBus(hub, database_url)
        await bus.start()
        pairs.append((bus, hub))
    yield pairs
    for bus, _ in pairs:
        await bus.stop()


async def test_news_crosses_processes_in_order_however_much_there_is(buses):
    (here, own), (_, other) = buses
    with own.subscribe("game:a") as near, other.subscribe("game:a") as far:
        for batch in range(10):
            for number in range(40):
                here.announce("game:a", f"{batch}.{number}" + "x" * 400)
            for subscription in (near, far):
                heard = [(await told(subscription)).detail.rstrip("x") for _ in range(40)]
                assert heard == [f"{batch}.{number}" for number in range(40)]


async def test_a_bus_that_lost_its_connection_comes_back_and_makes_everybody_look(buses, database_url):
    (here, _), (there, hub) = buses
    with hub.subscribe("game:a") as subscription:
        connection = await asyncpg.connect(database_url)
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        )
        await connection.close()
        here.announce("game:a", "missed, or not")
        while (await told(subscription)).detail != "":
            pass  # the hint after reconnecting says nothing, so that the listener looks for itself
        assert there.is_healthy()
        here.announce("game:a", "heard")
        while (await told(subscription)).detail != "heard":
            pass
