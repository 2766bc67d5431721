"""Events between sockets and processes, and recovery from lost events."""

import asyncio
import itertools
from functools import partial
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import make_url

from app.core.events import Resync, account_topic, game_topic
from app.core.jobs.events import JobDone
from app.core.realtime.events import PresenceChanged, presence_topic
from app.core.realtime.hub import GOING_AWAY, TOO_SLOW, Hub, SubscriptionEnded
from app.core.realtime.postgres_bus import PostgresBus
from app.core.supervisor import Supervisor
from app.people.inbox.events import InboxChanged
from app.play.games.events import Ended, GameChanged, Played, TakenBack
from app.play.lobby.challenges import ChallengeChanged, challenge_topic
from app.play.solitaire.races import RaceChanged, race_topic
from tests.support.database import execute


async def next_event(subscription):
    async with asyncio.timeout(10):
        return await subscription.get()


async def test_a_listener_receives_its_topics_only():
    hub = Hub()
    async with hub.subscribe(presence_topic("a"), race_topic("1")) as subscription:
        for event in (PresenceChanged("b"), PresenceChanged("a"), RaceChanged("1")):
            hub.publish(event)
        assert await next_event(subscription) == PresenceChanged("a")
        assert await next_event(subscription) == RaceChanged("1")


async def test_a_slow_listener_is_told_to_reconnect():
    hub = Hub()
    async with hub.subscribe(presence_topic("a")) as slow, hub.subscribe(presence_topic("a")) as quick:
        for _ in range(200):
            hub.publish(PresenceChanged("a"))
            assert await next_event(quick) == PresenceChanged("a")
        for _ in range(2):  # and it stays ended
            with pytest.raises(SubscriptionEnded) as end:
                await next_event(slow)
            assert end.value.code == TOO_SLOW


async def test_closing_ends_present_and_later_subscriptions():
    hub = Hub()
    async with hub.subscribe(presence_topic("a")) as before:
        hub.close()
        async with hub.subscribe(presence_topic("a")) as after:
            for subscription in (before, after):
                with pytest.raises(SubscriptionEnded) as end:
                    await next_event(subscription)
                assert end.value.code == GOING_AWAY


@pytest.fixture
async def buses(database_url):
    """Run the buses of two processes, `bus0` and `bus1`, on one PostgreSQL, each with its hub."""
    pairs, supervisors = [], []
    for number in range(2):
        hub = Hub()
        bus = PostgresBus(hub, _named(database_url, f"bus{number}"))
        supervisor = Supervisor(database_answers, pytest.fail)
        supervisor.keep("bus", bus.run)
        await bus.listening.wait()
        pairs.append((bus, hub))
        supervisors.append(supervisor)
    yield pairs
    for supervisor in supervisors:
        await supervisor.stop()


def _named(url, name):
    """Return a URL with which PostgreSQL lists connections under a name."""
    named = make_url(url).update_query_dict({"application_name": name})
    return named.render_as_string(hide_password=False)


async def database_answers():
    return True


async def test_events_cross_processes_in_order_and_unchanged(buses):
    (here, own), (_, other) = buses
    topics = (game_topic("a"), challenge_topic("a"))
    async with own.subscribe(*topics) as near, other.subscribe(*topics) as far:
        for batch in range(10):
            events = [_game_changed(version) for version in range(batch * 20, batch * 20 + 20)]
            events += [ChallengeChanged("a", str(number) + "x" * 400, (1, 2)) for number in range(20)]
            for event in events:
                here.publish(event)
            for subscription in (near, far):
                assert [await next_event(subscription) for _ in events] == events


def _game_changed(version):
    steps = (Played(("e5", "pass"), uuid4(), 17, 1200), Ended(1, "resign", 18), TakenBack(3, 19), None)
    return GameChanged("a", version, (1, 2), 2, is_over=False, step=steps[version % 4])


async def test_a_bus_reconnects_and_makes_every_listener_look_again(buses, database_url):
    (here, _), (there, hub) = buses
    async with hub.subscribe(presence_topic("a")) as subscription:
        connection = await asyncpg.connect(database_url)
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND query LIKE '%pg_notify%' AND pid <> pg_backend_pid()"
        )
        await connection.close()
        here.publish(PresenceChanged("a"))  # may be lost
        while await next_event(subscription) != Resync():
            pass
        await there.echo()
        here.publish(PresenceChanged("a"))
        assert await next_event(subscription) == PresenceChanged("a")


async def test_events_that_a_broken_connection_could_not_send_are_sent_by_the_next_one(buses, database_url):
    (here, _), (_, other) = buses
    async with other.subscribe(race_topic("1")) as far:
        # It blocks this thread, so the bus has not seen yet that its connection is gone.
        execute(
            database_url,
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'bus0'",
        )
        here.publish(RaceChanged("1"))
        assert await next_event(far) == RaceChanged("1")


async def test_of_more_events_than_can_wait_every_listener_looks_again(database_url):
    hubs = [Hub(), Hub()]
    here, there = (PostgresBus(hub, database_url) for hub in hubs)
    supervisor = Supervisor(database_answers, pytest.fail)
    supervisor.keep("there", there.run)
    await there.listening.wait()
    async with hubs[1].subscribe(race_topic("1")) as far:
        for number in range(300_000):
            here.publish(RaceChanged(str(number)))
        supervisor.keep("here", here.run)
        async with asyncio.timeout(2):
            assert await far.get() == Resync()
    await supervisor.stop()


async def test_all_listeners_of_all_processes_can_be_made_to_look_again(buses):
    (bus, here), (_, there) = buses
    heard = asyncio.Queue()
    count = 250  # more than are told at once
    for hub, number in itertools.product((here, there), range(count)):
        hub.listen(partial(_hear, heard, number), [race_topic(str(number))])
    while not heard.empty():
        heard.get_nowait()
    bus.resync()
    async with asyncio.timeout(10):
        for _ in range(2 * count):
            assert await heard.get() == Resync()


def _hear(heard, _number, event):
    heard.put_nowait(event)


async def test_an_event_of_many_accounts_reaches_all_of_them(buses):
    (here, _), (_, other) = buses
    accounts = tuple(range(1_000_000, 1_002_000))  # as many as may be reminded of one arena
    async with other.subscribe(account_topic(accounts[0]), account_topic(accounts[-1])) as far:
        here.publish(InboxChanged(accounts))
        for account_id in (accounts[0], accounts[-1]):
            event = await next_event(far)
            assert isinstance(event, InboxChanged)
            assert account_id in event.accounts


async def test_after_events_that_postgresql_refuses_every_listener_looks_again(buses):
    (here, _), (_, other) = buses
    async with other.subscribe(race_topic("1")) as far:
        here.publish(RaceChanged("1"))
        here.publish(JobDone("x" * 10_000))  # refused, and what was published with it
        while await next_event(far) != Resync():
            pass
        here.publish(RaceChanged("1"))
        assert await next_event(far) == RaceChanged("1")
