"""Ratings through the JSON API."""

import pytest

from tests.support.answers import code
from tests.support.database import execute, fetch
from tests.support.games import BLITZ, lost_rated_game, play_until_rated, post, prove, rated_game
from tests.support.moderation import make_moderator, noticed
from tests.support.players import Program
from tests.support.threads import at_once
from tests.support.waiting import wait_until


def rating(program):
    return program.http.get("/me").json()["ratings"].get("jadejack")


def test_a_rated_game_changes_both_ratings_once(program, other):
    game = rated_game(program, other, time_control=BLITZ)
    play_until_rated(program, other, game)
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
    game = program.begin(other)
    post(other, f"/games/{game}/resign")
    assert (rating(program), rating(other)) == (None, None)


def test_games_of_the_same_players_that_end_at_once_all_count(program, other):
    games = [rated_game(*pair) for pair in [(program, other), (other, program)] * 3]
    for number, game in enumerate(games):
        play_until_rated(*((program, other), (other, program))[number % 2], game)
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
        game = program.begin(other, side="black")
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
            play_until_rated(program, other, game)
        at_once(lambda game: post(program, f"/games/{game}/resign"), games)
        assert (rating(program)["games"], rating(other)["games"]) == (10, 10)

    def test_quick_pairing_passes_over_an_opponent_at_the_limit(self, program, other):
        for _ in range(10):
            lost_rated_game(program, other)
        other.challenge(rated=True, options={"size": 13})
        made = program.challenge(rated=True, options={"size": 13})
        assert made.json()["status"] == "open"


@pytest.mark.parametrize(
    ("games", "deviation", "opponents", "is_ranked"),
    [
        (29, 109, 5, True),
        (29, 111, 5, False),
        (30, 149, 5, True),
        (30, 149, 4, False),
        (30, 151, 5, False),
        (40, 129, 5, True),
        (40, 131, 5, False),
        (50, 111, 5, False),
        (900, 109, 5, True),
    ],
)
def test_a_rating_is_ranked_unless_it_is_provisional(
    program, database_url, games, deviation, opponents, is_ranked
):
    execute(
        database_url,
        "INSERT INTO ratings (account_id, game, rating, deviation, volatility, games, opponents) "
        "SELECT id, 'jadejack', 2900, $2, 0.06, $3, $4 FROM accounts WHERE username = $1",
        program.username,
        deviation,
        games,
        opponents,
    )
    assert rating(program)["provisional"] is not is_ranked
    assert (program.username in names_on_leaderboard(program)) is is_ranked


def test_a_rating_settles_against_five_proven_opponents_only(server, program, database_url):
    newcomers, proven = [Program(server) for _ in range(5)], [Program(server) for _ in range(5)]
    for opponent in proven:
        prove(database_url, opponent)
    for opponent in (*newcomers, *proven[:4]):
        lost_rated_game(opponent, program)
    assert proven_opponents(database_url, program) == 4
    execute(
        database_url,
        "UPDATE ratings SET deviation = 60 FROM accounts WHERE account_id = id AND username = $1",
        program.username,
    )
    assert rating(program)["provisional"]
    assert program.username not in names_on_leaderboard(program)
    lost_rated_game(proven[4], program)
    assert not rating(program)["provisional"]
    assert program.username in names_on_leaderboard(program)


def test_a_result_against_a_newcomer_counts_once_the_newcomer_is_proven(server, program, other, database_url):
    lost_rated_game(other, program)
    prove(database_url, other)
    assert proven_opponents(database_url, program) == 0
    lost_rated_game(Program(server), program)
    assert proven_opponents(database_url, program) == 1
    lost_rated_game(Program(server), program)
    assert proven_opponents(database_url, program) == 1


def test_newcomers_change_no_settled_rating(server, program, database_url):
    prove(database_url, program)
    for _ in range(2):
        lost_rated_game(Program(server), program)
        lost_rated_game(program, Program(server))
    assert (rating(program)["rating"], rating(program)["games"]) == (1500, 24)


class TestGamesThatAreTooShort:
    @pytest.mark.parametrize("plies", [2, 7])
    def test_a_game_of_less_than_eight_plies_leaves_ratings_as_they_are(self, program, other, plies):
        game = rated_game(program, other)
        play_until_rated(program, other, game, plies=plies)
        end = post(program, f"/games/{game}/resign").json()
        assert (end["status"], end["result"]["winner"]) == ("finished", "white")
        assert (rating(program), rating(other)) == (None, None)
        assert "Too short to be rated" in program.http.get(f"{program.server.url}/games/{game}").text

    def test_two_passes_are_too_short(self, program, other):
        game = rated_game(program, other)
        for ply in range(2):
            answer = (program, other)[ply].move(game, "pass", ply).json()
        assert (answer["status"], rating(program), rating(other)) == ("finished", None, None)


def proven_opponents(database_url, player):
    """Return the number of different proven opponents on whom a player's rating rests."""
    statement = "SELECT opponents FROM ratings JOIN accounts ON id = account_id WHERE username = $1"
    return fetch(database_url, statement, player.username)[0]


def names_on_leaderboard(program):
    rows = program.http.get("/leaderboards/jadejack?limit=200").json()["rows"]
    return [row["username"] for row in rows]
