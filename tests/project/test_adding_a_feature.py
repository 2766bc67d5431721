"""What `docs/adding-a-feature.md` promises, tried with its example."""

import io
import json
import re
import zipfile

import pytest

from app.core.settings import ROOT
from tests.support.database import execute, fetch
from tests.support.greetings.serving import serving
from tests.support.moderation import make_moderator, open_reports
from tests.support.players import PASSWORD, Program, Visitor
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
    assert leave(player, "Hello <b>all</b>").status_code == 204
    assert "<p>Hello &lt;b&gt;all&lt;/b&gt;" in visitor.http.get("/greetings").text
    assert "/api/v1/greetings" in visitor.http.get("/api/v1/openapi.json").json()["paths"]


def test_its_schedule_is_run(server):
    assert leave(Program(server), "Hello").status_code == 204
    execute(server.database_url, "UPDATE greetings SET said_at = now() - interval '31 days'")
    wait_until(lambda: fetch(server.database_url, "SELECT count(*) FROM greetings")[0] == 0)


def test_its_notification_is_listed_while_it_is_true(server):
    first, second = Program(server), Program(server)
    assert leave(first, "Hello").status_code == 204
    greeting = leave_and_find(server, second, "Hello, too")
    (told,) = first.http.get("/notifications").json()["notifications"]
    assert (told["kind"], told["text"]) == ("greeted", f"{second.username} greets back")
    execute(server.database_url, "DELETE FROM greetings WHERE id = $1", greeting)
    assert first.http.get("/notifications").json()["notifications"] == []


def test_its_notification_has_a_switch_for_each_channel_that_carries_it(server):
    player, visitor = Program(server), Visitor(server)
    switches = {channel: {"greeted": "off"} for channel in ("email", "push")}
    changed = player.http.put("/me/notifications", json=switches).json()
    assert [changed[channel]["greeted"] for channel in switches] == ["off", "off"]
    visitor.register()
    assert 'name="push-greeted"' in visitor.http.get("/notifications/settings").text


def test_its_text_is_reported_and_removed(server):
    author, reporter = Program(server), Program(server)
    moderator = make_moderator(server.database_url, Program(server))
    place = f"greeting:{leave_and_find(server, author, 'Buy my boots')}"
    report = {"username": author.username, "reason": "spam", "place": place}
    assert reporter.http.post("/reports", json=report).status_code == 201
    assert open_reports(moderator, author)[0]["quote"] == "Buy my boots"
    removal = {"username": author.username, "action": "remove_text", "subject": place, "reason": "Spam"}
    assert moderator.http.post("/moderation/actions", json=removal).status_code == 201
    assert "Buy my boots" not in Visitor(server).http.get("/greetings").text


def test_its_rows_are_exported(server):
    player = Program(server)
    greeting = leave_and_find(server, player, "Hello")
    url = player.http.post("/me/export", json={"password": PASSWORD}).json()["url"].removeprefix("/api/v1")
    wait_until(lambda: player.http.get(url).status_code == 200)
    with zipfile.ZipFile(io.BytesIO(player.http.get(url).content)) as archive:
        (row,) = json.loads(archive.read("greetings.json"))
    assert (row["id"], row["text"]) == (greeting, "Hello")


def leave(program, text):
    return program.http.post("/greetings", json={"text": text})


def leave_and_find(server, program, text):
    """Leave a greeting and return its id."""
    assert leave(program, text).status_code == 204
    return fetch(server.database_url, "SELECT max(id) FROM greetings")[0]


def test_the_guide_names_each_file_of_the_example():
    named = set(re.findall(r"`(\w+\.py)`", GUIDE.read_text()))
    assert {path.name for path in EXAMPLE.glob("*.py")} - {"__init__.py", "serving.py"} <= named
