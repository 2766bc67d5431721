"""Who joins a tournament joins it with the terms that they have seen."""

import json
from datetime import datetime, timedelta

import pytest

from tests.support.accounts import grant
from tests.support.answers import code
from tests.support.database import fetch
from tests.support.forms import sent_by
from tests.support.players import Program
from tests.support.tournaments import BULLET, Cup, member
from tests.support.waiting import wait_until


@pytest.mark.parametrize(
    "change",
    [
        {"rated": True},
        {"time_control": {**BULLET, "limit": 300}},
        {"options": {"size": 9}},
        {"kind": "arena", "minutes": 60},
    ],
)
@pytest.mark.parametrize("page", ["/tournaments", "/tournaments/{}"])
def test_who_joins_after_a_change_is_told_and_sees_the_new_terms(server, clock, database_url, change, page):
    organiser = grant(database_url, Program(server), "organiser")
    cup = Cup(server, clock, 0, "arena", minutes=45, organiser=organiser)
    visitor = member(server, Program(server).username)
    path, page = f"/tournaments/{cup.id}/join", page.format(cup.id)
    seen = sent_by(visitor.http.get(page).text, path)
    changed = cup.organiser.http.put(f"/tournaments/{cup.id}", json={**cup.terms, **change})
    assert changed.status_code == 200, changed.text
    refused = visitor.http.post(path, data=seen)
    assert refused.status_code == 409
    assert "The terms have changed." in refused.text
    joined = visitor.http.post(path, data=sent_by(refused.text, path))
    assert joined.status_code == 200
    assert "You take part." in joined.text


def test_the_start_that_a_full_tournament_gets_is_what_was_agreed(server, clock, program, database_url):
    cup = Cup(server, clock, 1, "swiss", starts_at=None, max_players=2, rounds=3)
    path, last = f"/tournaments/{cup.id}", Program(server)
    seen = {"terms": program.http.get(path).json()["terms"]}
    cup.join(last)
    start = wait_until(lambda: cup.shown["starts_at"])
    assert last.http.post(f"{path}/withdraw").is_success
    terms = {**cup.terms, "starts_at": start, "description": "Bring a friend."}
    assert cup.organiser.http.put(path, json=terms).status_code == 200
    assert program.http.post(f"{path}/join", json=seen).status_code == 200
    later = datetime.fromisoformat(start) + timedelta(hours=1)
    assert cup.organiser.http.put(path, json={**terms, "starts_at": later.isoformat()}).status_code == 200
    told = "SELECT data FROM notifications WHERE kind = 'tournament_moved' AND subject = $1"
    assert json.loads(fetch(database_url, told, cup.id)["data"])["change"] == "start"
    assert program.http.post(f"{path}/withdraw").is_success
    assert code(program.http.post(f"{path}/join", json=seen)) == (409, "stale_version")


def test_another_description_or_name_is_no_other_term(server, clock, program):
    cup = Cup(server, clock, 0, "arena", minutes=45)
    terms = program.http.get(f"/tournaments/{cup.id}").json()["terms"]
    body = {**cup.terms, "description": "Bring a friend."}
    assert cup.organiser.http.put(f"/tournaments/{cup.id}", json=body).json()["terms"] == terms
    assert cup.organiser.http.put(f"/tournaments/{cup.id}", json={**body, "minutes": 60}).status_code == 200
    refused = program.http.post(f"/tournaments/{cup.id}/join", json={"terms": terms})
    assert code(refused) == (409, "stale_version")
    assert program.http.post(f"/tournaments/{cup.id}/join").status_code == 200
