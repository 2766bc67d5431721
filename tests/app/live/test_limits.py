"""Clients that take more than their share: connections, pings, and what they do not read."""

import asyncio
import contextlib

import pytest
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from app.live.protocol import protocol_of
from tests.support import plain_http
from tests.support.players import Match, Socket
from tests.support.raw_http import listening
from tests.support.server import start_server
from tests.support.waiting import WITHIN, wait_until


@pytest.fixture(scope="module")
def strict(database_url):
    """Return a server that allows two connections to an account, and three to an address."""
    server = start_server(database_url, throttle="on", live_per_account="2", live_per_address="3")
    yield server
    server.stop()


def refusal(server, game_id, **headers):
    """Return the code and the reason with which the server closes one more socket."""
    url = f"{server.ws_url}/api/v1/games/{game_id}/socket"
    with connect(url, additional_headers=headers) as socket:
        with pytest.raises(ConnectionClosed):
            while True:
                socket.recv(WITHIN)
        return socket.close_code, socket.close_reason


def is_refused(stream, headers):
    """Return whether the server refuses one more stream."""
    with plain_http.stream("GET", stream, headers=headers) as answer:
        return answer.status_code == 429 and "too_many_connections" in answer.read().decode()


def test_an_account_and_an_address_have_so_many_connections_at_a_time(strict):
    match = Match(strict)
    bearer = {"Authorization": f"Bearer {match.black.token}"}
    stream = f"{strict.url}/api/v1/events"
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(match.black.socket(match.id).connection)
        stack.enter_context(plain_http.stream("GET", stream, headers=bearer, timeout=WITHIN))
        wait_until(lambda: is_refused(stream, bearer))  # a stream counts as soon as it has begun
        assert refusal(strict, match.id, **bearer) == (1013, "too_many_connections")

        stack.enter_context(match.white.socket(match.id).connection)
        assert refusal(strict, match.id) == (1013, "too_many_connections")
        first.close()
        Socket(strict.ws_url, match.id, match.black.token)


def test_a_client_that_sends_too_many_pings_is_disconnected(server):
    match = Match(server)
    with match.black.socket(match.id).connection as socket:
        with pytest.raises(ConnectionClosed):
            for _ in range(50):
                socket.ping()
            while True:  # heartbeats come all the time
                socket.recv(WITHIN)
        assert socket.close_code in {1008, 1006}  # or 1006, if the end of the connection overtakes the frame


def test_a_client_that_leaves_without_a_word_is_no_error(server):
    match = Match(server)
    socket = match.black.socket(match.id).connection
    socket.socket.close()
    wait_until(lambda: f"/games/{match.id}/socket" in server.log.read_text())
    assert "unexpected_error" not in server.log.read_text()


async def test_a_client_that_does_not_read_is_disconnected():
    async def talk(_scope, receive, send):
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            await send({"type": "websocket.send", "text": "x" * 10_000_000})

    async with (
        listening(talk, ws_max_size=16_384) as (port, connections),
        connect_async(f"ws://127.0.0.1:{port}", ping_interval=None) as client,
    ):
        client.transport.pause_reading()
        await asyncio.to_thread(wait_until, lambda: not connections)
        client.transport.abort()


async def test_a_client_that_does_not_answer_pings_is_disconnected():
    pings = 0

    async def ping(scope, receive, send):
        nonlocal pings
        await send({"type": "websocket.accept"})
        await receive()
        ended = asyncio.create_task(receive())
        while not ended.done():
            protocol_of(scope).ping()
            pings += 1
            await asyncio.wait([ended], timeout=0.1)

    async with (
        listening(ping, ws_ping_interval=None) as (port, connections),
        connect_async(f"ws://127.0.0.1:{port}", ping_interval=None) as client,
    ):
        await asyncio.to_thread(wait_until, lambda: pings > 3)  # it has answered all of them
        assert connections
        client.transport.pause_reading()
        await asyncio.to_thread(wait_until, lambda: not connections)
        client.transport.abort()
