"""The coach warns once of a bad move in a casual game against the computer, and then lets it pass."""

import uuid

from tests.support.games import coached_game
from tests.support.players import Program


def play(visitor, game_id, move):
    data = {"move": move, "ply": 0, "move_id": str(uuid.uuid4())}
    return visitor.http.post(f"/games/{game_id}/moves", data=data)


def test_a_bad_move_is_played_only_when_it_is_repeated(server, database_url):
    visitor, game_id = coached_game(server, database_url)
    watcher = Program(server)
    warned = play(visitor, game_id, "pass")
    assert warned.status_code == 409
    assert "Are you sure? After c3 it would cost about 9 points." in warned.text
    assert watcher.snapshot(game_id)["ply"] == 0
    assert play(visitor, game_id, "pass").status_code == 200
    assert watcher.snapshot(game_id)["moves"] == ["pass"]


def test_a_good_move_is_played_at_once(server, database_url):
    visitor, game_id = coached_game(server, database_url)
    assert play(visitor, game_id, "d5").status_code == 200
    assert Program(server).snapshot(game_id)["moves"] == ["d5"]


def test_a_game_without_a_coach_is_not_watched(server, database_url):
    coached_game(server, database_url)
    program = Program(server)
    made = program.challenge(opponent="Gorrion-1", side="black", options={"size": 10})
    assert program.move(made.json()["game_id"], "pass", 0).status_code == 200
