"""Aborting too many games: who is to blame, and for how long real-time challenges are closed."""

from datetime import UTC, datetime, timedelta

import pytest

from app.play.lobby.decisions import Aborts
from tests.support.answers import code
from tests.support.games import BLITZ, lost_rated_game, post, rated_game
from tests.support.moderation import make_moderator, noticed
from tests.support.players import Program


@pytest.mark.parametrize(
    ("aborted", "minutes"),
    [(0, None), (4, None), (5, 10), (6, 20), (8, 80), (12, 1280), (13, 1440), (20, 1440)],
)
def test_each_abort_beyond_four_doubles_the_pause(aborted, minutes):
    last = datetime(2026, 1, 1, tzinfo=UTC)
    expected = None if minutes is None else last + timedelta(minutes=minutes)
    assert Aborts(aborted, last).paused_until == expected


def test_real_time_challenges_are_closed_after_five_aborts(server, program, other, clock, database_url):
    for _ in range(5):
        post(program, f"/games/{rated_game(program, other, time_control=BLITZ)}/abort")
    refused = program.challenge(time_control=BLITZ)
    assert code(refused) == (403, "aborted_too_often")
    assert "5 of your last 20 games" in refused.json()["detail"]
    until = datetime.fromisoformat(refused.json()["until"])
    to_all = other.challenge(time_control=BLITZ).json()["id"]
    assert code(post(program, f"/challenges/{to_all}/accept")) == (403, "aborted_too_often")
    assert program.challenge(time_control={"kind": "correspondence", "days": 1}).status_code == 201
    clock.advance(minutes=10)
    assert program.challenge(time_control=BLITZ).status_code == 201
    assert until.tzinfo is not None
    assert noticed(make_moderator(database_url, Program(server)), program) == [("aborts", "")]


def test_aborts_are_forgotten_after_twenty_games(server, program, other):
    for _ in range(5):
        post(program, f"/games/{rated_game(program, other)}/abort")
    opponents = [Program(server) for _ in range(2)]
    for number in range(15):
        lost_rated_game(program, opponents[number % 2])
        assert code(program.challenge(time_control=BLITZ)) == (403, "aborted_too_often")
    lost_rated_game(program, opponents[0])
    assert program.challenge(time_control=BLITZ).status_code == 201


def test_who_waited_for_the_first_move_is_not_to_blame(program, other, clock):
    for _ in range(5):
        game = rated_game(program, other, time_control=BLITZ)
        clock.advance(seconds=31)
        post(other, f"/games/{game}/abort")  # program has not moved
    assert other.challenge(time_control=BLITZ).status_code == 201
    assert code(program.challenge(time_control=BLITZ)) == (403, "aborted_too_often")
