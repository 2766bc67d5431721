"""The coach warns once of a bad move in a casual game against the computer, and then lets it pass."""

import re
import uuid

from tests.support.games import look_at_pass
from tests.support.players import Program, Visitor
from tests.support.waiting import wait_until


def start(server, **form):
    """Return a visitor and the id of a game against the computer in which it is the visitor's turn."""
    visitor = Visitor(server)
    page = visitor.http.post("/challenges/computer", data={"game": "jadejack", "level": "1", **form})
    game_id = page.url.path.rpartition("/")[2]
    wait_until(lambda: "Your turn" in visitor.http.get(f"/games/{game_id}").text, within=90)
    return visitor, game_id


def play(visitor, game_id, move, ply):
    data = {"move": move, "ply": ply, "move_id": str(uuid.uuid4())}
    return visitor.http.post(f"/games/{game_id}/moves", data=data)


def test_a_bad_move_is_played_only_when_it_is_repeated(server_with_computer):
    visitor, game_id = start(server_with_computer, coach="yes")
    watcher = Program(server_with_computer)
    ply = watcher.snapshot(game_id)["ply"]
    look_at_pass(watcher, game_id)
    warned = play(visitor, game_id, "pass", ply)
    assert warned.status_code == 409
    assert re.search(r"Are you sure\? After \w+ it would cost about \d+ points", warned.text)
    assert watcher.snapshot(game_id)["ply"] == ply
    assert play(visitor, game_id, "pass", ply).status_code == 200
    assert watcher.snapshot(game_id)["moves"][ply] == "pass"


def test_without_a_coach_and_for_good_moves_nothing_is_said(server_with_computer):
    visitor, game_id = start(server_with_computer)
    assert (
        play(visitor, game_id, "pass", Program(server_with_computer).snapshot(game_id)["ply"]).status_code
        == 200
    )
    visitor, game_id = start(server_with_computer, coach="yes")
    look_at_pass(Program(server_with_computer), game_id)
    hint = re.search(r'data-hint="(\w+)"', visitor.http.post(f"/games/{game_id}/hint").text)[1]
    ply = Program(server_with_computer).snapshot(game_id)["ply"]
    assert play(visitor, game_id, hint, ply).status_code == 200
