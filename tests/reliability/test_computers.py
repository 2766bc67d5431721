"""A worker that is killed while it thinks: another one takes its move over, and it is played once."""

import asyncio
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import asyncpg
import psutil
import pytest

from app.database.migrate import upgrade
from tests.support.players import Program
from tests.support.server import start_computer, start_server


def fetch(database_url, query, *values):
    """Read one row of a test's database."""

    async def run():
        connection = await asyncpg.connect(database_url)
        try:
            return await connection.fetchrow(query, *values)
        finally:
            await connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, run()).result()


def wait_until(condition, within=120):
    deadline = time.monotonic() + within
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return found


@pytest.fixture
def house(new_database, request):
    """Give a server, its database, and the workers that a test starts."""
    url = new_database(f"killed_{request.function.__name__[-20:]}")
    upgrade(url)
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
    wait_until(lambda: player.snapshot(warm)["ply"] == 1)  # it is ready, and its kernels are compiled
    game = player.challenge(opponent="Gorrion-8", side="white", options={"size": 13}).json()["game_id"]
    of_game = "SELECT id, status FROM pgqueuer WHERE dedupe_key LIKE 'computer_move:' || $1 || ':%'"
    job = wait_until(lambda: (job := fetch(url, of_game, game))["status"] == "picked" and job)
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert player.snapshot(game)["ply"] == 0, "it was killed too late for this test to tell anything"
    started.append(start_computer(url))
    claims = "SELECT count(*) FROM pgqueuer_log WHERE job_id = $1 AND status = 'picked'"
    wait_until(lambda: player.snapshot(game)["ply"] == 1)
    wait_until(lambda: fetch(url, of_game, game) is None)
    assert fetch(url, claims, job["id"])["count"] == 2
    assert fetch(url, "SELECT count(*) FROM moves WHERE game_id = $1", game)["count"] == 1


def test_a_worker_stops_when_it_is_asked_to_starts_again_and_goes_with_its_server(house):
    _, url, started = house
    started.append(start_computer(url))
    time.sleep(1)
    started[0].send_signal(signal.SIGTERM)
    assert started[0].wait(60) in (0, -signal.SIGTERM)
    server = start_server(url, computers=1)
    (worker,) = wait_until(lambda: workers_of(server))
    worker.kill()
    others = wait_until(lambda: [other for other in workers_of(server) if other != worker])  # started again
    server.process.kill()
    server.process.wait()
    wait_until(lambda: not any(map(is_alive, others)))


def is_alive(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def workers_of(server):
    """The living processes of `gorrion worker` that a server has started."""
    children = psutil.Process(server.process.pid).children()
    return [child for child in children if is_alive(child) and "worker" in child.cmdline()]
