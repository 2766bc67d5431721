"""PostgreSQL takes no writes for a while: that is an outage, and servers wait for its end."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults.cluster import Web
from tests.faults.scale import AWAY
from tests.support.players import Program
from tests.support.waiting import wait_until


def test_postgres_is_read_only_for_a_while(postgres, servers, play):
    with play(postgres, servers) as load:
        before = [outages(server) for server in servers]
        with postgres.read_only():
            wait_until(lambda: not any(server.is_ready() for server in servers))
            acks = load.acks
            load.play_for(AWAY)
            assert load.acks == acks
        load.wait_until_whole()
        wait_until(lambda: all(server.is_ready() for server in servers))
    assert [outages(server) for server in servers] == [count + 1 for count in before]


def outages(server):
    """Return how often a server has logged that the database is unavailable."""
    return server.log.read_text().count('"database_unavailable"')


@contextlib.contextmanager
def away(postgres):
    postgres.stop()
    try:
        yield
    finally:
        postgres.start()


FAULTS = {"away": away, "read-only": lambda postgres: postgres.read_only()}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_that_starts_meanwhile_waits(postgres, tmp_path, fault):
    server = Web(postgres.url, tmp_path / "log")
    with ThreadPoolExecutor() as starting:
        with FAULTS[fault](postgres):
            started = starting.submit(server.start)
            wait_until(lambda: server.log.exists() and outages(server))
            assert not server.is_ready()
            assert not started.done()
        started.result()
    try:
        assert Program(server).challenge().status_code == 201
    finally:
        server.close()
