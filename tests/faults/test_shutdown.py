"""A server or worker that is told to end does so, whatever PostgreSQL does, and answers what it cancels."""

import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest

from tests.faults.cluster import Web
from tests.support import plain_http
from tests.support.launching import Command
from tests.support.players import Program
from tests.support.ports import free_port
from tests.support.server import start_computer
from tests.support.waiting import WITHIN, wait_until

PAGES = ["/lobby", "/leaderboards", "/watch", "/api/v1/games", "/api/v1/me", "/puzzles", "/players/nobody"]


@pytest.fixture(params=["answers", "pauses", "is gone"])
def breaking(request, postgres):
    """Return a function that does to PostgreSQL what the test is about."""
    ends = {"answers": (lambda: None,) * 2, "pauses": (postgres.pause, postgres.resume)}
    begin, end = {**ends, "is gone": (postgres.kill, postgres.start)}[request.param]
    yield begin
    end()


def test_a_server_ends_and_answers_whatever_waits(postgres, breaking, tmp_path):
    server = Web(postgres.url, tmp_path / "log")
    server.start()
    try:
        program = Program(server)
        game = program.challenge(opponent="Gorrion-1", side="black").json()["game_id"]
        breaking()
        with ThreadPoolExecutor(20) as threads:
            asked = [threads.submit(ask, server.url, path) for path in PAGES]
            asked.append(threads.submit(program.move, game, "c4", 0))
            time.sleep(0.5)
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(WITHIN) == 0
            answers = [each.result() for each in asked]
    finally:
        server.close()
    log = Path(tmp_path / "log").read_text()
    assert "ASGI application" not in log
    assert "ended_at_once" not in log
    for answer in answers:
        assert answer is None or answer.status_code != 500
        if answer is not None and answer.status_code == 503:
            kind = answer.headers["content-type"]
            assert kind == "application/problem+json" or kind.startswith("text/html")
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert not [line for line in lines if line["event"] == "request" and line["status"] in (0, 500)]


def ask(url, path):
    """Return the answer to a request, or None if the server listens no longer."""
    try:
        return plain_http.get(f"{url}{path}", timeout=WITHIN)
    except httpx.ConnectError:
        return None


@pytest.mark.parametrize("moment", [0.3, 1, 2, 3])
def test_a_server_that_starts_ends(postgres, breaking, moment, tmp_path):
    breaking()
    environment = {**os.environ, "GORRION_DATABASE_URL": postgres.url, "GORRION_RECURRING_ARENAS": "[]"}
    server = Command(
        ("serve", "--computers", "0", "--port", str(free_port())), environment, str(tmp_path / "log")
    )
    wait_until((tmp_path / "log").exists)  # it has begun to start
    time.sleep(moment)
    server.send_signal(signal.SIGTERM)
    server.wait(WITHIN)
    assert "Traceback" not in Path(tmp_path / "log").read_text()


def test_a_worker_ends(postgres, breaking, tmp_path):
    worker = start_computer(postgres.url, log=tmp_path / "log")
    wait_until(lambda: "worker_ready" in Path(tmp_path / "log").read_text(), within=120)
    breaking()
    time.sleep(1)
    worker.send_signal(signal.SIGTERM)
    worker.wait(WITHIN)


def is_ready(url):
    """Return whether a server answers that it is ready."""
    answer = ask(url, "/health/ready")
    return answer is not None and answer.status_code == 200


def test_a_server_ends_with_an_embedded_postgresql_that_hangs(tmp_path):
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if name != "GORRION_DATABASE_URL"}
    environment["GORRION_RECURRING_ARENAS"] = "[]"
    arguments = ("serve", "--computers", "0", "--port", str(port), "--data", str(tmp_path / "my data"))
    server = Command(arguments, environment, str(tmp_path / "log"))
    wait_until(lambda: is_ready(f"http://127.0.0.1:{port}"), within=120)
    pid = int((tmp_path / "my data" / "postgres" / "postmaster.pid").read_text().split()[0])
    postgres = psutil.Process(pid)
    family = [postgres, *postgres.children()]
    for process in family:
        process.suspend()
    server.send_signal(signal.SIGTERM)
    assert server.wait(WITHIN) is not None
    wait_until(lambda: not any(process.is_running() for process in family))
