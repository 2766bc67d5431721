"""Ratings through the JSON API."""

import pytest

from tests.support.answers import code
from tests.support.games import BLITZ, post, rated_game
from tests.support.threads import at_once


def rating(program):
    return program.http.get("/me").json()["ratings"].get("jadejack")


def test_a_rated_game_changes_both_ratings_once(program, other):
    game = rated_game(program, other, time_control=BLITZ)
    assert (rating(program), rating(other)) == (None, None)
    end = post(program, f"/games/{game}/resign").json()
    assert end["result"]["winner"] == "white"
    assert rating(program) == {"rating": 1338, "deviation": 290, "provisional": True, "games": 1}
    assert rating(other) == {"rating": 1662, "deviation": 290, "provisional": True, "games": 1}
    assert code(post(other, f"/games/{game}/resign")) == (409, "game_over")
    assert rating(program)["games"] == 1


def test_casual_and_aborted_games_change_no_rating(program, other):
    aborted = rated_game(program, other)
    assert post(program, f"/games/{aborted}/abort").json()["status"] == "aborted"
    casual = program.challenge(opponent=other.username).json()["id"]
    game = post(other, f"/challenges/{casual}/accept").json()["game_id"]
    post(other, f"/games/{game}/resign")
    assert (rating(program), rating(other)) == (None, None)


def test_games_of_the_same_players_that_end_at_once_all_count(program, other):
    games = [rated_game(*pair) for pair in [(program, other), (other, program)] * 3]
    at_once(lambda game: post(program, f"/games/{game}/resign"), games)
    assert (rating(program)["games"], rating(other)["games"]) == (6, 6)
    assert rating(program)["rating"] + rating(other)["rating"] == pytest.approx(3000, abs=2)
