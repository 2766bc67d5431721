"""Traces: a request and the commit of its move are sent to a collector as one trace."""

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.support.loopback import LoopbackServer
from tests.support.players import Match
from tests.support.server import start_server
from tests.support.waiting import wait_until


@pytest.fixture
def collector():
    """Return a collector of traces: its URL, and the list of spans that it has received."""
    spans = []

    def receive(_path, _headers, body):
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            spans.extend(span for scope in resource.scope_spans for span in scope.spans)
        return 200, b"", {}

    server = LoopbackServer(receive)
    yield server.url, spans
    server.stop()


def test_a_move_is_one_trace_from_its_request_to_its_commit(database_url, collector, monkeypatch):
    url, spans = collector
    monkeypatch.setenv("FASTAPI_OTEL_AUTO_CONFIGURE", "true")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")  # milliseconds
    server = start_server(database_url)
    try:
        Match(server).play("a1")
        commit = wait_until(lambda: next((span for span in spans if span.name == "commit"), None))
        route = "POST /api/v1/games/{game_id}/moves"
        request = wait_until(lambda: next((span for span in spans if span.name == route), None))
    finally:
        server.stop()
    assert commit.trace_id == request.trace_id
    assert request.start_time_unix_nano <= commit.start_time_unix_nano
    assert commit.end_time_unix_nano <= request.end_time_unix_nano
