"""What a connection promises during an outage, and who counts as present or logged in."""

import contextlib
import time
import uuid

import pytest
from websockets.exceptions import ConnectionClosed

from tests.support.accounts import id_of
from tests.support.database import execute, fetch
from tests.support.players import LivePage, Match
from tests.support.waiting import wait_until

REALTIME = {"kind": "realtime", "limit": 600, "increment": 0}


@pytest.fixture
def opened(servers):
    """Return a game with a signed-in socket of each side, on different servers, and a spectator's page."""
    match = Match(servers[0], time_control=REALTIME)
    with (
        match.black.socket(match.id) as black,
        match.white.socket(match.id, server=servers[1]) as white,
    ):
        yield match, black, white, LivePage(servers[0], match.id)


def assert_play_goes_on(opened, move):
    """Play a move over a socket as soon as it is accepted; everybody sees it."""
    match, black, white, page = opened
    mover, other = (black, white) if match.ply % 2 == 0 else (white, black)
    move_id = str(uuid.uuid4())
    wait_until(lambda: _is_accepted(mover, move, match.ply, move_id))
    while (seen := other.receive())["type"] not in ("move", "snapshot") or seen["ply"] != match.ply + 1:
        pass  # whoever missed the move receives the game as it is
    match.ply += 1
    # By the ply: time that the server was down is credited to the clocks, which is a version of its own.
    while f'data-ply="{match.ply}"' not in page.receive():
        pass


def _is_accepted(socket, move, ply, move_id):
    socket.send_move(move, ply, move_id)
    while True:
        answer = socket.receive()
        if answer["type"] == "ack":
            return True
        if answer["type"] == "error":
            assert answer["code"] == "unavailable"
            return False


def test_sockets_outlive_a_postgresql_that_is_killed(postgres, servers, opened):
    _, black, _, _ = opened
    postgres.kill()
    try:
        assert not _is_accepted(black, "c4", 0, str(uuid.uuid4()))
        assert not servers[0].is_ready()
    finally:
        postgres.start()
    assert_play_goes_on(opened, "c4")
    wait_until(lambda: all(server.is_ready() for server in servers))


def test_a_new_socket_is_asked_to_come_back_while_postgresql_is_away(postgres, servers):
    match = Match(servers[0])
    postgres.kill()
    try:
        with pytest.raises(ConnectionClosed) as closed, match.black.socket(match.id) as socket:
            socket.receive()
        assert closed.value.rcvd.code == 1013
    finally:
        postgres.start()
    wait_until(lambda: all(server.is_ready() for server in servers))


def test_a_move_by_http_counts_as_presence(postgres, servers):
    match = Match(servers[0], time_control=REALTIME)
    match.play("c4")
    seen = "SELECT count(*) FROM connections WHERE place = $1 AND left_at > now() - interval '30 seconds'"
    wait_until(lambda: fetch(postgres.url, seen, match.id)["count"] == 1)


def test_an_expired_token_plays_no_move_over_its_socket(postgres, opened):
    match, black, _, _ = opened
    expire = "UPDATE api_tokens SET expires_at = now() - interval '1 hour' WHERE account_id = $1"
    execute(postgres.url, expire, id_of(postgres.url, match.black))
    time.sleep(1.1)  # for a second after a look, it is trusted
    with contextlib.suppress(ConnectionClosed):
        black.send_move("c4", 0)
        while True:
            black.receive()
    assert black.connection.close_code == 4401
    assert fetch(postgres.url, "SELECT ply FROM games WHERE id = $1", match.id)["ply"] == 0
