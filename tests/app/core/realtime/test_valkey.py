"""Events, presence and limits of several processes on a real Valkey, alone and as a cluster."""

import asyncio
import contextlib

import pytest

from app.core.events import Resync, account_topic, game_topic
from app.core.moments import now
from app.core.realtime.events import PresenceChanged, presence_topic
from app.core.realtime.hub import Hub
from app.core.realtime.presence import SITE, Attendance
from app.core.realtime.roster import Mark, Roster
from app.core.realtime.valkey_bus import ValkeyBus
from app.core.realtime.valkey_presence import ValkeyPresence
from app.core.supervisor import Engine, Supervisor
from app.core.valkey import Shards, Valkey, closed
from app.core.web.throttle import Limit
from app.live.quota import TooManyConnectionsError
from app.play.games.events import GameChanged
from app.server.backends.valkey import ValkeyCounts, ValkeyQuota
from tests.support.ports import free_port
from tests.support.threads import run_in_thread
from tests.support.valkey import Valkey as Server
from tests.support.valkey import cluster


@pytest.fixture(scope="module")
def single(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("valkey"))
    server.start()
    yield [server]
    server.close()


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    with cluster(tmp_path_factory.mktemp("cluster")) as nodes:
        yield nodes


@pytest.fixture(params=["single", "nodes"])
def servers(request):
    """Return the Valkey of a test: one server, or the nodes of a cluster."""
    return request.getfixturevalue(request.param)


class Process:
    """What one process has on Valkey."""

    def __init__(self, url):
        self.hub = Hub()
        self.valkey = Valkey(url)
        self.roster = Roster(self.valkey)
        self.bus = ValkeyBus(self.hub, self.valkey)
        self.presence = ValkeyPresence(self.valkey, self.roster, self.bus)
        self.counts = ValkeyCounts(self.valkey, Meanwhile())
        self.quotas = {}
        self.supervisor = Supervisor(database_answers, pytest.fail)

    async def start(self):
        self.supervisor.keep("valkey", self.valkey.run, Engine("valkey", self.valkey.answers))
        await self.joined()

    async def joined(self):
        async with asyncio.timeout(20):
            await self.bus.connected.wait()
            await self.roster.joined.wait()

    def quota(self, most):
        return self.quotas.setdefault(most, ValkeyQuota(self.valkey, self.roster, f"most{most}", most))


class Meanwhile:
    """The counts of a process without Valkey."""

    async def count(self, _limit, _who, _times):
        return "meanwhile"


async def database_answers():
    return True


@pytest.fixture
async def processes(servers):
    """Return two processes on the Valkey."""
    processes = [Process(server.url) for server in (servers[0], servers[-1])]
    for process in processes:
        await process.start()
    yield processes
    for process in processes:
        await process.roster.leave()
        await process.supervisor.stop()


async def next_event(subscription):
    async with asyncio.timeout(10):
        return await subscription.get()


def game_changed(version, game="a"):
    return GameChanged(game, version, (1, 2), 2, is_over=False, step=None)


async def until(condition):
    async with asyncio.timeout(20):
        while not await condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_events_reach_the_processes_that_listen_once_and_in_order(processes):
    here, there = processes
    async with (
        here.hub.subscribe(game_topic("a")) as near,
        there.hub.subscribe(game_topic("a")) as far,
        there.hub.subscribe(account_topic(2)) as account,
    ):
        for batch in range(10):
            events = [game_changed(version) for version in range(batch * 20, batch * 20 + 20)]
            for event in events:
                here.bus.publish(event)
            for subscription in (near, far):
                assert [await next_event(subscription) for _ in events] == events
            if batch == 0:
                assert await next_event(account) == events[0]


async def test_a_process_subscribes_to_what_it_listens_to_only(processes, servers):
    here, _ = processes

    async def channels():
        return {name for server in servers for name in server.client.execute_command("PUBSUB SHARDCHANNELS")}

    before = await channels()
    async with here.hub.subscribe(game_topic("b"), game_topic("c")):
        assert await channels() == before | {"gorrion:game:b", "gorrion:game:c"}

    async def are_gone():
        return await channels() == before

    await until(are_gone)


async def test_listeners_look_again_when_their_topic_is_carried(processes):
    """Between reading a game and its subscription in Valkey, a move may have been made elsewhere."""
    here, _ = processes
    seen = asyncio.Queue()
    here.hub.listen(seen.put_nowait, [game_topic("late")])
    assert isinstance(await asyncio.wait_for(seen.get(), 10), Resync)


async def test_events_from_before_a_reconnection_are_not_forgotten(processes, servers):
    here, there = processes
    async with there.hub.subscribe(presence_topic("cut")) as far:
        for server in servers:
            server.client.client_kill_filter(_type="normal")
        here.bus.publish(PresenceChanged("cut"))
        assert await next_event(far) in (Resync(), PresenceChanged("cut"))
        await here.joined()
        await until(lambda: carries(here, there, far))


async def test_of_more_events_than_can_wait_every_listener_looks_again(processes, servers):
    there, late = processes[0], Process(servers[0].url)
    async with there.hub.subscribe(presence_topic("cut")) as far:
        for number in range(300_000):
            late.bus.publish(PresenceChanged(str(number)))
        await late.start()
        async with asyncio.timeout(2):
            assert await far.get() == Resync()
        assert await carries(late, there, far)
    await late.roster.leave()
    await late.supervisor.stop()


@pytest.mark.parametrize("steps", range(1, 12))
async def test_what_is_cancelled_while_it_closes_leaves_nothing_open(servers, steps):
    """One failure may end several works, each of which cancels the others."""
    before = connections(servers)
    client = await Valkey(servers[0].url).open()
    shards = Shards(client)
    for server in shards.servers:
        await server.connect()

    async def close():
        try:
            await shards.close()
        finally:
            await closed(client.aclose())

    closing = asyncio.create_task(close())
    for _ in range(3):
        for _ in range(steps):
            await asyncio.sleep(0)
        closing.cancel()
    await asyncio.wait([closing])

    async def are_closed():
        return connections(servers) <= before

    await until(are_closed)


def connections(servers):
    """Return the clients that the servers have: those of earlier tests may go at any time."""
    return {
        (server.url, connection["id"])
        for server in servers
        for kind in ("normal", "pubsub")
        for connection in server.client.client_list(_type=kind)
    }


async def test_all_listeners_of_all_processes_can_be_made_to_look_again(processes):
    here, there = processes
    async with there.hub.subscribe(presence_topic("far")) as far:
        await until(lambda: looks_again(here, far))


async def looks_again(process, subscription):
    """Return whether a listener looks again that a process wants to; both may still be subscribing."""
    process.bus.resync()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0.2):
            return await subscription.get() == Resync()
    return False


async def carries(here, there, subscription):
    """Return whether an event that is published now arrives."""
    here.bus.publish(PresenceChanged("cut"))
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0.2):
            while await subscription.get() != PresenceChanged("cut"):
                pass
            return True
    return False


async def test_all_processes_know_who_is_there(processes):
    here, there = processes
    async with here.presence.here(1, "game", SITE), there.presence.here(None, "game", SITE):
        async with there.presence.here(1, SITE):
            for process in processes:
                assert await process.presence.at("game") == Attendance(frozenset({1}), 1)
                assert await process.presence.at(SITE) == Attendance(frozenset({1}), 1)
                assert await process.presence.online([1, 2]) == {1}
        assert await there.presence.absent_since(1, "game", "elsewhere") == (False, None)

    async def are_away():  # each process stores who has left it
        left = await there.presence.at("game") == Attendance(frozenset(), 0)
        return left and (await there.presence.absent_since(1, "game"))[0]

    await until(are_away)
    assert (await there.presence.absent_since(1, "game"))[1] is not None
    assert await there.presence.absent_since(2, "game") == (True, None)
    assert await there.presence.online([1, 2]) == {1}  # for some seconds


async def test_the_connections_of_a_process_that_died_are_closed(processes, servers):
    here, there = processes
    gone = asyncio.Event()

    async def tell(account_ids):
        if 7 in account_ids:  # beside those whom the processes of other tests have owed
            gone.set()

    there.presence.departures.when_gone(tell)
    there.supervisor.keep("departures", there.presence.departures.look)
    async with here.presence.here(7, "left", SITE), here.quota(1).hold("dead"):
        with pytest.raises(TooManyConnectionsError):
            await there.quota(1).check("dead")
        await here.supervisor.stop()
        async with there.hub.subscribe(presence_topic("left")) as subscription, asyncio.timeout(30):
            assert await next_event(subscription) == PresenceChanged("left")
            await gone.wait()
        assert await there.presence.at("left") == Attendance(frozenset(), 0)
        away, left_at = await there.presence.absent_since(7, "left")
        assert away
        assert left_at is not None
        await there.quota(1).check("dead")


async def test_what_a_process_owes_when_it_stops_is_told_by_another_one(processes):
    here, there = processes
    told, all_told = set(), asyncio.Event()

    async def tell(account_ids):
        told.update(account_ids)
        if told >= {17, 18}:
            all_told.set()

    there.presence.departures.when_gone(tell)
    there.supervisor.keep("departures", there.presence.departures.look)
    async with here.presence.here(17, SITE):
        pass
    await here.roster.stored()
    async with here.presence.here(18, SITE):
        await here.roster.leave()
        async with asyncio.timeout(30):
            await all_told.wait()
    assert await there.presence.online([17, 18]) == frozenset()


async def test_a_question_leaves_no_connection_that_is_asked_while_the_client_is_closed(processes, servers):
    here, there = processes
    asked, stopped = asyncio.Event(), asyncio.Event()

    async def question(client):
        asked.set()
        await stopped.wait()
        return await client.exists("gorrion:nothing")

    asking = asyncio.create_task(here.valkey.ask(question))
    await asked.wait()
    for process in (here, there):
        await process.supervisor.stop()
    stopped.set()
    assert await asking == 0

    async def no_clients_are_left():
        return all(len(server.client.client_list(_type="normal")) == 1 for server in servers)

    await until(no_clients_are_left)


async def test_a_process_that_was_taken_for_dead_comes_back_with_its_connections(processes, servers):
    here, there = processes
    async with here.presence.here(3, "paused", SITE):
        before = here.presence.watching_since
        for server in servers:
            with contextlib.suppress(Exception):  # a cluster has the key on one node
                for key in server.client.keys("gorrion:process:*"):
                    server.client.delete(key)

        async def came_back():
            return (here.presence.watching_since or 0) > before

        async def is_seen():
            return await there.presence.at("paused") == Attendance(frozenset({3}), 0)

        await until(came_back)
        await until(is_seen)


async def test_departures_of_an_account_are_forgotten_one_by_one(processes):
    here, _there = processes
    for place, moment in (("old", now() - 601_000), ("new", now())):
        here.roster.mark(Mark("gorrion:departures:77", place, moment, 600))
        await here.roster.stored()
    assert await here.presence.online([77]) == {77}
    assert await here.valkey.ask(lambda client: client.zrange("gorrion:departures:77", 0, -1)) == ["new"]


async def test_limits_hold_for_all_processes(processes):
    here, there = processes
    counts = [await process.counts.count(Limit.CONFIRM, "limited") for process in (here, there) * 3]
    assert counts[:5] == [None] * 5
    assert 0 < counts[5] <= 60
    async with here.quota(2).hold("x"), there.quota(2).hold("x"):
        for process in processes:
            with pytest.raises(TooManyConnectionsError):
                async with process.quota(2).hold("x"):
                    pass
    await here.roster.stored()  # until then, others may count what has ended
    async with there.quota(2).hold("x"), there.quota(2).hold("x"):
        pass


@pytest.fixture
async def alone(single):
    """Return a process on a Valkey that the test may kill."""
    process = Process(single[0].url)
    await process.start()
    yield process
    await process.supervisor.stop()


async def test_a_process_goes_on_without_valkey(single, alone):
    server = single[0]
    subscription = alone.hub.subscribe(presence_topic("alone"))
    async with alone.presence.here(5, "alone", SITE), subscription as near:
        run_in_thread(server.kill)
        try:
            await until_degraded(alone)
            assert await alone.counts.count(Limit.CONFIRM, "alone") == "meanwhile"
            assert await alone.presence.at("alone") == Attendance(frozenset({5}), 0)
            assert await alone.presence.online([5, 6]) == {5}
            assert await alone.presence.gone([5, 6]) == frozenset()
            assert alone.presence.watching_since is None
            async with alone.quota(1).hold("alone"):
                with pytest.raises(TooManyConnectionsError):
                    await alone.quota(1).check("alone")
            async with asyncio.timeout(5):
                async with alone.presence.here(6, "alone", SITE), alone.hub.subscribe(game_topic("new")):
                    pass
            while await next_event(near) != PresenceChanged("alone"):
                pass
        finally:
            run_in_thread(server.start)
        await alone.joined()
        assert await alone.presence.at("alone") == Attendance(frozenset({5}), 0)
        assert await alone.presence.gone([5, 7]) == {7}
        assert server.client.exists("gorrion:place:alone")
    await alone.roster.leave()
    assert server.client.keys("gorrion:place:*") == []
    assert server.client.keys("gorrion:process:*") == []


async def until_degraded(process):
    async def is_degraded():
        return process.supervisor.degraded == {"valkey"}

    await until(is_degraded)
    assert process.supervisor.failing == frozenset()


async def test_a_cluster_without_slots_does_not_answer(tmp_path):
    server = Server(tmp_path, "--cluster-enabled", "yes", "--cluster-port", str(free_port()))
    server.start()
    valkey = Valkey(server.url)
    try:
        assert not await valkey.answers()
        with pytest.raises(ConnectionRefusedError):
            await valkey.run()
    finally:
        server.close()


async def test_readers_who_leave_before_their_topic_is_carried_leave_nothing_behind(processes):
    here, _ = processes

    def hear(_event):
        pass

    for number in range(20):
        topics = (presence_topic(f"left{number}"),)
        here.hub.listen(hear, topics)
        reading = asyncio.create_task(here.hub.carries(topics))
        await asyncio.sleep(0.001 * (number % 4))  # before it is asked for, or before it is confirmed
        here.hub.ignore(hear, topics)
        reading.cancel()

    async def is_empty():
        return not here.bus._awaited

    await until(is_empty)
