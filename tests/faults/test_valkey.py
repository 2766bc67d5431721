"""Valkey is killed, paused and started again under load: games go on, and nobody is logged out."""

import contextlib
import itertools
import os
import signal

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from app.core.web.throttle import Limit
from tests.faults.cluster import Web
from tests.support import plain_http
from tests.support.players import LivePage, Match, Program
from tests.support.valkey import Valkey
from tests.support.waiting import WITHIN, wait_until

MOST = 3  # websockets of an account
CHALLENGES = Limit.CHALLENGE.most  # and rematches, in a minute
LOOK = 5  # seconds in which a reader of a game looks at it while Valkey is away


@pytest.fixture(scope="module")
def valkey(tmp_path_factory):
    """Return a Valkey that tests may break."""
    valkey = Valkey(tmp_path_factory.mktemp("valkey"))
    valkey.start()
    yield valkey
    valkey.close()


@contextlib.contextmanager
def two_servers(postgres, valkey, folder, **settings):
    """Run two servers on one PostgreSQL and one Valkey."""
    servers = [
        Web(
            postgres.url,
            folder / f"log{number}",
            bus="memory",  # without Valkey they would hear nothing of each other
            valkey_url=valkey.url,
            **settings,
        )
        for number in range(2)
    ]
    with contextlib.ExitStack() as stack:
        for server in servers:
            stack.callback(server.close)
            server.start()
        yield servers


@pytest.fixture(scope="module")
def pair(postgres, valkey, tmp_path_factory):
    with two_servers(postgres, valkey, tmp_path_factory.mktemp("servers")) as servers:
        yield servers


@pytest.fixture
def strict_pair(postgres, valkey, tmp_path):
    """Return two servers with limits."""
    with two_servers(postgres, valkey, tmp_path, throttle="on", live_per_account=str(MOST)) as servers:
        yield servers


def all_are_without_it(pair, wanted):
    """Return whether all servers say that they do without Valkey, or none does if `wanted` is false."""
    answers = [plain_http.get(f"{server.url}/health/ready", timeout=WITHIN).json() for server in pair]
    return all(("valkey" in answer["degraded"]) == wanted for answer in answers)


@pytest.mark.parametrize("outage", ["killed", "paused"])
def test_games_go_on_without_valkey_and_readers_catch_up(pair, valkey, outage):
    here, there = pair
    wait_until(lambda: all_are_without_it(pair, False))
    match = Match(here)
    with match.white.socket(match.id, server=there) as socket:
        page = LivePage(there, match.id)
        match.play("c4")
        socket.receive_ply(1)
        if outage == "killed":
            valkey.kill()
        else:
            os.kill(valkey.process.pid, signal.SIGSTOP)
        try:
            wait_until(lambda: all_are_without_it(pair, True))
            assert all(server.is_ready() for server in pair)
            match.play("g6")
            assert socket.receive(timeout=LOOK)["ply"] == 2
            Program(there).challenge()  # limits are counted meanwhile
        finally:
            if outage == "killed":
                valkey.start()
            else:
                os.kill(valkey.process.pid, signal.SIGCONT)
        wait_until(lambda: all_are_without_it(pair, False))
        match.play("d4")
        assert socket.receive()["ply"] == 3  # a snapshot, if the process still looks for what it missed
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
        wait_until(lambda: all_are_without_it(pair, False))


def test_limits_hold_for_all_servers_together(strict_pair):
    here, there = strict_pair
    match = Match(here)
    bearer = {"Authorization": f"Bearer {match.black.token}"}
    first, *_ = [match.black.socket(match.id, server=server) for server in (here, here, there)]
    url = f"{there.ws_url}/api/v1/games/{match.id}/socket"
    with connect(url, additional_headers=bearer) as socket:
        with pytest.raises(ConnectionClosed):
            socket.recv(WITHIN)
        assert (socket.close_code, socket.close_reason) == (1013, "too_many_connections")
    first.connection.close()
    wait_until(lambda: is_admitted(url, bearer))
    turns = itertools.islice(itertools.cycle(strict_pair), CHALLENGES + 1)
    *counted, last = [
        match.white.http.post(f"{server.url}/api/v1/games/{match.id}/rematch") for server in turns
    ]
    assert {answer.status_code for answer in counted} == {409}  # the game is not over
    assert last.status_code == 429


def is_admitted(url, headers):
    with connect(url, additional_headers=headers) as socket, contextlib.suppress(ConnectionClosed):
        return socket.recv(WITHIN)
