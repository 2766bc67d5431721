"""Failures: answers without a stack trace, health that names the cause, logs without secrets."""

import io
import json
import logging
from dataclasses import dataclass

import httpx
import pytest
from sqlalchemy import text

from app.core.database.session import Database
from app.core.parts import Parts
from app.core.settings import Settings
from tests.support import plain_http
from tests.support.application import new_application
from tests.support.database import execute
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.server import start_server
from tests.support.waiting import wait_until

_SECRET = "hunter2"


@dataclass
class BrokenSite:
    """An application in this process with routes that have a bug, and what it logs."""

    http: httpx.AsyncClient
    log: io.StringIO

    @property
    def failures(self):
        lines = [json.loads(line) for line in self.log.getvalue().splitlines()]
        return [line for line in lines if line["event"] == "unexpected_error"]


@pytest.fixture
async def broken_site(database_url):
    """Return a site on which /bug has a bug, and /query and /statement pass a bad value to PostgreSQL."""
    log = io.StringIO()
    database = await Database.open(database_url, pool_size=1)

    async def bug():
        raise ZeroDivisionError("a secret detail")

    async def query():
        async with database.transaction() as session:
            await session.execute(text("SELECT CAST(CAST(:value AS text) AS int)"), {"value": _SECRET})

    async def statement():
        await database.pool.fetchval("SELECT $1::text::int", _SECRET)

    with new_application() as app:
        logging.getLogger().handlers[0].setStream(log)
        app.add_api_route("/bug", bug)
        app.add_api_route("/api/v1/bug", bug)
        app.add_api_route("/query", query)
        app.add_api_route("/statement", statement)

        async def with_parts(scope, receive, send):
            await app({**scope, "state": {"parts": parts}}, receive, send)

        parts = Parts()
        parts.add(Settings, Settings(database_url=database_url))
        parts.add(Database, database)
        transport = httpx.ASGITransport(with_parts)
        async with plain_http.AsyncClient(transport=transport, base_url="http://test") as client:
            yield BrokenSite(client, log)
    await database.close()


async def test_a_bug_is_a_page_a_fragment_and_a_problem(broken_site):
    page = await broken_site.http.get("/bug")
    fragment = await broken_site.http.get("/bug", headers={"HX-Request": "true"})
    problem = await broken_site.http.get("/api/v1/bug")
    assert [answer.status_code for answer in (page, fragment, problem)] == [500] * 3
    assert "Something broke" in page.text
    assert "<html" in page.text
    assert fragment.text.startswith("<hx-partial")
    assert problem.json()["code"] == "internal"
    assert problem.json()["request_id"] == problem.headers["x-request-id"]
    for answer, failure in zip((page, fragment, problem), broken_site.failures, strict=True):
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text
        assert answer.headers["x-request-id"] in answer.text
        assert answer.headers["x-request-id"] == failure["request_id"]
        assert "ZeroDivisionError" in failure["exception"]


async def test_every_answer_has_the_security_headers(broken_site):
    requests = [
        broken_site.http.get("/bug"),
        broken_site.http.get("/no/such/page"),
        broken_site.http.post("/logout"),
        broken_site.http.post("/logout", content=b"x" * 600_000),
        broken_site.http.get("/static/css/base.css"),
    ]
    answers = [await request for request in requests]
    assert [answer.status_code for answer in answers] == [500, 404, 403, 413, 200]
    for answer in answers:
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-request-id"]


@pytest.mark.parametrize("path", ["/query", "/statement"])
async def test_a_bad_value_is_a_bug_and_is_not_logged(broken_site, path):
    assert (await broken_site.http.get(path)).status_code == 500
    (failure,) = broken_site.failures
    assert "InvalidTextRepresentationError: SQLSTATE 22P02" in failure["exception"]
    assert _SECRET not in broken_site.log.getvalue()


def test_health_reports_a_lost_database_and_its_return(new_database, postgres_url):
    url = new_database("doomed")
    name = url.rsplit("/", 1)[1].split("?")[0]
    server = start_server(url, bus="postgres")
    try:
        assert plain_http.get(f"{server.url}/health/ready").json() == {
            "status": "ok",
            "down": [],
            "degraded": [],
        }
        execute(postgres_url, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        execute(
            postgres_url, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        )
        ready = plain_http.get(f"{server.url}/health/ready")
        assert ready.status_code == 503
        assert {"database", "bus"} <= set(ready.json()["down"])
        assert plain_http.get(f"{server.url}/health/live").status_code == 200
        page = plain_http.get(f"{server.url}/lobby")
        assert (page.status_code, "Back in a moment" in page.text) == (503, True)
        assert plain_http.get(f"{server.url}/api/v1/games/2222222222").json()["code"] == "unavailable"
        execute(postgres_url, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        wait_until(lambda: plain_http.get(f"{server.url}/health/ready").status_code == 200)
        assert plain_http.get(f"{server.url}/lobby").status_code == 200
    finally:
        server.stop()


def test_logs_have_a_json_line_for_each_request_and_no_secrets(server):
    program = Program(server)
    program.http.get("/me")
    visitor = Visitor(server).register()
    cookie = visitor.http.cookies["gorrion"]
    visitor.http.get(f"/lobby?token={program.token}")
    request_id = visitor.http.get("/no/such/page").headers["x-request-id"]
    wait_until(lambda: request_id in server.log.read_text())
    text = server.log.read_text()
    for secret in (program.token, PASSWORD, cookie, "$argon2"):
        assert secret not in text
    lines = [json.loads(line) for line in text.splitlines()]
    (line,) = [line for line in lines if line.get("request_id") == request_id]
    assert (line["event"], line["method"], line["status"]) == ("request", "GET", 404)
    assert line["path"] == "/no/such/page"
    assert line["ms"] > 0
