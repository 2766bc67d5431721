"""Searching for any of several games, through the JSON API."""

import pytest

from app.play.pairing.searches import MOST_WANTED
from tests.support.answers import code
from tests.support.database import execute
from tests.support.games import BLITZ
from tests.support.players import Program
from tests.support.searches import SLOW, own, search, wanted
from tests.support.waiting import wait_until


@pytest.fixture
def two(server):
    """Return two programs; what they look for ends with the test."""
    both = Program(server), Program(server)
    yield both
    for program in both:
        program.http.delete("/me/search")


def test_the_first_who_wants_one_of_the_games_is_the_opponent(two):
    one, other = two
    begun = search(one, wanted(11, 12, clocks=(BLITZ, SLOW)))
    assert begun.status_code == 200
    assert (begun.json()["open"], begun.json()["game_id"]) == (True, None)
    game_id = search(other, wanted(12, 13, clocks=(SLOW,))).json()["game_id"]
    assert game_id is not None
    assert (own(one)["game_id"], own(one)["open"]) == (game_id, False)
    game = one.snapshot(game_id)
    assert (game["options"], game["time_control"]) == ({"size": 12}, SLOW)
    assert {seat["username"] for seat in game["players"].values()} == {one.username, other.username}


@pytest.mark.parametrize(
    ("games", "limits"),
    [
        (wanted(12), {}),
        (wanted(11, clocks=(SLOW,)), {}),
        (wanted(11, game="jumping_farther"), {}),
        (wanted(11), {"rated": True}),
    ],
)
def test_others_go_on_waiting(two, games, limits):
    one, other = two
    search(one, wanted(11))
    assert search(other, games, **limits).json()["game_id"] is None
    assert own(one)["open"]


def test_who_has_blocked_somebody_does_not_play_them(two):
    one, other = two
    one.http.put(f"/players/{other.username}/block")
    search(one, wanted(11))
    assert search(other, wanted(11)).json()["game_id"] is None


def test_a_rating_range_holds_for_both(two):
    one, other = two
    assert code(search(one, wanted(11), rating_min=1600)) == (422, "bad_rating_range")
    search(one, wanted(11), rating_min=1400, rating_max=1600)
    assert search(other, wanted(11), rating_max=1500).json()["game_id"] is not None


def test_the_same_again_goes_on_and_something_else_begins_anew(two, clock):
    one, _ = two
    began_at = search(one, wanted(11)).json()["began_at"]
    clock.advance(seconds=31)
    assert search(one, wanted(11)).json()["began_at"] == began_at
    clock.advance(seconds=31)
    assert own(one)["open"]
    assert search(one, wanted(11, 12)).json()["began_at"] > began_at
    clock.advance(seconds=61)
    assert not own(one)["open"]


def test_the_same_again_is_answered_with_the_game_that_has_begun(two, clock):
    one, other = two
    search(one, wanted(11))
    game_id = search(other, wanted(11)).json()["game_id"]
    for player in two:
        again = search(player, wanted(11)).json()
        assert (again["game_id"], again["open"]) == (game_id, False)
    assert search(one, wanted(12)).json()["open"]  # something else is a new search
    clock.advance(seconds=61)
    assert search(other, wanted(11)).json()["open"]


def test_the_same_again_after_the_game_is_a_new_search(two):
    one, other = two
    search(one, wanted(11))
    game_id = search(other, wanted(11)).json()["game_id"]
    assert other.http.post(f"/games/{game_id}/resign").is_success
    assert search(other, wanted(11)).json()["open"]


def challenge_somebody(one, other):
    made = one.challenge(opponent=other.username).json()
    return other.http.post(f"/challenges/{made['id']}/accept").json()["game_id"]


def accept_somebody(one, other):
    return challenge_somebody(other, one)


def play_the_computer(one, _):
    return one.challenge(opponent="Gorrion-1").json()["game_id"]


def play_alone(one, _):
    return one.http.post("/games", json={"game": "up_and_up", "options": {"size": 7}}).json()["id"]


@pytest.mark.parametrize("begin", [challenge_somebody, accept_somebody, play_the_computer, play_alone])
def test_any_game_that_begins_ends_the_search(two, begin):
    one, other = two
    search(one, wanted(11))
    game_id = begin(one, other)
    assert (own(one)["open"], own(one)["game_id"]) == (False, game_id)
    assert search(other, wanted(11)).json()["game_id"] is None


def test_open_challenges_of_the_lobby_are_found_too(two, database_url):
    execute(database_url, "UPDATE challenges SET status = 'cancelled' WHERE status = 'open'")
    one, other = two
    made = one.challenge(options={"size": 13}, time_control=BLITZ).json()
    game_id = search(other, wanted(12, 13)).json()["game_id"]
    assert game_id == one.http.get(f"/challenges/{made['id']}").json()["game_id"] is not None
    # Also those that are made later.
    search(other, wanted(8, 9))
    made = one.challenge(options={"size": 8}, time_control=SLOW).json()
    made = one.challenge(options={"size": 8}, time_control=BLITZ).json()
    wait_until(lambda: own(other)["game_id"] is not None)
    assert one.http.get(f"/challenges/{made['id']}").json()["status"] == "accepted"


def test_a_search_is_ended_by_its_player(two):
    one, other = two
    assert code(one.http.get("/me/search")) == (404, "not_found")
    search(one, wanted(11))
    assert one.http.delete("/me/search").status_code == 204
    assert not own(one)["open"]
    assert search(other, wanted(11)).json()["game_id"] is None


def test_invalid_searches_are_refused(two):
    one, _ = two
    for games, limits, expected in (
        ([], {}, "invalid_request"),
        (wanted(*[9] * (MOST_WANTED + 1)), {}, "invalid_request"),
        (wanted(7), {}, "bad_options"),
        (wanted(9, game="chess"), {}, "unknown_game"),
        (wanted(9, game="up_and_up"), {}, "solitaire"),
        (wanted(9), {"rating_min": 3}, "bad_rating_range"),
        (wanted(9), {"colour": "red"}, "invalid_request"),
    ):
        assert code(search(one, games, **limits)) == (422, expected)
    assert one.http.get("/me/search").status_code == 404
