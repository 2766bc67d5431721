"""The compiled JadeJack does what the rules do."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from engine.jadejack import JADEJACK, PASS, strengths
from engine.search.jadejack import kernels
from engine.search.jadejack.board import board_of
from tests.engine.strategies import any_positions, reached_positions

VECTORS = json.loads(Path("tests/vectors/jadejack.json").read_text(encoding="utf-8"))


def assert_same(board, position):
    again = board_of(position)
    assert (board.tops == again.tops).all()
    assert (board.heights == again.heights).all()
    assert (np.minimum(board.runs, 2) == np.minimum(again.runs, 2)).all()
    assert (board.strengths == again.strengths).all()
    assert (board.counts == again.counts).all()
    if JADEJACK.side_to_move(position) is not None:
        assert [*board.legal_squares(), PASS] == JADEJACK.legal_moves(position)


@pytest.mark.parametrize("game", VECTORS["games"], ids=lambda game: f"size-{game['size']}")
def test_the_vectors_are_played_alike(game):
    position = JADEJACK.initial({"size": game["size"]})
    board = board_of(position)
    for move in game["moves"]:
        position = JADEJACK.play(position, move)
        board.play(move)
        assert_same(board, position)


@given(reached_positions() | any_positions())
def test_every_move_leads_to_the_position_of_the_rules(position):
    if JADEJACK.side_to_move(position) is None:
        return
    for move in JADEJACK.legal_moves(position)[:: max(1, len(position.stacks) // 12)]:
        board = board_of(position)
        board.play(move)
        assert_same(board, JADEJACK.play(position, move))


@given(reached_positions() | any_positions())
def test_territory_is_counted_alike(position):
    score = JADEJACK.score(position)
    board = board_of(position)
    assert kernels.territory(board.tops, board.strengths) == score["black"] - score["white"] + 1.5
    assert [list(side) for side in strengths(position)] == board.strengths.tolist()
