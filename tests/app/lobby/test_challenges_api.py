"""Challenges through the JSON API."""

import pytest

from tests.support.players import Match, Program


@pytest.fixture
def maker(server):
    return Program(server)


def code(answer):
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def ids(program):
    return {challenge["id"] for challenge in program.http.get("/challenges").json()}


def test_an_open_challenge_is_in_the_lobby_until_it_is_accepted(server, maker):
    other = Program(server)
    made = maker.challenge(side="white").json()
    assert made["status"] == "open"
    assert made["id"] in ids(other)
    game_id = other.http.post(f"/challenges/{made['id']}/accept").json()["game_id"]
    assert made["id"] not in ids(other)
    assert maker.http.get(f"/challenges/{made['id']}").json()["game_id"] == game_id
    players = maker.snapshot(game_id)["players"]
    assert players["white"]["username"] == maker.username
    assert players["black"]["username"] == other.username


def test_links_and_direct_challenges_are_seen_by_those_concerned(server, maker):
    friend, stranger = Program(server), Program(server)
    link = maker.challenge(opponent="link").json()["id"]
    direct = maker.challenge(opponent=friend.username.upper()).json()["id"]
    assert {link, direct} <= ids(maker)
    assert ids(friend) & {link, direct} == {direct}
    assert not ids(stranger) & {link, direct}
    assert stranger.http.post(f"/challenges/{link}/accept").status_code == 200
    assert code(stranger.http.post(f"/challenges/{direct}/accept")) == (403, "not_yours")
    declined = friend.http.post(f"/challenges/{direct}/decline")
    assert declined.json()["status"] == "declined"


def test_what_cannot_be(server, maker):
    for members, expected in (
        ({"options": {"size": 7}}, "bad_options"),
        ({"options": {"width": 9}}, "bad_options"),
        ({"side": "first"}, "bad_side"),
        ({"game": "chess"}, "unknown_game"),
        ({"opponent": "nobody-of-that-name"}, "unknown_opponent"),
        ({"opponent": "\x00"}, "unknown_opponent"),
        ({"opponent": maker.username}, "self_challenge"),
        ({"time_control": {"kind": "realtime", "limit": 59, "increment": 5}}, "bad_time_control"),
        ({"time_control": {"kind": "realtime", "limit": 300, "increment": 181}}, "bad_time_control"),
        ({"time_control": {"kind": "realtime", "limit": 300}}, "invalid_request"),
        ({"time_control": {"kind": "correspondence", "days": 4}}, "bad_time_control"),
        ({"time_control": {"kind": "hourglass"}}, "invalid_request"),
        ({"rating_min": 1600}, "bad_rating_range"),
        ({"rating_max": 1400}, "bad_rating_range"),
        ({"rating_min": 1600, "rating_max": 1400}, "bad_rating_range"),
        ({"rating_min": 3}, "bad_rating_range"),
        ({"colour": "red"}, "invalid_request"),
    ):
        assert code(maker.challenge(**members)) == (422, expected), members
    assert not ids(maker) & {
        challenge["id"]
        for challenge in maker.http.get("/challenges").json()
        if challenge["maker"] == maker.username
    }


def test_only_the_maker_cancels_and_nobody_accepts_their_own(server, maker):
    challenge = maker.challenge().json()["id"]
    assert code(maker.http.post(f"/challenges/{challenge}/accept")) == (403, "own_challenge")
    assert code(Program(server).http.post(f"/challenges/{challenge}/cancel")) == (403, "not_yours")
    assert maker.http.post(f"/challenges/{challenge}/cancel").json()["status"] == "cancelled"
    assert code(maker.http.post(f"/challenges/{challenge}/cancel")) == (409, "challenge_closed")
    assert code(Program(server).http.post(f"/challenges/{challenge}/accept")) == (409, "challenge_closed")
    assert code(maker.http.post("/challenges/nosuchone/accept")) == (404, "not_found")


def test_ten_challenges_at_most_wait(maker):
    for _ in range(10):
        assert maker.challenge(opponent="link").status_code == 201
    assert code(maker.challenge(opponent="link")) == (409, "too_many_challenges")


def test_a_forced_pass_is_played_by_the_server_and_said(server):
    """Find a game in which a side has nothing but the pass, and play it through the API."""
    import random

    from engine.registry import GAMES

    rules = GAMES["jadejack"]
    for seed in range(400):
        rng, position, moves = random.Random(seed), rules.initial({"size": 8}), []
        while len(moves) < 400 and rules.outcome(position) is None:
            legal = rules.legal_moves(position)
            if legal == ["pass"]:
                break
            move = rng.choice([move for move in legal if move != "pass"])
            position = rules.play(position, move)
            moves.append(move)
        if rules.forced_move(position) == "pass":
            break
    else:
        pytest.fail("no game with a forced pass was found")
    match = Match(server, size=8)
    match.play(*moves[:-1])
    with match.black.socket(match.id) as socket:
        end = match.play(moves[-1])
        assert end["moves"][len(moves)] == "pass"
        events = [socket.receive(), socket.receive()]
    assert [event["automatic"] for event in events] == [False, True]
    assert events[1]["move"] == "pass"
