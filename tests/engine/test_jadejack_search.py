"""The compiled kernels of JadeJack agree with the rules, and the search plays well."""

import json
import random
import subprocess
import sys
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings

from engine.game import Side
from engine.jadejack import JADEJACK, PASS, strengths
from engine.search import plain
from engine.search.jadejack import kernels
from engine.search.jadejack.evaluation import expected, table_for
from engine.search.jadejack.memory import board_of, disks, search_of
from engine.search.jadejack.network import judge, stored
from engine.search.jadejack.player import LEVELS, SelectiveSkill, choose, is_lost
from engine.search.player import ALL_MOVES
from engine.squares import locate, names
from tests.engine.strategies import any_positions, reached_positions
from tests.support.effort import cases

pytestmark = pytest.mark.usefixtures("compiled_searches")

# Whether all levels are loaded by `get_ready`, and the lower ones without the search that compiles longest.
STARTS = """
import sys
from engine.search import computer
from engine.search.jadejack import kernels
from engine.search.levels import BEST, LEVELS, USUAL

def play(levels):
    for rules in computer._SEARCHERS:
        for level in levels:
            computer.choose(rules, rules.initial({"size": 8}), level=level, seconds=0.1)

def compiled():
    modules = [module for name, module in sys.modules.items() if name.startswith("engine.search")]
    return {value: len(value.signatures) for module in modules for value in vars(module).values()
            if hasattr(value, "signatures")}

computer.get_ready(USUAL)
play(range(LEVELS[0], USUAL + 1))
assert "engine.search.jadejack.search_kernels" not in sys.modules
computer.get_ready(BEST)
before = compiled()
play(LEVELS)
assert compiled() == before
"""

VECTORS = json.loads(Path("tests/vectors/jadejack.json").read_text(encoding="utf-8"))


def test_lower_levels_start_without_what_the_upper_ones_compile():
    subprocess.run([sys.executable, "-c", STARTS], check=True)


def searched(position):
    filled = disks(position) / position.size**2
    return search_of(position, table_for(filled), judge(None, filled))


def legal_squares(search):
    board, side, centre = search.board, search.counts[kernels.SIDE], search.geometry.centre
    is_first = search.counts[kernels.DISKS] == 0
    size = int(board.shape[1] ** 0.5)
    return [
        name
        for square, name in enumerate(names(size))
        if kernels.is_legal(square, side, board, is_first, centre)
    ]


def assert_same(search, position):
    """The position of a search is that of the rules, and its value is the sum of its squares."""
    assert (search.board == board_of(position)).all()
    stored = search_of(position, search.table, search.judge).counts
    assert (search.counts == stored).all()
    if JADEJACK.side_to_move(position) is not None:
        assert [*legal_squares(search), PASS] == JADEJACK.legal_moves(position)


def play(move, search, ply=0):
    size = int(search.board.shape[1] ** 0.5)
    kernels.make(kernels.PASS if move == PASS else locate(move, size), ply, search)


@pytest.mark.parametrize("game", VECTORS["games"], ids=lambda game: f"size-{game['size']}")
def test_kernels_agree_with_the_vectors(game):
    position = JADEJACK.initial({"size": game["size"]})
    search = searched(position)
    for move in game["moves"]:
        position = JADEJACK.play(position, move)
        play(move, search)
        assert_same(search, position)


@given(reached_positions() | any_positions())
def test_kernels_play_every_move_like_the_rules_and_take_it_back(position):
    if JADEJACK.side_to_move(position) is None:
        return
    search = searched(position)
    for move in JADEJACK.legal_moves(position)[:: max(1, len(position.stacks) // 12)]:
        play(move, search)
        assert_same(search, JADEJACK.play(position, move))
        square = kernels.PASS if move == PASS else locate(move, position.size)
        kernels.unmake(square, position.passes, 0, search)
        assert_same(search, position)
        assert search.key[0] == 0


@given(reached_positions() | any_positions())
def test_the_hash_of_a_position_does_not_depend_on_the_order_of_moves(position):
    search = searched(position)
    moves = [move for move in JADEJACK.legal_moves(position) if move != PASS][:3]
    found = set()
    for order in permutations(moves):
        for ply, move in enumerate(order):
            search.counts[kernels.SIDE] = position.side is Side.WHITE  # one side makes all of them
            play(move, search, ply)
        found.add((search.board.tobytes(), int(search.key[0])))
        for ply, move in reversed([*enumerate(order)]):
            kernels.unmake(locate(move, position.size), position.passes, ply, search)
    boards, keys = {board for board, _ in found}, {key for _, key in found}
    assert len(boards) == len(keys) == len(found)


@given(reached_positions() | any_positions())
def test_an_evaluation_is_the_sum_of_what_the_squares_are_worth(position):
    value = int(searched(position).counts[kernels.VALUE])
    assert sum(expected(position)) - position.komi == pytest.approx(value / kernels.POINT)


@given(reached_positions() | any_positions())
def test_kernels_count_territory_and_strength_like_the_rules(position):
    score = JADEJACK.score(position)
    board = board_of(position)
    assert kernels.territory(board) == score["black"] - score["white"] + position.komi
    black, white = strengths(position)
    assert board[kernels.LEAD].tolist() == [ours - theirs for ours, theirs in zip(black, white, strict=True)]


@settings(max_examples=cases(25))
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
        assert choice.ranking[0].points == JADEJACK.score(JADEJACK.parse(position))["black"] - 1.5


@pytest.mark.parametrize("komi", [-11, 7, 20])
@pytest.mark.parametrize("passes", [0, 1])
def test_the_search_takes_another_komi_into_account(komi, passes):
    position = JADEJACK.parse(f"8/8/8/8/8/2b5/5w2/8 b {passes}")
    other = replace(position, whole_komi=komi)
    usual, changed = (searched(each).counts[kernels.VALUE] for each in (position, other))
    assert changed - usual == (1 - komi) * kernels.POINT
    skill = SelectiveSkill(1, 10_000, width=ALL_MOVES)
    [passed] = [each.points for each in choose(other, skill, 1, seconds=60).ranking if each.move == PASS]
    if passes:  # another pass ends the game: these are the points
        score = JADEJACK.score(other)
        assert passed == score["black"] - score["white"]
    else:
        [before] = [
            each.points for each in choose(position, skill, 1, seconds=60).ranking if each.move == PASS
        ]
        assert passed - before == pytest.approx(1 - komi)


def test_who_cannot_catch_up_a_komi_is_lost():
    text = "bbbbbbbb/wwwwwwww/bbbbbbbb/wwwwwwww/8/8/8/8 b 0"
    assert [is_lost(JADEJACK.parse(f"{text}{komi}")) for komi in ("", " 20.5", " -10.5")] == [
        False,
        True,
        False,
    ]


@settings(max_examples=cases(25))
@given(reached_positions())
def test_a_losing_pass_ranks_first_only_where_no_placement_gains_points(position):
    if JADEJACK.side_to_move(position) is None:
        return
    choice = choose(position, SelectiveSkill(2, 10_000, width=8), 1, seconds=60)
    over = JADEJACK.play(position, PASS)
    if position.passes and choice.move == PASS and JADEJACK.outcome(over).winner != position.side:
        assert all(
            lead(JADEJACK.play(position, move), position.side) <= lead(position, position.side)
            for move in JADEJACK.legal_moves(position)
            if move != PASS
        )


def lead(position, side):
    score = JADEJACK.score(position)
    return score["black"] - score["white"] if side is Side.BLACK else score["white"] - score["black"]


def test_it_passes_in_lost_games_where_nothing_is_to_be_gained():
    black, white = "(bbbbbb)", "(wwwwww)"
    rows = [(black + white) * 4] * 6 + [f"{black}(bb){(white + black) * 3}", f"1{white}{(black + white) * 3}"]
    position = JADEJACK.parse(f"{'/'.join(rows)} b 1")
    assert lead(position, Side.BLACK) < 0
    assert len(JADEJACK.legal_moves(position)) > 1
    for level in (5, 8):
        assert choose(position, replace(LEVELS[level], noise=0), 1, seconds=60).move == PASS


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
    assert may_pass == (not LEVELS[level].plays_on)
    black, white = "(bbbbbb)", "(wwwwww)"
    full_row, first_row = (black + white) * 4, "1" + (white + black) * 3 + white
    settled = JADEJACK.parse(f"{'/'.join([full_row] * 7)}/{first_row} b 1")
    assert any(choice.move == PASS for choice in choose(settled, LEVELS[level], 1).ranking)


def test_a_full_width_search_equals_exhaustive_minimax():
    """At two plies, the value of a move is the worst evaluation after any reply."""
    position = JADEJACK.parse("8/8/2w5/3b4/8/2(bw)2b2/8/8 b 0")
    skill = SelectiveSkill(2, 1_000_000, width=ALL_MOVES)
    best = choose(position, skill, 1, seconds=60).ranking[0]
    table, network = table_for(5 / 64), judge(stored(), 5 / 64)

    def value(move):
        after = JADEJACK.play(position, move)
        replies = [JADEJACK.play(after, reply) for reply in JADEJACK.legal_moves(after) if reply != PASS]
        worst = min(int(search_of(reply, table, network).counts[kernels.VALUE]) for reply in replies)
        return worst - int(kernels.judged(search_of(after, table, network)))

    values = {move: value(move) for move in JADEJACK.legal_moves(position)}
    several = choose(position, SelectiveSkill(2, 1_000_000, width=ALL_MOVES, lines=4), 1, seconds=60).ranking[
        :4
    ]
    assert [values[line.move] for line in several] == sorted(values.values(), reverse=True)[:4]
    assert [round(line.points * kernels.POINT) for line in several] == [values[line.move] for line in several]
    assert values[best.move] == max(values.values()) == round(best.points * kernels.POINT)


def test_one_ply_with_insight_beats_the_plain_player():
    """A quick check: `benchmarks/levels.py` plays hundreds of games at each level."""
    skill = SelectiveSkill(1, 50_000, width=ALL_MOVES)
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
                move = choose(position, skill, seed, seconds=60).move
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
