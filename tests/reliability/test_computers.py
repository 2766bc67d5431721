"""Killed workers: another one takes over the move, and the server starts a new one."""

import signal

import psutil
import pytest

from tests.support.database import fetch
from tests.support.players import Program
from tests.support.ports import free_port
from tests.support.server import start_computer, start_server, wait_for_computer
from tests.support.waiting import wait_until

pytestmark = pytest.mark.usefixtures("compiled_searches")


def wait_for_worker(condition):
    return wait_until(condition, within=120)  # seconds; its first search may have to be compiled


@pytest.fixture(scope="module")
def server(new_database):
    """Return a server that has started no worker."""
    server = start_server(new_database("killed"), bus="postgres")
    yield server
    server.stop()


@pytest.fixture
def start_worker(server):
    """Return a function that starts a worker for the server."""
    workers = []

    def start(**options):
        workers.append(start_computer(server.database_url, **options))
        return workers[-1]

    yield start
    for worker in workers:
        worker.kill()
        worker.wait()


def test_the_move_of_a_killed_worker_is_taken_over_and_played_once(server, start_worker):
    url, player, first = server.database_url, Program(server), start_worker()
    warm = player.challenge(opponent="Gorrion-8", side="white", options={"size": 13}).json()["game_id"]
    wait_for_worker(lambda: player.snapshot(warm)["ply"] == 1)  # it is ready, and its kernels are compiled
    game = player.challenge(opponent="Gorrion-10", side="white", options={"size": 13}).json()["game_id"]
    of_game = "SELECT id, status FROM pgqueuer WHERE dedupe_key LIKE 'computer_move:' || $1 || ':%'"
    job = wait_for_worker(lambda: (job := fetch(url, of_game, game))["status"] == "picked" and job)
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert player.snapshot(game)["ply"] == 0, "it was killed too late to test anything"
    second = start_worker()
    claims = "SELECT count(*) FROM pgqueuer_log WHERE job_id = $1 AND status = 'picked'"
    wait_for_worker(lambda: player.snapshot(game)["ply"] == 1)
    wait_for_worker(lambda: fetch(url, of_game, game) is None)
    assert fetch(url, claims, job["id"])["count"] == 2
    assert fetch(url, "SELECT count(*) FROM moves WHERE game_id = $1", game)["count"] == 1
    second.send_signal(signal.SIGTERM)
    assert second.wait(60) == 0


def test_a_worker_that_is_told_to_end_has_not_failed(start_worker, tmp_path):
    log = tmp_path / "log"
    worker = start_worker(log=log, metrics_port=str(free_port()))
    wait_for_worker(lambda: "worker_ready" in log.read_text())
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(60) == 0
    assert "failed" not in log.read_text()


def test_a_server_looks_after_its_worker(new_database, tmp_path):
    """The solver is ready before anyone asks for it. A worker that stands still or is dead is replaced."""
    log = tmp_path / "log"
    server = start_server(new_database("supervised"), computers=1, log=log)
    wait_for_computer(server)
    wait_for_worker(lambda: "solver_ready" in log.read_text())
    (still,) = workers_of(server)
    still.send_signal(signal.SIGSTOP)
    (dead,) = wait_for_worker(lambda: set(workers_of(server)) - {still})
    assert "worker_hangs" in log.read_text()
    wait_for_computer(server)
    dead.kill()
    others = wait_for_worker(lambda: set(workers_of(server)) - {dead})
    server.kill()
    wait_for_worker(lambda: not any(map(is_alive, others)))  # they end with it


def is_alive(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def workers_of(server):
    """Return the running `gorrion worker` processes that a server started."""
    children = psutil.Process(server.process.pid).children()
    return [child for child in children if is_alive(child) and "worker" in child.cmdline()]
