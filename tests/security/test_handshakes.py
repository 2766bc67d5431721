"""Handshakes of websockets at every address, in one process and in several, and what the log has of them."""

import random
import socket

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.security.conversations import opening
from tests.security.fuzz import errors
from tests.support.players import Match
from tests.support.server import start_server
from tests.support.waiting import wait_until


@pytest.fixture(scope="module")
def logging_server(new_database, tmp_path_factory):
    """Return a server with two web processes, which give each other the sockets of games."""
    log = tmp_path_factory.mktemp("handshakes") / "log"
    server = start_server(new_database("handshakes"), workers=2, log=log, log_level="warning")
    yield server
    server.stop()


def status(server, path):
    """Return the status with which a handshake is refused, or the code with which the websocket is closed."""
    try:
        with connect(f"{server.ws_url}{path}", origin=server.url) as websocket:
            with pytest.raises(ConnectionClosed):
                websocket.recv(10)
            return websocket.close_code
    except InvalidStatus as refused:
        return refused.response.status_code


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/nope",
        "/lobby",
        "/games",
        "/static/js/dom.js",
        "/static",
        "/api/v1/games",
        "/health/live",
        "/%00",
    ],
)
def test_an_address_without_a_websocket_refuses_the_handshake(logging_server, path):
    assert status(logging_server, path) == 404
    assert errors(logging_server.log) == []


@pytest.mark.parametrize(
    "path",
    [
        *("/games/none/live", "/api/v1/games/none/socket", "/races/none/live", "/studies/none/live"),
        *("/challenges/none/live", "/tournaments/none/live", "/ladders/none/live"),
        "/games/22222bcdfg/live",
    ],
)
def test_a_websocket_of_something_that_does_not_exist_is_closed_for_good(logging_server, path):
    assert status(logging_server, path) == 4404


@pytest.mark.parametrize("value", [b"x" * 31_000, b"", b"\xe9" * 20_000, b" " * 30_000])
@pytest.mark.parametrize("count", [1, 118])
def test_a_handshake_that_one_process_accepts_is_accepted_by_the_one_that_serves_the_game(
    logging_server, value, count
):
    match, headers = Match(logging_server), b"x: " + value[: 31_000 // count] + b"\r\n"
    for _ in range(6):  # so that both processes get some
        with socket.create_connection(("127.0.0.1", logging_server.port), 20) as connection:
            honest = opening(f"/api/v1/games/{match.id}/socket", random.Random(1))
            connection.sendall(honest[:-2] + headers * count + b"\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 101 ")
    assert errors(logging_server.log) == []


def test_clients_that_leave_at_any_moment_are_no_errors(logging_server):
    rng, match = random.Random(7), Match(logging_server)
    paths = ("/lobby/live", f"/games/{match.id}/live", f"/api/v1/games/{match.id}/socket", "/nope")
    for number in range(200):
        with socket.create_connection(("127.0.0.1", logging_server.port), 20) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.sendall(opening(paths[number % 4], rng))
            connection.settimeout(rng.choice((0.0001, 0.003)))
            try:
                connection.recv(rng.choice((1, 1000)))
            except OSError:
                continue
    wait_until(lambda: status(logging_server, "/nope") == 404)
    assert errors(logging_server.log) == []
