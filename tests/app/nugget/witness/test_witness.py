"""A witness stores what a server publishes, notices each kind of forgery, and holds it against the server."""

import copy
import json
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.nugget.heads.fetching import address_of
from app.nugget.witness import service
from app.nugget.witness.queries import states
from tests.support.commands import failure, invoke
from tests.support.database import execute, fetch
from tests.support.ledgers import AT, KEY, ServedSite, Site, head, keys
from tests.support.players import Program, Visitor
from tests.support.threads import run_in_thread

LATER = "2026-11-27T05:00:00.000000Z"
STRANGER = b"x" * 32


@pytest.fixture(scope="module")
def true_site():
    return Site()


@pytest.fixture
def foreign(true_site):
    """Return a server with a true ledger of seven links."""
    served = ServedSite(copy.deepcopy(true_site))
    yield served
    served.stop()


@pytest.fixture
def database(database_url, database):
    yield database
    execute(database_url, "UPDATE nugget_witnessed_servers SET removed_at = now()")


def audit(*arguments):
    """Run the command in a thread, which has no event loop."""
    return run_in_thread(invoke, "audit-ledger", *arguments)


async def seen(database, foreign):
    """Return what was seen of a server, the earliest first: the number of links and the conflict."""
    witness = service.Witness(database)
    (server,) = [each for each in await witness.servers() if each.url == foreign.url]
    _server, page = await witness.heads(server.id, "", 200)
    return [(row.number, row.conflict) for row in reversed(page.rows)]


async def test_heads_are_stored_as_a_ledger_grows(database, foreign):
    links = foreign.site.links
    foreign.heads = [head(links, 4), head(links, 0)]
    assert await service.add(database, f"{foreign.url}/") is None
    assert await seen(database, foreign) == [(0, None), (4, None)]
    foreign.heads = [head(links, 7, at=LATER), *foreign.heads]
    for _ in range(2):
        await service.ask_all(database)
        assert await seen(database, foreign) == [(0, None), (4, None), (7, None)]
    foreign.heads = [head(links, 7, at=LATER), head(links, 6), head(links, 4)]  # 6 was missed before
    await service.ask_all(database)
    assert await seen(database, foreign) == [(0, None), (4, None), (7, None), (6, None)]


FORGERIES = {}


def forgery(conflict):
    def register(function):
        FORGERIES[function.__name__] = function, conflict
        return function

    return register


@forgery("other_hash")
def a_rewritten_past(foreign):
    foreign.site.links[2] = replace(foreign.site.links[2], player="heron")
    foreign.site.rewrite(lambda _link: True)
    foreign.site.head = head(foreign.site.links, at=LATER)


@forgery("shorter")
def a_ledger_that_was_cut_off(foreign):
    foreign.site.cut_off(5)
    foreign.site.head = head(foreign.site.links, at=LATER)


@forgery("shorter")
def an_earlier_head_after_the_ledger_was_cut_off(foreign):
    foreign.site.cut_off(4)
    foreign.site.head = head(foreign.site.links)


@forgery("other_key")
def another_key(foreign):
    foreign.site.links[2] = replace(foreign.site.links[2], player="heron")
    foreign.site.rewrite(lambda _link: True)
    foreign.site.keys = keys(STRANGER)
    foreign.site.head = head(foreign.site.links, key=STRANGER, at=LATER)


@forgery("other_key")
def another_key_beside_the_first_one(foreign):
    foreign.site.links[2] = replace(foreign.site.links[2], player="heron")
    foreign.site.rewrite(lambda _link: True)
    foreign.site.keys = keys(STRANGER, KEY)
    foreign.site.head = head(foreign.site.links, key=STRANGER, at=LATER)


@pytest.mark.parametrize("name", FORGERIES)
async def test_each_kind_of_forgery_is_stored_as_a_conflict_and_fails_an_audit(
    database, database_url, server, foreign, name
):
    forge, conflict = FORGERIES[name]
    links = foreign.site.links
    foreign.heads = [head(links), head(links, 4)]
    await service.add(database, foreign.url)
    before = stored(database_url, foreign)
    done = audit(foreign.url, "--witness", server.url)
    assert (done.exit_code, json.loads(done.stdout)["problems"]) == (0, []), done.stderr
    forge(foreign)
    done = audit(foreign.url)
    assert json.loads(done.stdout)["valid"], "without a witness nobody knows"
    done = audit(foreign.url, "--witness", server.url)
    told = json.dumps(json.loads(done.stdout)["problems"])
    assert done.exit_code == 1
    assert f"{server.url} has seen" in told
    foreign.heads = [foreign.site.head]
    for _ in range(2):  # a conflict that goes on is stored once
        await service.ask_all(database)
        rows = await seen(database, foreign)
        assert rows[:2] == [(4, None), (7, None)]
        assert [each for _number, each in rows[2:]] == [conflict]
    assert stored(database_url, foreign)[: len(before)] == before, "nothing is overwritten"
    done = audit(foreign.url, "--witness", server.url)
    assert done.exit_code == 1


def stored(database_url, foreign):
    """Return what is stored of a server, row by row."""
    rows = (
        "SELECT array_agg(head::text ORDER BY head.id) FROM nugget_witnessed_heads AS head "
        "JOIN nugget_witnessed_servers AS server ON server.id = server_id WHERE url = $1"
    )
    return fetch(database_url, rows, foreign.url)[0]


async def test_a_wrong_signature_is_stored_and_proves_nothing(database, server, foreign):
    foreign.heads = [{**head(foreign.site.links), "signed_at": LATER}]
    assert "bad_signature" in await service.add(database, foreign.url)
    assert await seen(database, foreign) == [(7, "bad_signature")]
    done = audit(foreign.url, "--witness", server.url)
    assert (done.exit_code, json.loads(done.stdout)["problems"]) == (0, []), done.stderr


@pytest.mark.parametrize("name", ["a_rewritten_past", "a_ledger_that_was_cut_off"])
def test_an_audit_says_in_a_sentence_that_a_ledger_was_rewritten(server, database_url, foreign, name):
    foreign.heads = [head(foreign.site.links), head(foreign.site.links, 4)]
    added = invoke("witness", "add", foreign.url, database_url=database_url)
    assert json.loads(added.stdout) == {"added": foreign.url, "problem": None}
    FORGERIES[name][0](foreign)
    done = audit(foreign.url, "--witness", server.url)
    (problem,) = json.loads(done.stdout)["problems"]
    assert done.exit_code == 1
    assert problem["message"].startswith("The ledger was rewritten or cut off.")
    invoke("witness", "remove", foreign.url, database_url=database_url)


async def test_a_server_that_does_not_answer_does_not_hold_up_the_others(database, foreign, true_site):
    other = ServedSite(copy.deepcopy(true_site))
    try:
        await service.add(database, foreign.url)
        await service.add(database, "http://localhost:1")
        await service.add(database, other.url)
        for served in (foreign, other):
            served.heads = [head(served.site.links, at=LATER), head(served.site.links, 5)]
        other.status = 500
        await service.ask_all(database)
        assert await seen(database, foreign) == [(7, None), (5, None)]
        assert await seen(database, other) == [(7, None)]
        other.status = 200
        await service.ask_all(database)
        assert await seen(database, other) == [(7, None), (5, None)]
    finally:
        other.stop()


async def test_failures_are_counted_until_the_next_answer(database, foreign):
    async def state():
        async with database.reading_now() as session:
            return next(each for each in await states(session) if each.server.url == foreign.url)

    foreign.status = 500
    assert await service.add(database, foreign.url)
    await service.ask_all(database)
    failed = await state()
    assert (failed.failures, failed.server.answered_at) == (2, None)
    assert "500" in failed.problem
    foreign.status = 200
    foreign.heads = [head(foreign.site.links)]
    await service.ask_all(database)
    answered = await state()
    assert (answered.failures, answered.problem, answered.server.heads) == (0, None, 1)
    assert answered.server.answered_at is not None


ODD = {
    "no list": {"heads": 1},
    "no heads": [],
    "a head without members": [{}],
    "a number that is too large": [{**head([], 0), "number": 1 << 80}],
    "a day that does not exist": [{**head([], 0), "signed_at": "2026-99-99T00:00:00Z"}],
    "a hash of another form": [{**head([], 0), "hash": "<b>"}],
    "too many": [head([], 0)] * 201,
    "too much": ["x" * (5 << 20)],
}


@pytest.mark.parametrize("name", ODD)
async def test_what_is_no_answer_is_not_stored(database, foreign, name):
    foreign.heads = ODD[name]
    assert await service.add(database, foreign.url)
    assert await seen(database, foreign) == []


async def test_no_redirect_is_followed(database, foreign):
    foreign.status = 302
    assert "leads to another address" in await service.add(database, foreign.url)


async def test_conflicts_do_not_fill_the_table(database, foreign, monkeypatch):
    monkeypatch.setattr(service, "_MOST_CONFLICTS", 3)
    await service.add(database, foreign.url)
    for minute in range(5):
        at = (datetime.fromisoformat(AT) + timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%SZ")
        foreign.heads = [head(foreign.site.links, key=STRANGER, at=at)]
        await service.ask_all(database)
    assert await seen(database, foreign) == [(7, None), *[(7, "other_key")] * 3]


def test_a_server_is_a_witness_of_a_real_one_and_publishes_what_it_has_seen(server, database_url):
    signed = Program(server).http.get("/nugget/ledger/head").json()
    for url in (server.url, f"{server.url.upper().replace('HTTP', 'http')}/"):
        added = json.loads(invoke("witness", "add", url, database_url=database_url).stdout)
        assert added["problem"] is None
    visitor = Visitor(server)
    listed = visitor.http.get("/api/v1/nugget/witnessed").json()
    (shown,) = [each for each in listed if each["url"] == server.url]
    assert (shown["links"], shown["conflicts"], shown["removed_at"]) == (signed["number"], 0, None)
    rows = visitor.http.get(f"/api/v1/nugget/witnessed/{shown['id']}/heads").json()["rows"]
    assert signed == {name: rows[0][name] for name in signed}
    assert server.url in visitor.http.get("/nugget/witnessed").text
    page = visitor.http.get(f"/nugget/witnessed/{shown['id']}").text
    assert signed["hash"] in page
    named = json.loads(invoke("witness", "list", database_url=database_url).stdout)
    assert shown["id"] in {each["id"] for each in named}
    removed = invoke("witness", "remove", server.url, database_url=database_url)
    assert json.loads(removed.stdout) == {"removed": server.url}
    assert visitor.http.get(f"/nugget/witnessed/{shown['id']}").text.count(signed["hash"]) == 1
    assert "not a witness" in failure("witness", "remove", server.url, database_url=database_url)


def test_who_is_no_witness_of_a_server_cannot_tell_anything(server, foreign):
    done = audit(foreign.url, "--witness", server.url)
    assert done.exit_code == 1
    assert "has seen no head of it" in done.stderr
    done = audit(foreign.url, "--witness", foreign.url)
    assert (done.exit_code, "cannot be audited" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    "url",
    ["", "play.example", "ftp://play.example", "https://", "https://a@b.example", "https://b.example/?q"],
)
def test_only_addresses_of_sites_are_taken(database_url, url):
    assert "is not the address of a site" in failure("witness", "add", url, database_url=database_url)


def test_equal_addresses_have_one_form():
    assert (
        address_of(" HTTPS://Play.Example:443/ ")
        == address_of("https://play.example")
        == "https://play.example"
    )
    assert address_of("http://[::1]:8000/club/") == "http://[::1]:8000/club"
