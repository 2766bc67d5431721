"""Replaying games from their moves."""

from dataclasses import asdict

import pytest

from engine.jadejack import JADEJACK
from engine.replay import ReplayError, replay


def test_a_replay_without_moves_is_the_starting_position():
    start = replay(JADEJACK, {"size": 9}, [])
    assert start.position == "9/9/9/9/9/9/9/9/9 b 0"
    assert (start.ply, start.side_to_move, start.result) == (0, "black", None)
    assert len(start.legal_moves) == 81


def test_a_game_in_progress():
    assert asdict(replay(JADEJACK, {"size": 8}, ["c4"])) == {
        "position": "8/8/8/8/2b5/8/8/8 w 0",
        "ply": 1,
        "side_to_move": "white",
        "legal_moves": JADEJACK.legal_moves(JADEJACK.parse("8/8/8/8/2b5/8/8/8 w 0")),
        "score": {"black": 4, "white": 1.5},
        "result": None,
    }


def test_a_finished_game_has_a_result():
    assert asdict(replay(JADEJACK, {"size": 8}, ["c4", "pass", "pass"])) == {
        "position": "8/8/8/8/2b5/8/8/8 w 2",
        "ply": 3,
        "side_to_move": None,
        "legal_moves": [],
        "score": {"black": 4, "white": 1.5},
        "result": {"winner": "black", "termination": "passes", "score": {"black": 4, "white": 1.5}},
    }


@pytest.mark.parametrize(
    ("moves", "ply", "move", "reason"),
    [
        (["d4"], 1, "d4", "centre_first"),
        (["c4", "c5"], 2, "c5", "too_weak"),
        (["c4", "e5", "E5", "c5"], 3, "E5", "move_syntax"),
        (["c4", "j1"], 2, "j1", "off_board"),
        (["pass", "pass", "pass"], 3, "pass", "game_over"),
    ],
)
def test_the_first_bad_move_is_reported(moves, ply, move, reason):
    with pytest.raises(ReplayError, match=f"Ply {ply}, {move}: ") as caught:
        replay(JADEJACK, {"size": 8}, moves)
    assert (caught.value.ply, caught.value.move, caught.value.reason) == (ply, move, reason)


def test_invalid_options_are_rejected():
    with pytest.raises(ValueError, match="size"):
        replay(JADEJACK, {"size": 7}, [])
