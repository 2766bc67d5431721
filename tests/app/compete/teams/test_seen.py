"""What a button about a team means is what it said, or nothing is done."""

import pytest

from tests.support.answers import code
from tests.support.database import execute
from tests.support.forms import sent_by
from tests.support.players import Program
from tests.support.tournaments import member, new_team


class Scene:
    """A team with its leader and an officer, and a player who has asked to join it, with their browsers."""

    def __init__(self, server, database_url):
        self.database_url = database_url
        self.programs = [Program(server) for _ in range(3)]
        self.leader, self.officer, self.player = (member(server, each.username) for each in self.programs)
        self.id = new_team(database_url, self.leader)
        self.path = f"/teams/{self.id}"
        assert self.officer.http.post(f"{self.path}/join").is_success
        assert self.leader.http.post(
            f"{self.path}/members/{self.officer.username}", data={"role": "officer"}
        ).is_success
        self.let_in_by("request")

    def let_in_by(self, join):
        query = "UPDATE teams SET is_open = $2 WHERE id = $1"
        execute(self.database_url, query, self.id, join == "open")

    def ask(self):
        assert self.player.http.post(f"{self.path}/join").is_success

    def decide(self, decision):
        answer = self.leader.http.post(f"{self.path}/requests/{self.player.username}/{decision}")
        assert answer.is_success

    def leave(self, *visitors):
        for each in visitors:
            assert each.http.post(f"{self.path}/leave").is_success


@pytest.fixture
def scene(server, database_url):
    return Scene(server, database_url)


def shown(visitor, page, path):
    return sent_by(visitor.http.get(page).text, path)


def assert_told(visitor, page, path, seen, words):
    """Check that what was seen is refused with words, and what is shown then is done."""
    refused = visitor.http.post(path, data=seen)
    assert refused.status_code == 409
    assert words in refused.text
    assert "Open it again" in refused.text
    assert visitor.http.post(path, data=shown(visitor, page, path)).is_success


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("request", "open", "Everybody may join this team now."),
        ("open", "request", "This team now decides who may join."),
    ],
)
def test_who_joins_is_told_how_the_team_lets_players_in_by_now(scene, before, after, words):
    scene.let_in_by(before)
    path = f"{scene.path}/join"
    seen = shown(scene.player, scene.path, path)
    scene.let_in_by(after)
    assert_told(scene.player, scene.path, path, seen, words)


def test_who_withdraws_a_request_does_not_leave_the_team(scene):
    scene.ask()
    path = f"{scene.path}/leave"
    seen = shown(scene.player, scene.path, path)
    scene.decide("accept")
    assert_told(scene.player, scene.path, path, seen, "You are a member now.")


def test_who_leaves_is_told_that_they_lead_the_team_or_close_it(scene):
    path = f"{scene.path}/leave"
    as_officer = shown(scene.officer, scene.path, path)
    scene.ask()
    scene.decide("accept")
    scene.leave(scene.leader)
    refused = scene.officer.http.post(path, data=as_officer)
    assert (refused.status_code, "You lead the team now." in refused.text) == (409, True)
    as_leader = shown(scene.officer, scene.path, path)
    scene.leave(scene.player)
    refused = scene.officer.http.post(path, data=as_leader)
    assert (refused.status_code, "You are the last member now." in refused.text) == (409, True)
    assert scene.officer.http.post(path, data=shown(scene.officer, scene.path, path)).is_success


def test_an_officer_does_not_undo_what_another_one_has_decided(scene):
    page = f"{scene.path}/requests"
    accept, decline = (f"{page}/{scene.player.username}/{each}" for each in ("accept", "decline"))
    scene.ask()
    asked, to_decline = shown(scene.officer, page, accept), shown(scene.officer, page, decline)
    scene.decide("decline")
    refused = shown(scene.officer, page, accept)
    assert_told(scene.officer, page, accept, asked, "This player has since been refused.")
    scene.ask()
    assert_told(scene.officer, page, accept, refused, "This player has asked again since.")
    late = scene.officer.http.post(decline, data=to_decline)
    assert (late.status_code, "has not asked to join" in late.text) == (409, True)
    members = scene.programs[0].http.get(f"{scene.path}/members").json()["members"]
    assert scene.player.username in {each["username"] for each in members}


def test_programs_say_what_they_have_seen_if_they_like(scene):
    leader, _officer, player = scene.programs
    team, request = scene.path, f"{scene.path}/requests/{player.username}"
    stale = (409, "stale_version")
    assert code(player.http.post(f"{team}/join", json={"join": "open"})) == stale
    assert player.http.post(f"{team}/join", json={"join": "request"}).json() == {"status": "asked"}
    assert code(player.http.post(f"{team}/leave", json={"ends": "membership"})) == stale
    assert code(leader.http.post(f"{request}/accept", json={"is_refused": True})) == stale
    assert leader.http.post(f"{request}/accept", json={"is_refused": False}).status_code == 204
    assert code(leader.http.post(f"{request}/decline")) == (409, "not_asked")
    assert code(player.http.post(f"{team}/leave", json={"ends": "team"})) == stale
    assert player.http.post(f"{team}/leave", json={"ends": "membership"}).status_code == 204
