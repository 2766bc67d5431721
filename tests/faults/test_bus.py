"""The bus between processes is cut, paused and disturbed: moves are still seen on the other server."""

import random

import msgspec
import psutil

from app.play.games.events import GameChanged
from tests.faults.scale import CUTS
from tests.support.database import execute
from tests.support.players import Match
from tests.support.waiting import wait_until

# The server sends a heartbeat every 20 seconds, at which a connection looks for what it missed.
HEARTBEAT = 25  # seconds
STRANGER = "0" * 16  # the name of a process
ANNOUNCE = "SELECT pg_notify('gorrion', payload) FROM unnest($1::text[]) AS payload"


def test_the_bus_is_cut_again_and_again(postgres, servers, play):
    with play(postgres, servers) as load:
        for _ in range(CUTS):
            postgres.cut(postgres.listeners())
            load.play_for(1.5)
        load.wait_until_whole()
        wait_until(lambda: all(server.is_ready() for server in servers))
    here, there = servers
    match = Match(here)
    with match.white.socket(match.id, server=there) as socket:
        match.play("c4")
        assert socket.receive_until("move")["ply"] == 1


def test_servers_whose_bus_hangs_say_so_and_connect_again(postgres, servers):
    here, there = servers
    match = Match(here)
    paused = [psutil.Process(pid) for pid in postgres.listeners()]
    assert len(paused) >= len(servers)
    with match.white.socket(match.id, server=there) as socket:
        try:
            for process in paused:
                process.suspend()
            wait_until(lambda: not here.is_ready() and not there.is_ready())
            match.play("c4")
            assert socket.receive(timeout=HEARTBEAT)["ply"] == 1
            wait_until(lambda: here.is_ready() and there.is_ready())
            match.play("g6")
            assert socket.receive_until("move")["ply"] == 2
        finally:
            for process in paused:
                process.resume()


def test_noise_on_the_bus_does_no_harm(postgres, servers, play):
    with play(postgres, servers) as load:
        for _ in range(20):
            execute(postgres.url, ANNOUNCE, noise(load.observed.games))
        load.wait_until_whole()
        wait_until(lambda: all(server.is_ready() for server in servers))


def noise(games):
    """Return announcements that are old, early or false, in any order, and texts that are none."""
    changes = [
        GameChanged(game, version, (), None, is_over=False, step=None)
        for game in games
        for version in (0, 1, random.randrange(200), 10**6)
    ]
    random.shuffle(changes)
    texts = [msgspec.json.encode([change]).decode() for change in changes]
    return [f"{STRANGER}{text}" for text in (*texts, "", "no JSON", "{}", "17", '[["Unknown"]]', "[7]")]
