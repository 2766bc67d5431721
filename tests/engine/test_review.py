"""Reviews of games: losses, accuracy, and the turning point."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.jadejack import JADEJACK
from engine.jumping_farther import JUMPING_FARTHER, JUMPING_SOLITAIRE
from engine.review import Evaluation, chance, review
from engine.search.solitaire import best_line
from engine.solo_review import Line
from engine.solo_review import review as solo_review
from engine.up_and_up import UP_AND_UP

MOVES = ["a1", "h8", "b1", "g8"]


def line(rules, options, moves):
    positions = [rules.initial(options)]
    for move in moves:
        positions.append(rules.play(positions[-1], move))
    return positions


POSITIONS = line(JADEJACK, {"size": 8}, MOVES)


def evaluation(points, played=None, best="c3", *, is_exact=True):
    return Evaluation(best, points, played, is_exact)


def reviewed(*evaluations):
    return review(JADEJACK, POSITIONS, MOVES, dict(enumerate(evaluations)))


def test_a_move_loses_what_the_best_one_is_better_by():
    found = reviewed(
        *[evaluation(2, 2), evaluation(-2, -5), evaluation(5, 4), evaluation(-4, -4), evaluation(4)]
    )
    assert [move.loss for move in found.moves] == [0, 3, 1, 0]
    assert [(move.ply, move.side, move.best) for move in found.moves][:2] == [
        (1, "black", "c3"),
        (2, "white", "c3"),
    ]
    assert found.average_loss("white") == 1.5
    assert [move.ply for move in found.costliest()] == [2, 3]


def test_a_move_beyond_those_compared_is_worth_no_more_than_the_last_of_them_and_the_reply():
    start, later = evaluation(3, 1, is_exact=False), evaluation(0, 0)
    assert reviewed(start, later, later, later, later).moves[0].loss == 3  # White is even after it
    good = evaluation(-2, -2)
    assert reviewed(start, good, later, later, later).moves[0].loss == 2  # at most 1, though it looks like 2


def test_the_lead_is_that_of_the_first_side_and_the_mean_of_two_searches():
    found = reviewed(
        *[evaluation(2, 1), evaluation(-3, -3), evaluation(3, 3), evaluation(-3, -3), evaluation(3)]
    )
    assert found.start == 2
    assert found.moves[0].lead == 2  # Black's 1 before the move, 3 after it
    assert found.moves[1].lead == 3


def test_the_turning_point_is_the_move_after_which_the_winner_stayed_ahead():
    found = reviewed(
        evaluation(-1, -1), evaluation(1, -4), evaluation(4, 4), evaluation(-4, -4), evaluation(4)
    )
    assert found.turning_point().ply == 2
    ahead = reviewed(
        *[evaluation(1, 1), evaluation(-1, -1), evaluation(1, 1), evaluation(-1, -1), evaluation(1)]
    )
    assert ahead.turning_point() is None


def test_the_end_counts_by_the_score_in_a_game_that_is_played_out():
    moves, position = [], JUMPING_FARTHER.initial({"size": 3, "rounds": 1})
    while legal := JUMPING_FARTHER.legal_moves(position):
        moves.append(legal[0])
        position = JUMPING_FARTHER.play(position, legal[0])
    positions = line(JUMPING_FARTHER, {"size": 3, "rounds": 1}, moves)
    found = review(JUMPING_FARTHER, positions, moves, {ply: evaluation(0, 0) for ply in range(len(moves))})
    score = JUMPING_FARTHER.score(positions[-1])
    assert found.moves[-1].lead == score["first"] - score["second"]


points = st.floats(-60, 60, allow_nan=False)


@given(st.lists(st.tuples(points, points, st.booleans()), min_size=5, max_size=5))
def test_no_move_gains_and_accuracies_are_between_0_and_100(values):
    evaluations = [
        evaluation(max(best, played), played, is_exact=is_exact) for best, played, is_exact in values
    ]
    found = reviewed(*evaluations)
    assert all(move.loss >= 0 and move.chance_lost >= -1e-9 for move in found.moves)
    for side in JADEJACK.sides:
        assert 0 <= found.accuracy(side) <= 100


@given(points)
def test_chances_add_up_to_a_hundred(lead):
    assert chance(POSITIONS[0], lead) + chance(POSITIONS[0], -lead) == pytest.approx(100)
    assert 0 <= chance(POSITIONS[0], lead) <= 100


@pytest.mark.parametrize("rules", [JADEJACK, JUMPING_FARTHER], ids=lambda rules: rules.key)
def test_a_move_that_loses_half_of_the_scale_has_an_accuracy_of_50(rules):
    positions = line(rules, {"size": 8}, ["a1", "h8"])
    half = review(rules, positions[:1], [], {0: evaluation(0)}).half
    lead = next(lead / 1000 for lead in range(6000) if chance(positions[0], lead / 1000) >= 50 + half / 2)
    evaluations = {0: evaluation(lead, -lead), 1: evaluation(lead, lead), 2: evaluation(-lead, -lead)}
    found = review(rules, positions, ["a1", "h8"], evaluations)
    assert [move.chance_lost for move in found.moves] == [pytest.approx(half, abs=0.2), 0]
    assert found.accuracy(rules.sides[0]) == pytest.approx(50, abs=1)
    assert found.accuracy(rules.sides[1]) == 100


def test_a_lead_in_a_round_of_a_match_decides_nothing_while_another_is_to_come():
    (earlier,) = line(JUMPING_FARTHER, {"size": 3, "rounds": 2}, [])
    squares = ["a1", "b1", "c1", "c2", "b2", "a2", "a3", "b3", "c3"]
    *_, last = line(JUMPING_FARTHER, {"size": 3, "rounds": 2}, squares)
    (single,) = line(JUMPING_FARTHER, {"size": 3, "rounds": 1}, [])
    assert (earlier.rounds_to_come, last.rounds_to_come, single.rounds_to_come) == (1, 0, 0)
    for lead in (1, 4, 12):
        assert 50 < chance(earlier, lead) < chance(last, lead) == chance(single, lead)
    found = review(JUMPING_FARTHER, [earlier] * 2, ["a1"], {0: evaluation(12, 9), 1: evaluation(-9)})
    assert found.moves[0].is_costly


def test_a_move_of_a_decided_game_says_little_of_how_well_a_side_played():
    even, decided = evaluation(0, 0), evaluation(30, 10)
    found = reviewed(even, even, decided, even, even)
    assert [move.openness for move in found.moves] == [1, 1, pytest.approx(0, abs=0.01), 1]
    assert found.moves[2].chance_lost > 0
    assert found.accuracy("black") > 99


def test_points_of_a_decided_game_cost_nothing():
    decided, open_ = (evaluation(lead, lead - 10) for lead in (70, 4))
    found = reviewed(decided, evaluation(0, 0), open_, evaluation(0, 0), evaluation(0))
    assert [move.loss for move in found.moves] == [10, 0, 10, 0]
    assert [move.is_costly for move in found.moves] == [False, False, True, False]
    assert [move.ply for move in found.costliest()] == [3]


def test_in_a_game_for_one_a_move_gives_away_what_was_within_reach():
    found = solo_review(["a", "b", "c"], 7, {0: Line(["a", "x"], 10), 1: Line(["b"], 8), 2: Line(["z"], 9)})
    assert [move.lead for move in found.moves] == [10, 9, 7]  # the line of ply 0 is still there at ply 1
    assert [move.loss for move in found.moves] == [0, 1, 2]
    assert [move.best for move in found.moves] == ["a", "x", "z"]
    assert [move.ply for move in found.costliest()] == [3, 2]
    assert found.turning_point() is None
    assert 70 < found.accuracy("solo") < 80


def test_what_was_played_counts_as_found():
    found = solo_review(["a", "b"], 5, {0: Line(["x"], 3), 1: Line(["y"], 5)})
    assert found.start == 5
    assert [(move.best, move.loss) for move in found.moves] == [("a", 0), ("b", 0)]


@pytest.mark.parametrize("rules", [UP_AND_UP, JUMPING_SOLITAIRE])
def test_a_good_line_of_a_game_for_one_is_legal_and_better_than_chance(rules):
    position = rules.initial({"size": 6})
    for _ in range(8):
        position = rules.play(position, rules.legal_moves(position)[0])
    found = best_line(rules, position)
    assert found.result == rules.score(replayed(rules, position, found.moves))["solo"]
    first = position
    while moves := rules.legal_moves(first):
        first = rules.play(first, moves[0])
    assert found.result > rules.score(first)["solo"]


def test_a_game_for_one_without_a_search_is_reviewed_by_the_score_after_each_move():
    rules = type(JUMPING_SOLITAIRE)()
    position = rules.initial({"size": 4})
    found = best_line(rules, position)
    end = replayed(rules, position, found.moves)
    assert rules.side_to_move(end) is None
    assert found.result == rules.score(end)["solo"] > 0


def replayed(rules, position, moves):
    for move in moves:
        position = rules.play(position, move)
    return position
