"""A worker that is killed while it thinks: another one takes its move over, and it is played once."""

import signal
import time

import psutil
import pytest

from tests.support.database import fetch
from tests.support.players import Program
from tests.support.server import start_computer, start_server
from tests.support.waiting import wait_until


def wait_for_worker(condition):
    return wait_until(condition, within=120)  # seconds; its first search may have to be compiled


@pytest.fixture
def house(new_database, request):
    """Give a server, its database, and the workers that a test starts."""
    url = new_database(f"killed_{request.function.__name__[-20:]}")
    server, started = start_server(url, bus="postgres"), []
    yield server, url, started
    for process in started:
        process.kill()
        process.wait()
    server.stop()


def test_the_move_of_a_killed_worker_is_taken_over_and_played_once(house):
    server, url, started = house
    player = Program(server)
    first = start_computer(url)
    started.append(first)
    warm = player.challenge(opponent="Gorrion-8", side="white", options={"size": 13}).json()["game_id"]
    wait_for_worker(lambda: player.snapshot(warm)["ply"] == 1)  # it is ready, and its kernels are compiled
    game = player.challenge(opponent="Gorrion-8", side="white", options={"size": 13}).json()["game_id"]
    waiting = "SELECT attempts, done_at FROM jobs WHERE key LIKE 'move:' || $1 || ':%'"
    wait_for_worker(lambda: fetch(url, waiting, game)["attempts"] == 1)
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert player.snapshot(game)["ply"] == 0, "it was killed too late for this test to tell anything"
    started.append(start_computer(url))
    wait_for_worker(lambda: player.snapshot(game)["ply"] == 1)
    wait_for_worker(lambda: fetch(url, waiting, game)["done_at"])
    assert fetch(url, waiting, game)["attempts"] == 2
    assert fetch(url, "SELECT count(*) FROM moves WHERE game_id = $1", game)["count"] == 1


def test_a_worker_stops_when_it_is_asked_to_starts_again_and_goes_with_its_server(house):
    _, url, started = house
    started.append(start_computer(url))
    time.sleep(1)
    started[0].send_signal(signal.SIGTERM)
    assert started[0].wait(60) in (0, -signal.SIGTERM)
    server = start_server(url, computers=1)
    (worker,) = wait_for_worker(lambda: workers_of(server))
    worker.kill()
    others = wait_for_worker(lambda: set(workers_of(server)) - {worker})  # the server started another
    server.process.kill()
    server.process.wait()
    wait_for_worker(lambda: not any(map(is_alive, others)))


def is_alive(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def workers_of(server):
    """The living processes of `gorrion worker` that a server has started."""
    children = psutil.Process(server.process.pid).children()
    return [child for child in children if is_alive(child) and "worker" in child.cmdline()]
