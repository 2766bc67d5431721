"""Following, muting and blocking players."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.answers import code
from tests.support.database import execute
from tests.support.event_stream import Follower
from tests.support.games import BLITZ, post
from tests.support.players import Match, Program, Visitor, fresh_name


def relate(program, other, relation):
    answer = program.http.put(f"/players/{other.username.upper()}/{relation}")
    assert (answer.status_code, answer.content) == (204, b"")


def undo(program, other, relation):
    assert program.http.delete(f"/players/{other.username}/{relation}").status_code == 204


def names(program, path):
    return [player["username"] for player in program.http.get(path).json()["players"]]


@pytest.mark.parametrize(
    ("relation", "path"), [("follow", "/me/following"), ("mute", "/me/muted"), ("block", "/me/blocked")]
)
def test_a_relation_is_set_listed_and_undone_twice_like_once(program, other, relation, path):
    for _ in range(2):
        relate(program, other, relation)
        assert names(program, path) == [other.username]
    assert names(other, path) == []
    for _ in range(2):
        undo(program, other, relation)
        assert names(program, path) == []
    assert code(program.http.put(f"/players/{program.username}/{relation}")) == (422, "yourself")
    assert code(program.http.put(f"/players/nobody-at-all/{relation}")) == (404, "not_found")


@pytest.mark.parametrize("is_blocker", [True, False])
def test_a_block_keeps_two_players_apart_in_both_directions(program, other, is_blocker):
    first, second = (program, other) if is_blocker else (other, program)
    terms = {"time_control": BLITZ, "options": {"size": 11 if is_blocker else 12}}
    offered = second.challenge(**terms).json()["id"]
    direct = second.challenge(opponent=first.username).json()["id"]
    relate(program, other, "block")
    for one, two in ((first, second), (second, first)):
        assert code(one.challenge(opponent=two.username)) == (422, "unavailable_opponent")
    listed = {challenge["id"] for challenge in first.http.get("/challenges").json()}
    assert not listed & {offered, direct}
    for challenge in (offered, direct):
        assert code(first.http.post(f"/challenges/{challenge}/accept")) == (409, "challenge_closed")
    paired = post(first, "/challenges/pair", game="jadejack", **terms).json()
    assert paired["game_id"] is None
    undo(program, other, "block")
    assert post(first, f"/challenges/{direct}/accept").status_code == 200


def test_nobody_follows_whom_they_block(program, other, visitor):
    relate(program, other, "follow")
    relate(program, other, "block")
    assert names(program, "/me/following") == []
    assert code(program.http.put(f"/players/{other.username}/follow")) == (409, "blocked")
    relate(other, program, "follow")  # which does not tell of the block
    undo(program, other, "block")
    relate(program, other, "follow")
    assert names(program, "/me/following") == [other.username]


@pytest.mark.parametrize("blocks", ["player", "viewer"])
def test_a_profile_offers_what_the_viewer_has_not_ruled_out(program, visitor, blocks):
    visitor.register()
    if blocks == "player":
        program.http.put(f"/players/{visitor.username}/block")
    else:
        visitor.http.post(f"/players/{program.username}/block")
    page = visitor.http.get(f"/players/{program.username}").text
    offers = (f"Challenge {program.username}", ">Message<", ">Follow<")
    assert [offer in page for offer in offers] == [blocks == "player"] * 3
    assert (">Unblock<" in page) == (blocks == "viewer")


@pytest.mark.parametrize(("relation", "left"), [("mute", ["challenge"]), ("block", [])])
def test_notifications_of_a_player_end_when_they_are_no_longer_heard(program, other, relation, left):
    def listed(reader):
        lines = reader.http.get("/notifications").json()["notifications"]
        return sorted(line["kind"] for line in lines)

    for one, two in ((program, other), (other, program)):
        one.challenge(opponent=two.username)
        post(one, f"/messages/{two.username}", text="Hello")
        assert listed(two) == ["challenge", "message"]
    relate(program, other, relation)
    assert listed(program) == left
    assert listed(other) == (["challenge", "message"] if relation == "mute" else [])


def test_there_is_no_rematch_with_a_blocked_player(server):
    match = Match(server)
    relate(match.white, match.black, "block")
    match.play("d4", "pass", "e5", "pass", "pass")
    assert code(match.black.http.post(f"/games/{match.id}/rematch")) == (422, "unavailable_opponent")


def test_the_lobby_page_has_no_offers_of_blocked_players(program, visitor):
    visitor.register()
    offered = program.challenge().json()["id"]
    assert f"/challenges/{offered}" in visitor.http.get("/lobby").text
    profile = f"/players/{program.username}"
    page = visitor.http.post(f"{profile}/block", headers={"Referer": str(visitor.http.base_url) + profile})
    assert "Unblock" in page.text
    assert f"/challenges/{offered}" not in visitor.http.get("/lobby").text
    assert f"/challenges/{offered}" not in visitor.http.get("/").text
    assert program.username in visitor.http.get("/people").text
    visitor.http.post(f"{profile}/block/undo")
    assert f"/challenges/{offered}" in visitor.http.get("/lobby").text


def test_a_follower_learns_who_shows_that_they_are_online_or_hides_it(program, other):
    relate(program, other, "follow")
    friend, stream = Follower(other), Follower(program)
    stream.wait_for("friend_online")
    for number, (choice, line) in enumerate((("off", "friend_offline"), ("on", "friend_online")), 1):
        assert other.http.put("/me/preferences", json={"online": choice}).is_success
        assert stream.wait_for(line, number)["username"] == other.username
    for each in (friend, stream):
        each.over.set()


def test_a_follower_learns_who_is_online_and_what_they_play(server, program, other):
    relate(program, other, "follow")
    stream = Follower(program)
    third = Program(server)
    friend = Follower(other)
    assert stream.wait_for("friend_online")["username"] == other.username
    game = other.begin(third)
    assert stream.wait_for("friend_playing") == {
        "type": "friend_playing",
        "username": other.username,
        "game_id": game,
    }
    expected = {"username": other.username, "online": True, "game_id": game}
    assert program.http.get("/me/following").json() == {"players": [expected]}
    relate(other, program, "block")
    assert program.http.get("/me/following").json() == {"players": []}
    assert not [event for event in stream.events if event["type"] in ("game_started", "challenge")]
    for listener in (stream, friend):
        listener.over.set()


def test_guests_may_block_but_not_follow(server, program):
    guest = Visitor(server)
    guest.http.post("/guest")
    assert guest.http.post(f"/players/{program.username}/follow").status_code == 403
    guest.http.post(f"/players/{program.username}/block")
    assert program.username in guest.http.get("/people").text


def test_the_limit_of_following_refuses_what_would_add_to_the_list(program, other, database_url):
    relate(program, other, "follow")
    follow_others = """
        WITH others AS (
            INSERT INTO accounts (username, password_hash, closed_at)
            SELECT $1 || '-' || n, '-', CASE WHEN n > 499 THEN now() END FROM generate_series(1, $2) n
            RETURNING id
        )
        INSERT INTO relations (account_id, relation, other_id)
        SELECT follower.id, 'follow', others.id FROM others, accounts follower WHERE follower.username = $3
    """
    execute(database_url, follow_others, fresh_name(), 600, program.username)
    assert len(names(program, "/me/following")) == 500
    relate(program, other, "follow")
    another = Program(program.server)
    path = f"/players/{another.username}/follow"
    assert code(program.http.put(path)) == (409, "too_many_players")
    undo(program, other, "follow")
    relate(program, another, "follow")


def test_two_players_block_each_other_at_the_same_time(program, other):
    pairs = ((program, other), (other, program))
    with ThreadPoolExecutor(2) as threads:
        for _ in range(5):
            for one, two in pairs:
                post(one, f"/messages/{two.username}", text="Hello")
            list(threads.map(lambda pair: relate(*pair, "block"), pairs))
            for one, two in pairs:
                undo(one, two, "block")
