"""The compiled JadeJack does what the rules do."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from engine.jadejack import JADEJACK, PASS, strengths
from engine.search.jadejack import kernels
from engine.search.jadejack.board import board_of
from engine.search.jadejack.player import Search, Skill
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


@settings(max_examples=25)
@given(reached_positions())
def test_a_choice_is_legal_and_always_the_same(position):
    if JADEJACK.side_to_move(position) is None:
        return
    for skill in (Skill(1, 200, 10_000), Skill(3, 5, 10_000), Skill(2, 8, 10_000, noise=300)):
        choice = Search(position).choose(skill, random.Random(1))
        assert choice.move in JADEJACK.legal_moves(position)
        assert Search(position).choose(skill, random.Random(1)) == choice


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("8/8/8/3b4/8/8/8/8 b 1", PASS),  # Black leads, and White has just passed
        ("8/8/8/3b4/8/8/8/8 w 1", None),  # White would lose by it
    ],
)
def test_it_passes_when_passing_wins_and_never_when_it_loses(position, move):
    choice = Search(JADEJACK.parse(position)).choose(Skill(3, 8, 100_000), random.Random(1))
    assert choice.move == move if move else choice.move != PASS
    assert (choice.worth > kernels.WON // 2) == (move is not None)
