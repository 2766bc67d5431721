"""Test vectors from an independent implementation of the rules."""

import json
from pathlib import Path

import pytest

from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import START, Board, IllegalPush, push, undo
from engine.jadejack import JADEJACK
from engine.jumping_farther import JUMPING_FARTHER, JUMPING_SOLITAIRE
from engine.perft import perft
from engine.up_and_up import UP_AND_UP

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
    for board, move in reversed(boards):  # undo all moves
        before = undo(board, move)
        assert push(before, move.force) == (board, move)


def number_games(name):
    """The finished games of a number game."""
    games = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    return [pytest.param(game, id=f"size-{game['n']}-{place}") for place, game in enumerate(games)]


def final_position(rules, game):
    """The position at the end of a finished game, which must not end earlier."""
    position = rules.initial({"size": game["n"]})
    for move in game["cells"]:
        assert rules.outcome(position) is None
        position = rules.play(position, move)
    assert rules.outcome(position) is not None
    assert rules.legal_moves(position) == []
    return position


@pytest.mark.parametrize("game", number_games("jumping_farther"))
def test_jumping_farther_games(game):
    first, second = game["points"]
    end = final_position(JUMPING_FARTHER, game)
    assert JUMPING_FARTHER.score(end) == {"first": first, "second": second}
    assert JUMPING_FARTHER.format(end) == f"{game['n']}:{','.join(game['cells'])} {first} {second}"
    assert JUMPING_SOLITAIRE.score(final_position(JUMPING_SOLITAIRE, game)) == {"solo": first + second}


@pytest.mark.parametrize("game", number_games("up_and_up"))
def test_up_and_up_games(game):
    end = final_position(UP_AND_UP, game)
    assert UP_AND_UP.score(end) == {"solo": game["score"], "resets": game["resets"]}
    assert UP_AND_UP.format(end) == f"{game['n']}:{','.join(game['cells'])}"
