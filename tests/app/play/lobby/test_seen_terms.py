"""A game begins only as who accepts it has seen it: rated, or casual."""

import pytest

from tests.support.answers import code
from tests.support.forms import sent_by
from tests.support.players import Program, Visitor
from tests.support.searches import search, wanted


def shown(visitor, path):
    """Return what the form in the lobby that begins a game by sending it to `path` sends."""
    return sent_by(visitor.http.get("/lobby").text, path)


def test_who_logs_in_is_told_that_a_game_shown_as_casual_would_be_rated(server):
    member, visitor = Visitor(server).register(), Visitor(server)
    made = member.http.post("/challenges/pair", data={"game": "jadejack", "time": "10+10"})
    path = f"{made.url.path}/accept"
    seen = shown(visitor, path)
    visitor.register()
    refused = visitor.http.post(path, data=seen)
    assert refused.status_code == 409
    assert "This game would be rated now." in refused.text
    begun = visitor.http.post(path, data=shown(visitor, path))
    assert Program(server).snapshot(begun.url.path.rpartition("/")[2])["rated"]


@pytest.mark.parametrize("rated", [True, False])
def test_who_plays_somebody_who_searches_for_something_else_by_now_is_told(server, program, rated):
    visitor = Visitor(server).register()
    search(program, wanted(11), rated=rated)
    path = f"/pairing/{program.username}/accept"
    seen = shown(visitor, path)
    search(program, wanted(11), rated=not rated)
    refused = visitor.http.post(path, data=seen)
    assert refused.status_code == 409
    assert f"This game would be {'casual' if rated else 'rated'} now." in refused.text
    begun = visitor.http.post(path, data=shown(visitor, path))
    assert program.snapshot(begun.url.path.rpartition("/")[2])["rated"] is not rated


@pytest.mark.parametrize("rated", [True, False])
@pytest.mark.parametrize("searches", [True, False])
def test_programs_say_what_they_have_seen_if_they_like(program, other, rated, searches):
    if searches:
        (body,) = wanted(11)
        search(program, [body], rated=rated)
        path = f"/searches/{program.username}/accept"
    else:
        made = program.challenge(rated=rated, opponent=other.username)
        body, path = {}, f"/challenges/{made.json()['id']}/accept"
    assert code(other.http.post(path, json={**body, "rated": not rated})) == (409, "stale_version")
    assert other.http.post(path, json={**body, "rated": rated}).status_code == 200
