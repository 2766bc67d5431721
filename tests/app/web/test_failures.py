"""Failures: answers without a stack trace, health that names the cause, logs without secrets."""

import json

import httpx
import pytest

from tests.support.application import application
from tests.support.database import execute
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.server import start_server
from tests.support.waiting import wait_until


@pytest.fixture
async def broken_site():
    """Return a client of an application in which two routes have a bug."""

    async def bug():
        raise ZeroDivisionError("a secret detail")

    with application() as app:
        app.add_api_route("/bug", bug)
        app.add_api_route("/api/v1/bug", bug)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            yield client


async def test_a_bug_is_a_page_a_fragment_and_a_problem(broken_site):
    page = await broken_site.get("/bug")
    fragment = await broken_site.get("/bug", headers={"HX-Request": "true"})
    problem = await broken_site.get("/api/v1/bug")
    assert [answer.status_code for answer in (page, fragment, problem)] == [500] * 3
    assert "Something broke" in page.text
    assert "<html" in page.text
    assert fragment.text.startswith("<hx-partial")
    assert problem.json()["code"] == "internal"
    for answer in (page, fragment, problem):
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text


def test_health_reports_a_lost_database_and_its_return(new_database, postgres_url):
    url = new_database("doomed")
    name = url.rsplit("/", 1)[1].split("?")[0]
    server = start_server(url, bus="postgres")
    try:
        assert httpx.get(f"{server.url}/health/ready").json() == {"status": "ok", "down": []}
        execute(postgres_url, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        execute(
            postgres_url, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        )
        ready = httpx.get(f"{server.url}/health/ready")
        assert (ready.status_code, ready.json()["down"]) == (503, ["database", "bus"])
        assert httpx.get(f"{server.url}/health/live").status_code == 200
        page = httpx.get(f"{server.url}/lobby")
        assert (page.status_code, "Back in a moment" in page.text) == (503, True)
        assert httpx.get(f"{server.url}/api/v1/games/abc").json()["code"] == "unavailable"
        execute(postgres_url, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        wait_until(lambda: httpx.get(f"{server.url}/health/ready").status_code == 200)
        assert httpx.get(f"{server.url}/lobby").status_code == 200
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
