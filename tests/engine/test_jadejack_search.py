"""The compiled JadeJack does what the rules do."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings

from engine.jadejack import JADEJACK, PASS, strengths
from engine.search import plain
from engine.search.jadejack import kernels
from engine.search.jadejack.board import board_of
from engine.search.jadejack.evaluation import table_for
from engine.search.jadejack.player import LEVELS, Skill, choose
from tests.engine.strategies import any_positions, reached_positions

VECTORS = json.loads(Path("tests/vectors/jadejack.json").read_text(encoding="utf-8"))


def assert_same(board, position):
    again = board_of(position)
    assert (board.planes == again.planes).all()
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
    planes = board_of(position).planes
    assert kernels.territory(planes) == score["black"] - score["white"] + 1.5
    assert planes[[kernels.BLACK, kernels.WHITE]].tolist() == [list(side) for side in strengths(position)]


@settings(max_examples=25)
@given(reached_positions())
def test_a_choice_is_legal_and_always_the_same(position):
    if JADEJACK.side_to_move(position) is None:
        return
    for skill in (Skill(1, 200, 10_000), Skill(3, 5, 10_000), Skill(2, 8, 10_000, noise=300, lines=200)):
        choice = choose(position, skill, 1, seconds=60)
        assert {promise.move for promise in choice.promises} == set(JADEJACK.legal_moves(position))
        assert choose(position, skill, 1, seconds=60) == choice


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("8/8/8/3b4/8/8/8/8 b 1", PASS),  # Black leads, and White has just passed
        ("8/8/8/3b4/8/8/8/8 w 1", None),  # White would lose by it
    ],
)
def test_it_passes_when_passing_wins_and_never_when_it_loses(position, move):
    choice = choose(JADEJACK.parse(position), Skill(3, 8, 100_000), 1, seconds=60)
    assert choice.move == move if move else choice.move != PASS
    if move:
        # Six squares of strength less the komi, and the game is over.
        assert choice.promises[0].points == JADEJACK.score(JADEJACK.parse(position))["black"] - 1.5


def test_a_search_sees_what_trying_everything_sees():
    """With all placements looked at, the worth of a move is the worst that any reply leaves."""
    position = JADEJACK.parse("8/8/2w5/3b4/8/2(bw)2b2/8/8 b 0")
    skill = Skill(2, 200, 1_000_000)
    best = choose(position, skill, 1, seconds=60).promises[0]
    table = table_for(5 / 64)

    def worth(move):
        after = JADEJACK.play(position, move)
        replies = [JADEJACK.play(after, reply) for reply in JADEJACK.legal_moves(after) if reply != PASS]
        return min(kernels.evaluate(board_of(reply).planes, 0, table) for reply in replies)

    values = {move: worth(move) for move in JADEJACK.legal_moves(position)}
    several = choose(position, Skill(2, 200, 1_000_000, lines=4), 1, seconds=60).promises[:4]
    assert [values[one.move] for one in several] == sorted(values.values(), reverse=True)[:4]
    assert [round(one.points * kernels.POINT) for one in several] == [values[one.move] for one in several]
    assert values[best.move] == max(values.values()) == round(best.points * kernels.POINT)


def test_levels_beat_what_is_simple():
    """A quick one: `benchmarks/levels.py` has all levels play a hundred games."""
    won = 0
    for seed in range(4):
        position, generator = JADEJACK.initial({"size": 8}), random.Random(seed)
        ours = seed % 2
        for ply in range(400):
            if JADEJACK.side_to_move(position) is None:
                break
            if ply < 2:
                move = generator.choice(JADEJACK.legal_moves(position)[:-1])
            elif ply % 2 == ours:
                move = choose(position, LEVELS[5], seed, seconds=60).move
            else:
                move = plain.choose(JADEJACK, position, seed)
            position = JADEJACK.play(position, move)
        won += JADEJACK.outcome(position).winner == JADEJACK.sides[ours]
    assert won >= 3


def test_a_game_that_is_over_is_refused():
    with pytest.raises(ValueError, match="over"):
        choose(JADEJACK.parse("8/8/8/3b4/8/8/8/8 b 2"), LEVELS[1], 1)


def test_time_that_is_over_ends_the_search():
    position = JADEJACK.initial({"size": 13})
    choice = choose(position, Skill(20, 8, 10**9), 1, seconds=0.05)
    assert choice.move in JADEJACK.legal_moves(position)
    assert choice.depth < 20
