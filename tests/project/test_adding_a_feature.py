"""What `docs/adding-a-feature.md` promises, tried with its example."""

import re

import pytest

from app.core.settings import ROOT
from tests.support.database import execute, fetch
from tests.support.greetings.serving import serving
from tests.support.players import Program, Visitor
from tests.support.ports import free_port
from tests.support.server import Server, wait_until_ready
from tests.support.waiting import wait_until

EXAMPLE = ROOT / "tests" / "support" / "greetings"
GUIDE = ROOT / "docs" / "adding-a-feature.md"


@pytest.fixture(scope="module")
def server(new_database):
    """Return a server with one more feature, which nothing but the list of features names."""
    url, port = new_database("greetings"), free_port()
    process = serving(url, port)
    process.start()
    server = Server(process, port, url)
    wait_until_ready(server, lambda: process.exitcode)
    yield server
    process.terminate()
    process.join()


def test_its_routes_are_served_and_described(server):
    player, visitor = Program(server), Visitor(server)
    assert player.http.post("/greetings", json={"text": "Hello <b>all</b>"}).status_code == 204
    assert "<p>Hello &lt;b&gt;all&lt;/b&gt;" in visitor.http.get("/greetings").text
    assert "/api/v1/greetings" in visitor.http.get("/api/v1/openapi.json").json()["paths"]


def test_its_schedule_is_run(server):
    assert Program(server).http.post("/greetings", json={"text": "Hello"}).status_code == 204
    execute(server.database_url, "UPDATE greetings SET said_at = now() - interval '31 days'")
    wait_until(lambda: fetch(server.database_url, "SELECT count(*) FROM greetings")[0] == 0)


def test_the_guide_names_each_file_of_the_example():
    named = set(re.findall(r"`(\w+\.py)`", GUIDE.read_text()))
    assert {path.name for path in EXAMPLE.glob("*.py")} - {"__init__.py", "serving.py"} <= named
