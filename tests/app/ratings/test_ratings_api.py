"""Ratings through the JSON API."""

import pytest

from tests.support.answers import code
from tests.support.database import execute
from tests.support.games import BLITZ, lost_rated_game, move_once_each, post, rated_game
from tests.support.moderation import make_moderator, noticed
from tests.support.players import Program
from tests.support.threads import at_once
from tests.support.waiting import wait_until


def rating(program):
    return program.http.get("/me").json()["ratings"].get("jadejack")


def test_a_rated_game_changes_both_ratings_once(program, other):
    game = rated_game(program, other, time_control=BLITZ)
    move_once_each(program, other, game)
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
    for number, game in enumerate(games):
        move_once_each(*((program, other), (other, program))[number % 2], game)
    at_once(lambda game: post(program, f"/games/{game}/resign"), games)
    assert (rating(program)["games"], rating(other)["games"]) == (6, 6)
    assert rating(program)["rating"] + rating(other)["rating"] == pytest.approx(3000, abs=2)


class TestGamesThatHaveHardlyBegun:
    def test_resigning_a_rated_game_before_both_sides_moved_is_an_abort(self, program, other):
        for moves in range(2):
            game = rated_game(program, other)
            for _ in range(moves):
                program.move(game, "c4", 0)
            end = post(other, f"/games/{game}/resign").json()
            assert (end["status"], end["result"]["winner"], end["result"]["termination"]) == (
                "aborted",
                None,
                "abort",
            )
        assert (rating(program), rating(other)) == (None, None)

    def test_leaving_a_rated_game_before_both_sides_moved_is_an_abort(self, program, other, clock):
        game = rated_game(program, other, time_control=BLITZ)
        program.move(game, "c4", 0)
        clock.advance(seconds=61)
        end = post(program, f"/games/{game}/claim").json()
        assert (end["status"], end["result"]["termination"]) == ("aborted", "abort")
        assert rating(program) is None

    def test_a_flag_before_both_sides_moved_is_an_abort(self, program, other, clock):
        game = rated_game(program, other, time_control={"kind": "correspondence", "days": 1})
        program.move(game, "c4", 0)
        clock.advance(days=1, seconds=1)
        wait_until(lambda: program.snapshot(game)["status"] == "aborted")
        assert rating(program) is None

    def test_a_casual_game_may_be_resigned_at_once(self, program, other):
        challenge = program.challenge(opponent=other.username, side="black").json()["id"]
        game = post(other, f"/challenges/{challenge}/accept").json()["game_id"]
        assert post(program, f"/games/{game}/resign").json()["result"]["winner"] == "white"


class TestManyGamesOfTheSameTwo:
    def test_ten_rated_games_count_within_a_day(self, server, program, other, clock, database_url):
        for _ in range(10):
            last = lost_rated_game(program, other)
        moderator = make_moderator(database_url, Program(server))
        for player in (program, other):
            assert noticed(moderator, player) == [("pair", f"game:{last}")]
        refused = program.challenge(opponent=other.username, rated=True)
        assert code(refused) == (403, "rated_limit")
        assert program.challenge(opponent=other.username).status_code == 201
        open_to_all = other.challenge(rated=True, opponent="link").json()["id"]
        assert code(post(program, f"/challenges/{open_to_all}/accept")) == (403, "rated_limit")
        clock.advance(days=1)
        lost_rated_game(program, other)
        assert rating(program)["games"] == 11

    def test_a_game_under_way_counts(self, program, other):
        for _ in range(9):
            lost_rated_game(program, other)
        rated_game(program, other)
        assert code(other.challenge(opponent=program.username, rated=True)) == (403, "rated_limit")

    def test_no_more_than_ten_count_when_they_end_at_once(self, program, other, database_url):
        games = [rated_game(program, other) for _ in range(10)]
        execute(
            database_url,
            "INSERT INTO games (id, game, options, status, first_player, second_player, position, rated) "
            "SELECT reverse(id), game, options, status, first_player, second_player, position, rated "
            "FROM games WHERE id = ANY($1)",
            games[:3],
        )
        games += [game[::-1] for game in games[:3]]
        for game in games:
            move_once_each(program, other, game)
        at_once(lambda game: post(program, f"/games/{game}/resign"), games)
        assert (rating(program)["games"], rating(other)["games"]) == (10, 10)

    def test_quick_pairing_passes_over_an_opponent_at_the_limit(self, program, other):
        for _ in range(10):
            lost_rated_game(program, other)
        other.challenge(rated=True, options={"size": 13})
        made = program.challenge(rated=True, options={"size": 13})
        assert made.json()["status"] == "open"


def test_a_rating_settles_against_five_different_opponents_only(server, program, database_url):
    opponents = [Program(server) for _ in range(5)]
    for opponent in (*opponents[:4], *opponents[:4]):
        lost_rated_game(opponent, program)
    execute(
        database_url,
        "UPDATE ratings SET deviation = 60 FROM accounts WHERE account_id = id AND username = $1",
        program.username,
    )
    assert rating(program)["provisional"]
    assert program.username not in names_on_leaderboard(program)
    lost_rated_game(opponents[4], program)
    assert not rating(program)["provisional"]
    assert program.username in names_on_leaderboard(program)


def names_on_leaderboard(program):
    rows = program.http.get("/leaderboards/jadejack?limit=200").json()["rows"]
    return [row["username"] for row in rows]
