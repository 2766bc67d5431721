"""The processes of one server: who serves a game, and what happens while that process is away."""

import asyncio
import contextlib
import socket
from typing import ClassVar

import pytest

from app.core.ids import new_id
from app.live.siblings import Siblings


class Recorder(asyncio.Protocol):
    """Stores the request of a connection and answers it."""

    transports: ClassVar = []

    def __init__(self):
        self.requests = []

    def connection_made(self, transport):
        self.transport = transport
        self.transports.append(transport)

    def data_received(self, data):
        self.requests.append(data)
        self.transport.write(b"taken over")


@contextlib.contextmanager
def accepted():
    """Yield both ends of a connection."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as client,
    ):
        connection, _ = server.accept()
        with connection:
            client.settimeout(5)
            yield connection, client


@pytest.fixture
async def two(tmp_path):
    """Return two processes, of which only the first one has begun, and the protocol of the second."""
    first, second = processes = Siblings(tmp_path, 2), Siblings(tmp_path, 2)
    first.join(Recorder)
    yield first, second, Recorder()
    await asyncio.sleep(0.05)  # until everything that was handed over has been taken over
    for transport in Recorder.transports:
        transport.abort()
    Recorder.transports.clear()
    await asyncio.sleep(0)
    for process in processes:
        if process._inbox is not None:
            asyncio.get_running_loop().remove_reader(process._inbox)
            process._inbox.close()
            process._lock.close()


async def hand_over(siblings, connection, game):
    url = f"/games/{game}/live".encode()
    return await siblings.hand_over(connection.fileno(), url, b"GET " + url)


async def test_each_game_is_served_by_one_process(two):
    first, second, protocol = two
    second.join(lambda: protocol)
    for _ in range(20):
        game = new_id()
        with accepted() as (connection, _client):
            assert await hand_over(first, connection, game) != await hand_over(second, connection, game)


async def test_a_connection_is_served_by_the_process_that_took_it_over(two):
    first, second, protocol = two
    second.join(lambda: protocol)
    with accepted() as (connection, client):
        while not await hand_over(first, connection, game := new_id()):
            pass
        connection.close()
        assert await asyncio.to_thread(client.recv, 100) == b"taken over"
    assert protocol.requests == [f"GET /games/{game}/live".encode()]


async def test_a_process_serves_the_games_of_one_that_is_away(two):
    first, _, _ = two
    with accepted() as (connection, _client):
        assert not any([await hand_over(first, connection, new_id()) for _ in range(20)])


async def test_other_connections_stay_where_they_are(two):
    first, second, protocol = two
    second.join(lambda: protocol)
    with accepted() as (connection, _client):
        for url in (b"/lobby/live", b"/account/live", b"/games/next", b"/api/v1/events"):
            assert not await first.hand_over(connection.fileno(), url, b"")
