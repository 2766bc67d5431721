"""The coach warns once of a bad move in a casual game against the computer, and then lets it pass."""

import uuid

import httpx
import pytest

from tests.support.answers import assert_problem
from tests.support.database import execute, fetch
from tests.support.games import BLITZ, coached_game, know_that_a_pass_is_bad
from tests.support.players import Match, PlayingPage, Program
from tests.support.waiting import wait_until


def play(visitor, game_id, move):
    data = {"move": move, "ply": 0, "move_id": str(uuid.uuid4())}
    return visitor.http.post(f"/games/{game_id}/moves", data=data)


def test_a_bad_move_is_played_only_when_it_is_repeated(server, database_url):
    visitor, game_id = coached_game(server, database_url)
    watcher = Program(server)
    warned = play(visitor, game_id, "pass")
    assert warned.status_code == 409
    assert "After c3 it would cost about 9 points. e4 is better." in warned.text
    assert watcher.snapshot(game_id)["ply"] == 0
    assert play(visitor, game_id, "pass").status_code == 200
    assert watcher.snapshot(game_id)["moves"] == ["pass"]


def by_form(visitor, game_id, sent):
    return visitor.http.post(f"/games/{game_id}/moves", data=sent).status_code == 200


def by_connection(visitor, game_id, sent):
    return PlayingPage(visitor, f"/games/{game_id}").send({"type": "move", **sent})[1]["played"]


@pytest.mark.parametrize("first", [by_form, by_connection])
@pytest.mark.parametrize("copy", [by_form, by_connection])
def test_a_copy_of_a_move_whose_warning_was_lost_is_warned_of_again(server, database_url, first, copy):
    visitor, game_id = coached_game(server, database_url)
    sent = {"move": "pass", "ply": 0, "move_id": uuid.uuid4().hex, "sure": False}
    assert not first(visitor, game_id, sent)
    assert not copy(visitor, game_id, sent)
    assert copy(visitor, game_id, {**sent, "sure": True})


@pytest.mark.parametrize("leave", ["form", "connection"])
def test_a_move_is_looked_at_even_if_its_player_has_left(server, database_url, leave):
    visitor, game_id = coached_game(server, database_url)
    execute(database_url, "DELETE FROM job_results")  # no worker has looked at it yet
    sent = {"move": "pass", "ply": 0, "move_id": uuid.uuid4().hex}
    if leave == "form":
        with pytest.raises(httpx.ReadTimeout):
            visitor.http.post(f"/games/{game_id}/moves", data=sent, timeout=0.5)
    else:
        page = PlayingPage(visitor, f"/games/{game_id}")
        page.post({"type": "move", **sent})
        page.connection.close()
    know_that_a_pass_is_bad(database_url)
    warned = "SELECT warned_ply = 0 FROM coached_games WHERE game_id = $1"
    wait_until(lambda: fetch(database_url, warned, game_id)[0])
    assert Program(server).snapshot(game_id)["ply"] == 0


def test_a_good_move_is_played_at_once(server, database_url):
    visitor, game_id = coached_game(server, database_url)
    assert play(visitor, game_id, "d5").status_code == 200
    assert Program(server).snapshot(game_id)["moves"] == ["d5"]


def test_a_game_without_a_coach_is_not_watched(server, database_url):
    coached_game(server, database_url)
    program = Program(server)
    made = program.challenge(opponent="Gorrion-1", side="black", options={"size": 10})
    assert program.move(made.json()["game_id"], "pass", 0).status_code == 200


def game_against_the_computer(program, **terms):
    made = program.challenge(opponent="Gorrion-1", side="black", options={"size": 10}, **terms)
    return made.json()["game_id"]


def test_a_program_is_warned_too(server, database_url, program):
    know_that_a_pass_is_bad(database_url)
    game_id = game_against_the_computer(program)
    assert program.http.post(f"/games/{game_id}/coach").status_code == 204
    warned = assert_problem(program.move(game_id, "pass", 0), 409, "are_you_sure")
    assert (warned["loss"], warned["reply"], warned["best"]) == (9, "c3", "e4")
    with program.socket(game_id) as socket:
        socket.send_move("pass", 0)
        assert socket.receive_until("ack")["ply"] == 1


def test_a_move_with_little_time_left_is_played_at_once(server, database_url, program, clock):
    know_that_a_pass_is_bad(database_url)
    game_id = game_against_the_computer(program, time_control=BLITZ)
    assert program.http.post(f"/games/{game_id}/coach").status_code == 204
    clock.advance(seconds=57)  # of the minute for the first move
    assert program.move(game_id, "pass", 0).status_code == 200


def test_a_program_is_warned_on_its_socket(server, database_url, program):
    know_that_a_pass_is_bad(database_url)
    game_id = game_against_the_computer(program)
    assert program.http.post(f"/games/{game_id}/coach").status_code == 204
    with program.socket(game_id) as socket:
        socket.send_move("pass", 0)
        warned = socket.receive_until("error")
    assert (warned["code"], warned["loss"], warned["reply"]) == ("are_you_sure", 9, "c3")
    assert program.snapshot(game_id)["ply"] == 0


def test_other_games_have_no_coach(server, program):
    match = Match(server)
    assert_problem(match.black.http.post(f"/games/{match.id}/coach"), 409, "no_coach")
    game_id = game_against_the_computer(program)
    assert_problem(match.black.http.post(f"/games/{game_id}/coach"), 403, "not_a_player")
