"""The compiled kernels of JadeJack agree with the rules, and the search plays well."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings

from engine.jadejack import JADEJACK, KOMI, PASS, strengths
from engine.search import plain
from engine.search.jadejack import kernels
from engine.search.jadejack.array_position import as_arrays, geometry_arrays
from engine.search.jadejack.evaluation import table_for
from engine.search.jadejack.player import LEVELS, SelectiveSkill, choose
from engine.search.player import ALL_MOVES
from engine.squares import names
from tests.engine.strategies import any_positions, reached_positions

pytestmark = pytest.mark.usefixtures("compiled_searches")

VECTORS = json.loads(Path("tests/vectors/jadejack.json").read_text(encoding="utf-8"))


def legal_squares(arrays):
    known = (arrays.planes, arrays.counts, geometry_arrays(arrays.size))
    return [name for square, name in enumerate(names(arrays.size)) if kernels.is_legal(square, *known)]


def assert_same(arrays, position):
    expected = as_arrays(position)
    assert (arrays.planes == expected.planes).all()
    assert (arrays.counts == expected.counts).all()
    if JADEJACK.side_to_move(position) is not None:
        assert [*legal_squares(arrays), PASS] == JADEJACK.legal_moves(position)


@pytest.mark.parametrize("game", VECTORS["games"], ids=lambda game: f"size-{game['size']}")
def test_kernels_agree_with_the_vectors(game):
    position = JADEJACK.initial({"size": game["size"]})
    arrays = as_arrays(position)
    for move in game["moves"]:
        position = JADEJACK.play(position, move)
        arrays.play(move)
        assert_same(arrays, position)


@given(reached_positions() | any_positions())
def test_kernels_play_every_move_like_the_rules(position):
    if JADEJACK.side_to_move(position) is None:
        return
    for move in JADEJACK.legal_moves(position)[:: max(1, len(position.stacks) // 12)]:
        arrays = as_arrays(position)
        arrays.play(move)
        assert_same(arrays, JADEJACK.play(position, move))


@given(reached_positions() | any_positions())
def test_kernels_count_territory_and_strength_like_the_rules(position):
    score = JADEJACK.score(position)
    planes = as_arrays(position).planes
    assert kernels.territory(planes) == score["black"] - score["white"] + KOMI
    assert planes[[kernels.BLACK, kernels.WHITE]].tolist() == [list(side) for side in strengths(position)]


@settings(max_examples=25)
@given(reached_positions())
def test_choices_are_legal_and_deterministic(position):
    if JADEJACK.side_to_move(position) is None:
        return
    for skill in (
        SelectiveSkill(1, 10_000, width=ALL_MOVES),
        SelectiveSkill(3, 10_000, width=5),
        SelectiveSkill(2, 10_000, width=8, noise=300, lines=ALL_MOVES),
    ):
        choice = choose(position, skill, 1, seconds=60)
        assert {evaluated.move for evaluated in choice.ranking} == set(JADEJACK.legal_moves(position))
        assert choose(position, skill, 1, seconds=60) == choice


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("8/8/8/3b4/8/8/8/8 b 1", PASS),  # Black leads, and White has just passed
        ("8/8/8/3b4/8/8/8/8 w 1", None),  # White would lose
    ],
)
def test_the_search_passes_if_that_wins_and_not_if_it_loses(position, move):
    choice = choose(JADEJACK.parse(position), SelectiveSkill(3, 100_000, width=8), 1, seconds=60)
    assert choice.move == move if move else choice.move != PASS
    if move:
        # The lead on the board less the komi.
        assert choice.ranking[0].points == JADEJACK.score(JADEJACK.parse(position))["black"] - KOMI


def test_a_forced_pass_that_ends_the_game_counts_as_its_result():
    full = (
        "(bb)(bb)(ww)(ww)(bww)(ww)(ww)(ww)/(bb)(bb)(ww)(ww)(ww)(ww)(ww)(ww)/"
        "(bb)(bb)(bb)(bb)(bb)(bb)(bb)(wbb)/(bb)(bb)(bb)(ww)(bww)(bb)(bb)(bb)/"
        "(ww)(wwbb)(bb)(ww)(ww)(bb)(bb)(bb)/(ww)(bb)(bb)(ww)(ww)(bb)(bb)(bb)/"
        "(ww)(bb)(bb)(ww)(ww)(bb)(bb)(bb)/(ww)(ww)(bww)(ww)(ww)(bb)(bb)(bb) w 0"
    )
    choice = choose(JADEJACK.parse(full), SelectiveSkill(2, 100_000, width=8), 1, seconds=60)
    assert (choice.move, choice.ranking[0].points) == (PASS, 1.5)


@pytest.mark.parametrize("level", LEVELS)
def test_lower_levels_answer_a_pass_by_a_pass_only_on_a_settled_board(level):
    open_board = JADEJACK.play(JADEJACK.play(JADEJACK.initial({"size": 8}), "c3"), PASS)
    may_pass = any(choice.move == PASS for choice in choose(open_board, LEVELS[level], 1).ranking)
    assert may_pass == (level > 4)
    black, white = "(bbbbbb)", "(wwwwww)"
    full_row, first_row = (black + white) * 4, "1" + (white + black) * 3 + white
    settled = JADEJACK.parse(f"{'/'.join([full_row] * 7)}/{first_row} b 1")
    assert any(choice.move == PASS for choice in choose(settled, LEVELS[level], 1).ranking)


def test_a_full_width_search_equals_exhaustive_minimax():
    """At two plies, the value of a move is the worst evaluation after any reply."""
    position = JADEJACK.parse("8/8/2w5/3b4/8/2(bw)2b2/8/8 b 0")
    skill = SelectiveSkill(2, 1_000_000, width=ALL_MOVES)
    best = choose(position, skill, 1, seconds=60).ranking[0]
    table = table_for(5 / 64)

    def value(move):
        after = JADEJACK.play(position, move)
        replies = [JADEJACK.play(after, reply) for reply in JADEJACK.legal_moves(after) if reply != PASS]
        return min(kernels.evaluate(as_arrays(reply).planes, 0, table) for reply in replies)

    values = {move: value(move) for move in JADEJACK.legal_moves(position)}
    several = choose(position, SelectiveSkill(2, 1_000_000, width=ALL_MOVES, lines=4), 1, seconds=60).ranking[
        :4
    ]
    assert [values[line.move] for line in several] == sorted(values.values(), reverse=True)[:4]
    assert [round(line.points * kernels.POINT) for line in several] == [values[line.move] for line in several]
    assert values[best.move] == max(values.values()) == round(best.points * kernels.POINT)


def test_level_5_beats_the_plain_player():
    """A quick check: `benchmarks/levels.py` plays a hundred games at each level."""
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


def test_a_finished_game_is_rejected():
    with pytest.raises(ValueError, match="over"):
        choose(JADEJACK.parse("8/8/8/3b4/8/8/8/8 b 2"), LEVELS[1], 1)


def test_the_time_limit_ends_the_search():
    position = JADEJACK.initial({"size": 13})
    choice = choose(position, SelectiveSkill(20, 10**9, width=8), 1, seconds=0.05)
    assert choice.move in JADEJACK.legal_moves(position)
    assert choice.depth < 20
