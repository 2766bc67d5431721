"""Several processes, signals and kills: acknowledged moves stay, and every process sees them."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
from websockets.exceptions import ConnectionClosed

from tests.support import plain_http
from tests.support.players import LivePage, Match, Program
from tests.support.ports import free_port
from tests.support.server import start_server
from tests.support.waiting import WITHIN

MOVES = ["c4", "g6", "d4", "f6", "b2", "h8", "b8", "h2"]


@pytest.fixture(scope="module")
def pair(database_url):
    """Return two servers on one database, which receive each other's events."""
    servers = [start_server(database_url, bus="postgres") for _ in range(2)]
    yield servers
    for server in servers:
        server.stop()


def test_a_move_on_one_server_is_seen_on_the_other(pair):
    here, there = pair
    match = Match(here)
    page = LivePage(there, match.id)
    with match.white.socket(match.id, server=there) as socket:
        for ply, move in enumerate(MOVES, 1):
            match.play(move)
            assert socket.receive_until("move")["ply"] == ply
            assert f'data-version="{ply}"' in page.receive()


def test_of_fifty_moves_for_one_ply_on_two_servers_one_is_played(pair):
    match = Match(pair[0])
    squares = match.black.snapshot(match.id)["legal_moves"][:50]

    def play(number):
        url = f"{pair[number % 2].url}/api/v1/games/{match.id}/moves"
        body = {"move": squares[number], "ply": 0, "move_id": f"00000000-0000-4000-8000-{number:012}"}
        return plain_http.post(url, json=body, headers=match.black.http.headers, timeout=WITHIN)

    with ThreadPoolExecutor(16) as pool:
        statuses = [answer.status_code for answer in pool.map(play, range(50))]
    assert sorted(statuses) == [200] + [409] * 49


def test_two_workers_share_one_port(two_workers):
    match = Match(two_workers)
    sockets = [match.white.socket(match.id) for _ in range(12)]
    for move in MOVES:
        match.play(move)
    for socket in sockets:
        assert [socket.receive_until("move")["move"] for _ in MOVES] == MOVES


def test_a_killed_server_loses_no_move_and_the_other_keeps_its_clocks(new_database, clock):
    database_url = new_database("clocks")  # any server on a database ends its games
    here, there = (start_server(database_url, bus="postgres") for _ in range(2))
    try:
        black, white = Program(here), Program(there)
        control = {"kind": "realtime", "limit": 60, "increment": 0}
        game = black.begin(white, side="black", time_control=control)
        for ply, move in enumerate(MOVES):
            assert (black, white)[ply % 2].move(game, move, ply).status_code == 200
        black.move(game, "pass", len(MOVES))
        here.process.kill()
        assert white.snapshot(game)["moves"] == [*MOVES, "pass"]
        with white.socket(game) as socket:
            clock.advance(seconds=59)
            assert socket.receive_until("finished")["result"] == {
                "winner": "black",
                "termination": "time",
                "score": white.snapshot(game)["score"],
            }
    finally:
        here.stop()
        there.stop()


def test_stopping_closes_sockets_with_1012_and_ends_streams(database_url):
    server = start_server(database_url)
    match = Match(server)
    started, ended, lines = threading.Event(), threading.Event(), []

    def follow():
        with plain_http.stream(
            "GET", f"{server.url}/api/v1/games/{match.id}/stream", timeout=WITHIN
        ) as stream:
            for text in stream.iter_lines():
                lines.append(text)
                started.set()
        ended.set()

    threading.Thread(target=follow, daemon=True).start()
    page = LivePage(server, match.id)
    with match.black.socket(match.id) as socket:
        assert started.wait(WITHIN)
        assert server.stop() < 10
        assert socket.receive_until("restart")["retry_after"] <= 1
        with pytest.raises(ConnectionClosed):
            socket.receive()
        with pytest.raises(ConnectionClosed):
            page.receive_until_closed()
        assert [socket.connection.close_code, page.connection.close_code] == [1012, 1012]
    assert server.process.returncode == 0
    assert ended.wait(WITHIN)
    assert '"restart"' in lines[-1]


def test_a_stop_that_every_process_hears_from_two_sides_is_one_stop(database_url):
    server = start_server(database_url, drain="4")
    children = psutil.Process(server.process.pid).children(recursive=True)
    stopped = time.monotonic()
    for process in [server.process, *children, *children]:
        process.send_signal(signal.SIGTERM)
    while time.monotonic() < stopped + 3:
        assert plain_http.get(f"{server.url}/health/live", timeout=WITHIN).status_code == 200
        time.sleep(0.2)
    server.process.wait(WITHIN)
    assert server.process.returncode == 0


def test_the_embedded_database_survives_its_server_and_its_own_crash(tmp_path):
    data = tmp_path / "data"
    postmaster_file = data / "postgres" / "postmaster.pid"
    environment = {name: value for name, value in os.environ.items() if name != "GORRION_DATABASE_URL"}
    command = ["-m", "app", "serve", "--computers", "0", "--port", str(free_port()), "--data", str(data)]

    def names(url):
        answer = plain_http.post(
            f"{url}/api/v1/accounts", json={"username": "wren", "password": "a long password"}
        )
        return answer.status_code

    first = subprocess.Popen(
        [sys.executable, *command],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    url = re.search(r"http://\S+", first.stdout.readline()).group()
    assert plain_http.get(f"{url}/api/v1/games/kinds").status_code == 200
    assert names(url) == 201
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=WITHIN)
    assert first.returncode == 0
    assert not postmaster_file.exists()
    second = start_server("", data=str(data))
    assert names(second.url) == 422  # the name is taken: the account is still there
    postmaster = int(postmaster_file.read_text().split()[0])
    second.process.kill()
    os.kill(postmaster, signal.SIGKILL)
    second.process.wait()
    third = start_server("", data=str(data))
    assert names(third.url) == 422
    third.stop()
    assert third.process.returncode == 0
    assert not postmaster_file.exists()
