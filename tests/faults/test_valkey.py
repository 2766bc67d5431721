"""Valkey is killed, paused and started again under load: games go on, and nobody is logged out."""

import contextlib
import os
import signal

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.faults.cluster import Web
from tests.support.players import LivePage, Match, Program
from tests.support.valkey import Valkey
from tests.support.waiting import wait_until

MOST = 3  # websockets of an account
LOOK = 5  # seconds in which a reader of a game looks at it while Valkey is away


@pytest.fixture(scope="module")
def valkey(tmp_path_factory):
    """Return a Valkey that tests may break."""
    valkey = Valkey(tmp_path_factory.mktemp("valkey"))
    valkey.start()
    yield valkey
    valkey.close()


@pytest.fixture(scope="module")
def pair(postgres, valkey, tmp_path_factory):
    """Return two servers on one PostgreSQL and one Valkey."""
    folder = tmp_path_factory.mktemp("servers")
    servers = [
        Web(
            postgres.url,
            folder / f"log{number}",
            bus="memory",  # without Valkey they would hear nothing of each other
            valkey_url=valkey.url,
        )
        for number in range(2)
    ]
    for server in servers:
        server.start()
    yield servers
    for server in servers:
        server.close()


@pytest.fixture
def strict(postgres, valkey, tmp_path):
    """Return a server with limits and two web processes."""
    server = Web(
        postgres.url,
        tmp_path / "log",
        workers=2,
        valkey_url=valkey.url,
        throttle="on",
        live_per_account=str(MOST),
    )
    server.start()
    yield server
    server.close()


def status(server):
    return httpx.get(f"{server.url}/health/ready", timeout=5).json()["status"]


def all_are(pair, wanted):
    return all(status(server) == wanted for server in pair)


@pytest.mark.parametrize("outage", ["killed", "paused"])
def test_games_go_on_without_valkey_and_readers_catch_up(pair, valkey, outage):
    here, there = pair
    wait_until(lambda: all_are(pair, "ok"))
    match = Match(here)
    with match.white.socket(match.id, server=there) as socket:
        page = LivePage(there, match.id)
        match.play("c4")
        assert socket.receive_until("move")["ply"] == 1
        if outage == "killed":
            valkey.kill()
        else:
            os.kill(valkey.process.pid, signal.SIGSTOP)
        try:
            wait_until(lambda: all_are(pair, "degraded"))
            assert all(server.is_ready() for server in pair)
            match.play("g6")
            assert socket.receive(timeout=LOOK)["ply"] == 2
            Program(there).challenge()  # limits are counted meanwhile
        finally:
            if outage == "killed":
                valkey.start()
            else:
                os.kill(valkey.process.pid, signal.SIGCONT)
        wait_until(lambda: all_are(pair, "ok"))
        match.play("d4")
        assert socket.receive_until("move")["ply"] == 3
        while 'data-version="3"' not in page.receive():
            pass


def test_valkey_is_killed_again_and_again_under_load(pair, valkey, postgres, play):
    with play(postgres, pair) as load:
        for _ in range(3):
            valkey.kill()
            load.play_for(1)
            valkey.start()
            load.play_for(1.5)
        load.wait_until_whole()
        wait_until(lambda: all_are(pair, "ok"))


def test_limits_hold_for_all_processes_of_a_server(strict):
    match = Match(strict)
    bearer = {"Authorization": f"Bearer {match.black.token}"}
    first, *_ = (match.black.socket(match.id) for _ in range(MOST))
    url = f"{strict.ws_url}/api/v1/games/{match.id}/socket"
    with connect(url, additional_headers=bearer) as socket:
        with pytest.raises(ConnectionClosed):
            socket.recv(10)
        assert (socket.close_code, socket.close_reason) == (1013, "too_many_connections")
    first.connection.close()
    wait_until(lambda: is_admitted(url, bearer))


def is_admitted(url, headers):
    with connect(url, additional_headers=headers) as socket, contextlib.suppress(ConnectionClosed):
        return socket.recv(10)
