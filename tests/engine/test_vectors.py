"""The test vectors, made by an independent implementation of the rules."""

import json
from pathlib import Path

import pytest

from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import START, Board, IllegalPush, push, undo
from engine.jadejack import JADEJACK
from engine.perft import perft

VECTORS = Path(__file__).parents[1] / "vectors"
JADEJACK_VECTORS = json.loads((VECTORS / "jadejack.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", JADEJACK_VECTORS["games"], ids=lambda game: f"size-{game['size']}")
def test_jadejack_games(game):
    checks = {check["ply"]: check for check in game["checks"]}
    position = JADEJACK.initial({"size": game["size"]})
    for ply, move in enumerate(game["moves"], start=1):
        position = JADEJACK.play(position, move)
        if check := checks.pop(ply, None):
            score = JADEJACK.score(position)
            assert JADEJACK.format(position) == check["position"]
            assert sorted(JADEJACK.legal_moves(position)) == check["legal"]
            assert [score["black"], score["white"]] == check["score"]
            assert JADEJACK.parse(check["position"]) == position
    assert not checks


@pytest.mark.parametrize("case", JADEJACK_VECTORS["perft"], ids=lambda case: case["position"])
def test_jadejack_perft(case):
    position = JADEJACK.parse(case["position"])
    depths = range(1, len(case["counts"]) + 1)
    assert [perft(JADEJACK, position, depth) for depth in depths] == case["counts"]


GOLDEN_NUGGET_VECTORS = json.loads((VECTORS / "golden_nugget.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("walk", GOLDEN_NUGGET_VECTORS["walks"], ids=lambda walk: walk["record"][0])
def test_golden_nugget_walks(walk):
    board = Board(Face(walk["face"]), START.cells)
    boards = []
    for step in walk["record"]:
        if step[1:2] == "!":
            with pytest.raises(IllegalPush):
                push(board, step[0])
        else:
            board, move = push(board, step[0])
            assert str(move) == step
            boards.append((board, move))
    assert list(board.cells) == walk["cells"]
    for board, move in reversed(boards):  # and all the way back
        before = undo(board, move)
        assert push(before, move.force) == (board, move)
