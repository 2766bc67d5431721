"""Signed heads of the ledger, and audits from outside: a true site passes, and each kind of forgery fails."""

import copy
import hashlib
import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from app.nugget.heads.auditing import audit_site
from app.nugget.heads.signing import read_head, read_keys
from app.server.cli import cli
from engine.golden_nugget.entry import verify
from engine.golden_nugget.record import from_moves
from tests.support.database import execute
from tests.support.ledgers import EARLIER, KEY, Site, head, keys
from tests.support.nugget import new_record, sealed
from tests.support.players import Program, Visitor


def run(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)))


@pytest.fixture(scope="module")
def true_site():
    return Site()


@pytest.fixture
def site(true_site):
    return copy.deepcopy(true_site)


def test_a_true_site_has_no_problems(site):
    audited = audit_site(site.published, [head(site.links, 2), head(site.links, 0)], [site.links[1].hash])
    assert audited.problems == ()
    assert len(audited.links) == 7


FORGERIES = {}


def forgery(said):
    def register(function):
        FORGERIES[function.__name__] = function, said
        return function

    return register


@forgery("hash does not match")
def a_changed_link(site):
    site.links[1] = replace(site.links[1], player="heron")


@forgery("previous hash")
def a_removed_link(site):
    del site.links[1]


@forgery("sequence")
def exchanged_links(site):
    site.links[0], site.links[1] = site.links[1], site.links[0]


@forgery("It is of 7 links, and the ledger has 6")
def a_ledger_cut_off_below_its_head(site):
    site.links.pop()


@forgery("Link 7 has another hash")
def a_ledger_written_anew_below_its_head(site):
    site.links[0] = replace(site.links[0], player="heron")
    site.rewrite(lambda _link: True)


@forgery("signature is not right")
def a_head_for_another_number(site):
    site.head = {**site.head, "number": 4, "hash": site.links[3].hash}


@forgery("signature is not right")
def a_signature_that_was_changed(site):
    signature = site.head["signature"]
    site.head = {**site.head, "signature": signature[:-3] + ("AAA" if signature[-3:] != "AAA" else "BBB")}


@forgery("signature is not right")
def a_later_moment_of_signing(site):
    site.head = {**site.head, "signed_at": "2027-01-01T00:00:00Z"}


@forgery("not among the server's")
def a_head_signed_by_a_stranger(site):
    site.head = head(site.links, key=b"x" * 32)


@forgery("another name than follows from it")
def a_key_under_the_name_of_another(site):
    stranger = keys(b"x" * 32)["keys"][0]
    site.keys = {"keys": [{**stranger, "kid": site.keys["keys"][0]["kid"]}]}
    site.head = {**head(site.links, key=b"x" * 32), "key_id": site.keys["keys"][0]["kid"]}


@forgery("no list of keys")
def no_keys(site):
    site.keys = {}


@forgery("no head of a ledger")
def no_head(site):
    site.head = {"number": 5}


@forgery("no receipt")
def a_ranked_entry_without_a_receipt(site):
    site.entries.append({**site.entries[0], "id": "entry00009"})


@forgery("withdrawn or removed")
def a_withdrawn_entry_that_is_ranked(site):
    site.entries.append(site.withdrawn)


@forgery("for other moves")
def an_entry_with_other_moves_than_its_receipt(site):
    moves = new_record(5)
    verdict = verify(from_moves(moves))
    counts = list(verdict.counts)
    mean = {"moves": sum(counts), "boards": 20, "text": ""}
    site.entries[0] = {
        **site.entries[0],
        "digest": verdict.sha256,
        "moves": moves,
        "counts": counts,
        "mean": mean,
    }


@forgery("not those of its receipt")
def published_moves_that_are_others(site):
    site.entries[0]["moves"] = site.entries[1]["moves"]


@forgery("do not solve")
def published_moves_that_solve_nothing(site):
    site.entries[0]["moves"] = [["P"]]


@forgery("other numbers of moves")
def counts_that_are_too_small(site):
    entry = site.entries[0]
    entry["counts"] = [entry["counts"][0] - 2, *entry["counts"][1:]]
    entry["mean"] = {**entry["mean"], "moves": sum(entry["counts"])}


@forgery("at another time")
def an_entry_of_an_earlier_time_than_its_receipt(site):
    site.entries[0]["submitted_at"] = EARLIER


@forgery("at another time")
def a_revealed_entry_of_an_earlier_time_than_its_commitment(site):
    site.entries[-1]["submitted_at"] = "2026-11-25T04:00:00+00:00"


@forgery("not in the ledger before it")
def a_reveal_without_its_commitment(site):
    site.rewrite(lambda link: link.kind != "commitment")


@forgery("Its hash is not the one that was committed to")
def a_revealed_file_with_another_hash(site):
    site.files["commit0000"] += b"# and more\n"


@forgery("The file of commitment commit0000: Its moves are not those of its receipt")
def a_revealed_file_with_other_moves(site):
    site.files["commit0000"] = sealed(new_record(6))


@forgery("not that of its boards")
def a_mean_that_is_too_small(site):
    site.entries[2]["mean"]["moves"] -= 20


@forgery("another form")
def an_entry_of_another_form(site):
    site.entries[0] = {"id": "entry00000"}


@pytest.mark.parametrize("name", FORGERIES)
def test_each_kind_of_forgery_is_found(site, name):
    forge, said = FORGERIES[name]
    forge(site)
    problems = [problem.message for problem in audit_site(site.published).problems]
    assert any(said in problem for problem in problems), problems


def test_only_a_kept_head_reveals_a_ledger_that_was_written_anew(site):
    kept = head(site.links, 4)
    site.rewrite(lambda link: getattr(link, "entry", "") != "entry00001")
    site.entries = [entry for entry in site.entries if entry["id"] != "entry00001"]
    site.head = head(site.links)
    assert audit_site(site.published).problems == ()
    (problem,) = audit_site(site.published, [kept]).problems
    assert "A head that was kept: Link 4 has another hash" in problem.message


def test_a_new_key_leaves_old_heads_valid(site):
    old = site.head
    site.keys, site.head = keys(b"n" * 32, KEY), head(site.links, key=b"n" * 32)
    assert audit_site(site.published, [old]).problems == ()


def test_a_server_signs_its_ledger_and_passes_an_audit(server, database_url, tmp_path):
    execute(database_url, "DELETE FROM nugget_standings")  # of entries that tests made up
    program = Program(server)
    first = program.http.get("/nugget/ledger/head").json()
    entry = program.http.post("/nugget/entries", json={"boards": new_record(6)}).json()
    signed = program.http.get("/nugget/ledger/head").json()
    assert (signed["number"], signed["hash"]) == (entry["receipt"]["sequence"], entry["receipt"]["hash"])
    assert signed == program.http.get("/nugget/ledger/head").json()
    visitor = Visitor(server)
    published = visitor.http.get("/.well-known/gorrion-keys.json").json()
    public = read_keys(published)
    text = read_head(signed).text
    assert hashlib.sha256(public[signed["key_id"]]).hexdigest().startswith(signed["key_id"])
    assert b'"number":%d' % signed["number"] in text
    assert signed["signature"] in visitor.http.get("/feeds/ledger.atom").text
    (tmp_path / "head.json").write_text(json.dumps(first))
    done = run("audit-ledger", server.url, "--head", tmp_path / "head.json", "--receipt", signed["hash"])
    audited = json.loads(done.stdout)
    assert (done.exit_code, audited["problems"]) == (0, []), done.stderr
    (tmp_path / "head.json").write_text(json.dumps({**first, "signature": "AAAA"}))
    done = run("audit-ledger", server.url, "--head", tmp_path / "head.json")
    assert done.exit_code == 1
    assert "signature" in done.stdout


def test_what_is_no_site_is_told(server):
    done = run("audit-ledger", "http://localhost:1")
    assert done.exit_code == 1
    assert "cannot be audited" in done.stderr
