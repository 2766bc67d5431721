"""Clients lose answers, repeat moves, cut their connections, hide their tabs, and stop reading."""

import json
import random
import socket
import uuid
from urllib.parse import urlsplit

from engine.registry import GAMES
from tests.faults.scale import TIMES
from tests.support.database import fetch
from tests.support.players import LivePage, Match
from tests.support.waiting import wait_until

RULES = GAMES["jadejack"]
SLOW_CLIENTS_GONE_WITHIN = 60  # seconds
KEY = "dGhlIHNhbXBsZSBub25jZQ=="


def test_an_answer_that_was_lost_is_given_to_the_retry_on_another_server(postgres, servers):
    for _ in range(3 * TIMES):
        match = Match(servers[0])
        for move in ("c4", "g6", "d4", "f6"):
            move_id = uuid.uuid4()
            send_and_hang_up(servers[match.ply % 2], match, move, move_id)
            other = servers[1 - match.ply % 2]
            answer = match.mover.http.post(
                f"{other.url}/api/v1/games/{match.id}/moves",
                json={"move": move, "ply": match.ply, "move_id": str(move_id)},
            )
            assert (answer.status_code, answer.json()["ply"]) == (200, match.ply + 1)
            match.ply += 1
        assert fetch(postgres.url, "SELECT count(*) FROM moves WHERE game_id = $1", match.id)["count"] == 4


def test_a_move_at_a_ply_that_was_played_is_refused_with_the_game_as_it_is(servers):
    match = Match(servers[0])
    match.play("c4")
    for server in servers:
        answer = match.black.http.post(
            f"{server.url}/api/v1/games/{match.id}/moves",
            json={"move": "d4", "ply": 0, "move_id": str(uuid.uuid4())},
        )
        assert (answer.status_code, answer.json()["code"]) == (409, "stale_ply")
        assert answer.json()["snapshot"]["moves"] == ["c4"]


def test_a_socket_opened_on_either_server_after_each_move_has_the_position(servers):
    match, rng, position = Match(servers[0]), random.Random(7), RULES.initial({"size": 9})
    for ply in range(40 * TIMES):
        with match.white.socket(match.id, server=servers[ply % 2]) as opened:
            assert (opened.snapshot["ply"], opened.snapshot["position"]) == (ply, RULES.format(position))
        legal = RULES.legal_moves(position)
        if len(legal) == 1:
            break
        move = rng.choice(legal[:-1])
        match.play(move)
        position = RULES.play(position, move)


def test_a_page_that_comes_back_shows_what_was_played_meanwhile(servers):
    here, there = servers
    match = Match(here)
    for ply, move in enumerate(("c4", "g6", "d4", "f6"), 1):
        LivePage(there, match.id).connection.close()
        match.play(move)
        assert f'data-version="{ply}"' in LivePage(there, match.id).first


def test_clients_that_do_not_read_are_gone_within_a_minute_and_disturb_nobody(postgres, servers, play):
    match = Match(servers[0])
    connections = [open_without_reading(servers[0], match.id) for _ in range(20)]
    present = "SELECT count(*) FROM connections WHERE place = $1 AND left_at IS NULL"
    wait_until(lambda: fetch(postgres.url, present, match.id)["count"] == len(connections))
    with play(postgres, servers) as load:
        wait_until(
            lambda: fetch(postgres.url, present, match.id)["count"] == 0, within=SLOW_CLIENTS_GONE_WITHIN
        )
        load.wait_until_whole()
        assert load.observed.closes.total() == 0
    for connection in connections:
        connection.close()


def send_and_hang_up(server, match, move, move_id):
    """Post a move and close the connection without reading the answer."""
    body = json.dumps({"move": move, "ply": match.ply, "move_id": str(move_id)}).encode()
    with socket.create_connection(("127.0.0.1", urlsplit(server.url).port)) as connection:
        connection.sendall(
            f"POST /api/v1/games/{match.id}/moves HTTP/1.1\r\n"
            f"Host: localhost\r\nAuthorization: Bearer {match.mover.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )


def open_without_reading(server, game_id):
    """Open a page's websocket and never read from it."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(
        f"GET /games/{game_id}/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Origin: {server.url}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n\r\n".encode()
    )
    return connection
