"""Counting limited actions."""

import asyncio
import contextlib
import secrets
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.core.errors import ThrottledError
from app.core.web.addresses import network, site_of
from app.core.web.throttle import Limit, PostgresCounts, Throttle
from app.live.quota import MemoryQuota, NetworkQuota, TooManyConnectionsError

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


async def test_windows_that_have_ended_are_forgotten_when_another_one_begins():
    counts = PostgresCounts(None)
    for number in range(100):
        await counts.count(Limit.MOVE, f"account:{number}")
    assert len(counts._windows[Limit.MOVE]) == 100
    await asyncio.sleep(Limit.MOVE.seconds)
    await counts.count(Limit.MOVE, FINCH)
    assert list(counts._windows[Limit.MOVE]) == [FINCH]


@pytest.mark.parametrize("limit", Limit)
async def test_the_networks_of_an_ipv6_site_share_twice_the_limit_of_one(database, limit):
    site = f"2001:db8:{secrets.token_hex(2)}"
    networks = [network(f"{site}:{number:x}::1") for number in range(2 * limit.most + 1)]
    throttle = Throttle(PostgresCounts(database.pool), enabled=True)
    for each in networks[:-1]:
        await throttle.hit(limit, each)
    with pytest.raises(ThrottledError):
        await throttle.hit(limit, networks[-1])
    await throttle.hit(limit, network("2001:db9::1"))  # of another site


@pytest.mark.parametrize("who", ["account:1", "device:x", "unknown", "192.0.2.7", "2001:db8::/64 wren"])
def test_only_an_ipv6_network_is_of_a_site(who):
    assert site_of(who) is None


async def test_the_connections_of_an_ipv6_site_are_counted_together():
    quota = NetworkQuota(MemoryQuota(2), MemoryQuota(3))
    async with contextlib.AsyncExitStack() as stack:
        for number in (1, 1, 2):
            await stack.enter_async_context(quota.hold(network(f"2001:db8::{number}:0:0:0:1")))
        for number in (1, 2, 3):
            with pytest.raises(TooManyConnectionsError):
                await quota.check(network(f"2001:db8::{number}:0:0:0:1"))
        await quota.check("192.0.2.7")
    await quota.check(network("2001:db8::1:0:0:0:1"))
