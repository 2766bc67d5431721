"""Commitments by page: the form, the page of each one, and the lists of competitions and players."""

import pytest

from engine.golden_nugget import sealing
from tests.support.nugget import commit, new_record, reveal, sealed
from tests.support.players import Program, Visitor


@pytest.fixture
def program(server):
    return Program(server)


@pytest.fixture
def browser(server, program):
    return Visitor(server).log_in(program.username).http


def send(browser, path, file):
    return browser.post(f"{path}/reveal", files={"file": ("mine.txt", file, "text/plain")})


def test_a_player_commits_and_reveals_by_forms(browser, program):
    file = sealed(new_record(detours=3))
    made = browser.post("/nugget/commitments", data={"sha256": sealing.hash_of(file)})
    path = made.url.path
    assert path.startswith("/nugget/commitments/")
    assert "The record is secret." in made.text
    wrong = send(browser, path, file + b"\n")
    assert wrong.status_code == 422
    assert "This is not the file that you committed to" in wrong.text
    entry = send(browser, path, file)
    assert entry.url.path.startswith("/nugget/entries/")
    assert "committed</a> to it then, and revealed it on" in entry.text
    assert send(browser, path, file).url.path == entry.url.path
    assert 'type="file"' not in browser.get(path).text
    assert program.username in browser.get(path).text


def test_the_problems_of_a_record_are_listed(browser):
    file = b"board 1: P\n# salt: 07\n"
    made = browser.post("/nugget/commitments", data={"sha256": sealing.hash_of(file)})
    answer = send(browser, made.url.path, file)
    assert answer.status_code == 422
    assert "An entry has at least 20 solved boards, and this record 1." in answer.text


def test_what_is_no_hash_is_told_at_its_field(browser):
    answer = browser.post("/nugget/commitments", data={"sha256": "f00"})
    assert answer.status_code == 422
    assert 'id="error-sha256"' in answer.text
    assert 'value="f00"' in answer.text


def test_only_registered_players_can_commit(server):
    visitor, guest = Visitor(server).http, Visitor(server).http
    form = visitor.get("/nugget/commitments")
    assert 'action="/nugget/commitments/account"' in form.text
    assert 'action="/nugget/commitments"' not in form.text
    terms = {"sha256": "0" * 64}
    assert visitor.post("/nugget/commitments", data=terms).status_code == 401
    guest.post("/nugget/runs")
    refused = guest.post("/nugget/commitments", data=terms)
    assert refused.status_code == 403
    assert "Register to commit to a record." in refused.text


def test_nobody_else_is_offered_to_reveal(server, program):
    path = f"/nugget/commitments/{commit(program, sealed(new_record(detours=3)))['id']}"
    page = Visitor(server).http.get(path)
    assert program.username in page.text
    assert 'type="file"' not in page.text


def test_the_page_of_a_player_lists_the_commitments(server, program):
    file = sealed(new_record(detours=3))
    shown, kept = commit(program, file), commit(program, sealed(new_record(detours=3)))
    reveal(program, shown, file)
    visitor = Visitor(server).http
    for path in (f"/nugget/players/{program.username}", f"/nugget/players/{program.username}/commitments"):
        text = visitor.get(path).text
        assert text.index(kept["id"]) < text.index(shown["id"])
        assert ">revealed</a>" in text
        assert "secret, until" in text
