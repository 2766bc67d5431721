"""Metrics: what a server with two web processes and a worker reports while people play."""

import json

import pytest
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs
from websockets.sync.client import connect

from app.core import metrics
from tests.support import plain_http
from tests.support.database import execute
from tests.support.players import PASSWORD, Match
from tests.support.ports import free_port
from tests.support.server import start_server
from tests.support.waiting import wait_until

_ADD_JOB = """
INSERT INTO pgqueuer (priority, status, entrypoint, updated, created)
VALUES (0, 'queued', 'no_such_kind', now(), now())
"""


class Measured:
    """A server with the metrics of all of its processes."""

    def __init__(self, server, database_url, ports):
        self.server = server
        self.database_url = database_url
        self.ports = ports

    def samples(self, name, **labels):
        """Return the values of a metric, one for each process and each set of labels."""
        return [
            sample.value
            for port in self.ports
            for family in text_string_to_metric_families(scrape(port))
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        ]

    def total(self, name, **labels):
        return sum(self.samples(name, **labels))


def scrape(port):
    return plain_http.get(f"http://127.0.0.1:{port}/metrics").text


@pytest.fixture(scope="module")
def measured(new_database, tmp_path_factory):
    """Return a server with two web processes that serves metrics."""
    log = tmp_path_factory.mktemp("metrics") / "log"
    url = new_database("metrics")
    server = start_server(url, workers=2, log=log, metrics_port=str(free_port()))
    ports = wait_until(lambda: ports if len(ports := ports_in(log)) == 2 else None)
    yield Measured(server, url, ports)
    server.stop()


def ports_in(log):
    events = [json.loads(line) for line in log.read_text().splitlines()]
    return [event["port"] for event in events if event["event"] == "metrics_served"]


def test_moves_and_commits_are_counted_over_all_processes(measured):
    match = Match(measured.server)
    before = measured.total("gorrion_moves_total")
    match.play("a1", "c3", "e5")
    assert measured.total("gorrion_moves_total") == before + 3
    commits = measured.total("gorrion_commit_seconds_count")
    assert commits == measured.total("gorrion_commit_size_count") >= 3
    assert measured.total("gorrion_commit_size_sum") >= commits
    assert measured.total("gorrion_steps_waiting") == 0


def test_requests_are_counted_by_route_and_status(measured):
    match = Match(measured.server)
    for _ in range(2):
        match.black.snapshot(match.id)
    assert plain_http.get(f"{measured.server.url}/games/{match.id}").status_code == 200
    assert plain_http.get(f"{measured.server.url}/nowhere/at-all").status_code == 404
    route = "/api/v1/games/{game_id:id}"
    assert measured.total("gorrion_requests_total", route=route, status="200") == 2
    assert measured.total("gorrion_request_seconds_count", route=route) == 2
    assert measured.total("gorrion_requests_total", route="/games/{game_id:id}", status="200") == 1
    assert measured.total("gorrion_requests_total", route="other", status="404") == 1
    served = "".join(map(scrape, measured.ports))
    assert match.id not in served
    assert "nowhere" not in served


def test_open_connections_are_counted_by_kind(measured):
    with connect(f"{measured.server.ws_url}/lobby/live", origin=measured.server.url):
        wait_until(lambda: measured.total("gorrion_connections", kind="page") == 1)
    wait_until(lambda: measured.total("gorrion_connections", kind="page") == 0)


def test_a_client_that_sends_too_many_pings_is_counted_as_dropped(measured):
    with connect(f"{measured.server.ws_url}/lobby/live", origin=measured.server.url) as socket:
        for _ in range(11):
            socket.ping()
        wait_until(lambda: measured.total("gorrion_dropped_total", reason="too_many_frames") == 1)


def test_jobs_that_wait_are_counted_by_kind(measured):
    execute(measured.database_url, _ADD_JOB)
    assert measured.samples("gorrion_jobs_waiting", kind="no_such_kind") == [1, 1]


def test_waits_for_a_connection_to_the_database_are_measured(measured):
    for pool in ("moves", "pages"):
        assert measured.total("gorrion_pool_seconds_count", pool=pool) > 0


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid"])
async def test_a_process_goes_on_without_metrics_that_it_cannot_serve(host):
    with capture_logs() as logs:
        async with metrics.served(host, free_port(), count_jobs=None):
            pass
    assert [line["event"] for line in logs] == ["metrics_not_served"]


def test_refusals_by_a_rate_limit_are_counted(new_database, tmp_path):
    server = start_server(
        new_database("limited"), log=tmp_path / "log", throttle="on", metrics_port=str(free_port())
    )
    try:
        (port,) = ports_in(tmp_path / "log")
        for _ in range(11):
            plain_http.post(f"{server.url}/api/v1/tokens", json={"username": "nobody", "password": PASSWORD})
        assert 'gorrion_rate_limited_total{limit="login"} 1.0' in scrape(port)
    finally:
        server.stop()
