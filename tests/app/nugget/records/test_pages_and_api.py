"""Records in the API, on pages, as a feed, and what reaches a player who loses one."""

import time
from datetime import datetime
from xml.etree import ElementTree as ET

import pytest

from tests.support.answers import assert_problem
from tests.support.database import execute
from tests.support.event_stream import Follower
from tests.support.nugget import RECORD, new_record
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.waiting import WITHIN

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def two(server, database_url):
    """Return two players; nobody has an entry that counts yet."""
    _withdraw_all(database_url)
    yield Program(server), Program(server)
    _withdraw_all(database_url)


def _withdraw_all(database_url):
    execute(database_url, "DELETE FROM nugget_record_changes")
    execute(database_url, "DELETE FROM nugget_standings")
    execute(database_url, "UPDATE nugget_entries SET withdrawn_at = now() WHERE withdrawn_at IS NULL")


def submit(program, detours):
    boards = new_record(detours, RECORD)[:20]
    answer = program.http.post("/nugget/entries", json={"boards": boards})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"], [len(moves) for moves in boards]


def test_the_table_names_the_first_holder_and_counts_the_others(two):
    first, second = two
    submit(first, detours=3)
    other_id, better = submit(second, detours=2)
    table = first.http.get("/nugget/records?boards=20").json()
    assert [row["moves"] for row in table["boards"]] == better
    assert [row["number"] for row in table["boards"]] == list(range(1, 21))
    assert [row["username"] for row in table["boards"]] == [
        second.username if number == 3 else first.username for number in range(1, 21)
    ]
    assert [row["count"] for row in table["boards"]] == [1 if number == 3 else 2 for number in range(1, 21)]
    (mean,) = table["means"]
    assert (mean["boards"], mean["mean"]["moves"]) == (20, sum(better))
    assert (mean["username"], mean["entry_id"]) == (second.username, other_id)
    assert len(first.http.get("/nugget/records?boards=7").json()["boards"]) == 7
    assert_problem(first.http.get("/nugget/records?boards=0"), 422, "invalid_request")
    assert_problem(first.http.get("/nugget/records?players=gods"), 422, "invalid_request")


def test_changes_say_who_took_which_record_from_whom(two):
    first, second = two
    _entry_id, counts = submit(first, detours=2)
    other_id, better = submit(second, detours=1)
    path = "/nugget/records/changes?limit=2"
    page = first.http.get(path).json()
    mean, board = page["changes"]
    assert {name: mean[name] for name in ("kind", "boards", "username", "from", "entry_id")} == {
        "kind": "mean",
        "boards": 20,
        "username": second.username,
        "from": first.username,
        "entry_id": other_id,
    }
    assert (mean["before"]["moves"], mean["after"]["moves"]) == (sum(counts), sum(better))
    assert (board["kind"], board["boards"]) == ("board", 2)
    assert (board["before"]["moves"], board["after"]["moves"]) == (counts[1], better[1])
    seen, cursor = page["changes"], page["next"]
    while cursor:
        page = first.http.get(f"{path}&cursor={cursor}").json()
        seen, cursor = seen + page["changes"], page["next"]
    assert len(seen) == 21 + 2
    assert all(change["from"] is change["before"] is None for change in seen[2:])
    assert_problem(first.http.get("/nugget/records/changes?cursor=x"), 422, "bad_cursor")


def test_a_withdrawn_entry_gives_its_records_back(two):
    first, second = two
    submit(first, detours=2)
    before = first.http.get("/nugget/records?boards=20").json()
    entry_id, _counts = submit(second, detours=1)
    assert second.http.post(f"/nugget/entries/{entry_id}/withdraw").is_success
    assert first.http.get("/nugget/records?boards=20").json() == before


def test_a_loser_is_told_within_a_second(two):
    first, second = two
    submit(first, detours=2)
    follower = Follower(first)
    submitted = time.monotonic()
    entry_id, better = submit(second, detours=1)
    follower.wait_for("record_beaten", 2)
    assert time.monotonic() - submitted < 3  # on a busy machine
    lost = [event for event in follower.events if event["type"] == "record_beaten"]
    assert {(line["kind"], line["boards"]) for line in lost} == {("mean", 20), ("board", 2)}
    mean = next(line for line in lost if line["kind"] == "mean")
    assert (mean["boards"], mean["by"], mean["entry_id"]) == (20, second.username, entry_id)
    assert mean["after"] == {"moves": sum(better), "boards": 20, "text": f"{sum(better) / 20:.2f}"}
    news = [
        item
        for item in first.http.get("/notifications").json()["notifications"]
        if item["kind"] == "record_beaten"
    ]
    assert len(news) == 1
    second.http.post(f"/nugget/entries/{entry_id}/withdraw")
    assert "record_beaten" not in first.http.get("/notifications").text


def test_open_pages_of_both_show_who_took_it(two, server):
    first, second = two
    submit(first, detours=2)
    reader = Visitor(server).register()
    assert "mean over 20 boards" not in reader.http.get("/nugget/records/changes").text
    with reader.live("/nugget/records/live?players=people&boards=20") as page:
        page.recv(WITHIN)
        submit(second, detours=1)
        assert f"{second.username} took the mean over 20 boards from {first.username}" in page.recv(WITHIN)
    for path in ("/nugget/records", "/nugget/records/changes"):
        html = reader.http.get(path).text
        assert f"{second.username} took the mean over 20 boards from {first.username}" in html
        assert 'type="application/atom+xml"' in html


def test_the_feed_is_valid_and_in_the_readers_language(two, server):
    first, second = two
    submit(first, detours=2)
    submit(second, detours=1)
    reader = Visitor(server)
    answer = reader.http.get("/feeds/records.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    root = ET.fromstring(answer.content)
    assert root.tag == f"{ATOM}feed"
    latest, earlier = root.findall(f"{ATOM}entry")
    assert first.username in latest.findtext(f"{ATOM}title")
    assert second.username == latest.findtext(f"{ATOM}author/{ATOM}name")
    assert datetime.fromisoformat(root.findtext(f"{ATOM}updated")) == datetime.fromisoformat(
        latest.findtext(f"{ATOM}updated")
    )
    ids = [entry.findtext(f"{ATOM}id") for entry in (latest, earlier)]
    assert len(set(ids)) == 2
    again = reader.http.get("/feeds/records.atom", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304


def test_a_closed_account_has_no_records(two, database_url):
    first, second = two
    submit(first, detours=2)
    submit(second, detours=1)
    closed = second.http.post("/me/close", json={"password": PASSWORD, "erase": False})
    assert closed.is_success, closed.text
    table = first.http.get("/nugget/records?boards=20").json()
    assert {row["username"] for row in table["boards"]} == {first.username}
