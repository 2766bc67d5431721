"""Matches between programs: pairs of games, results with intervals, and when a match ends."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.registry import FOR_TWO
from engine.search.match import Game, Match, chooser, elo, result_of

pytestmark = pytest.mark.usefixtures("compiled_searches")

SMALL = {"jadejack": {"size": 8}, "jumping_farther": {"size": 4}}


def games(*points):
    return [Game(each, 10, (1.0, 2.0), (5, 5)) for each in points]


def simulated(share, pairs, seed):
    """Return games of a program that wins this share of them."""
    generator = random.Random(seed)
    return games(*(float(generator.random() < share) for _ in range(2 * pairs)))


@pytest.mark.parametrize("game", FOR_TWO)
def test_both_programs_have_both_sides_of_each_opening(game, monkeypatch):
    rules, seen = FOR_TWO[game], []

    def recording(game, program):
        def choose(position, seed):
            seen.append((program, rules.side_to_move(position), rules.format(position)))
            return rules.legal_moves(position)[0]

        return choose

    monkeypatch.setattr("engine.search.match.chooser", recording)
    Match(game, SMALL[game], "one", "two", seed=3).pair(0)
    sides = {(program, side) for program, side, _ in seen}
    assert sides == {(program, side) for program in ("one", "two") for side in rules.sides}
    openings = {position for program, side, position in seen if position == seen[0][2]}
    assert sum(position in openings for _, _, position in seen) == 2


@pytest.mark.parametrize("game", FOR_TWO)
def test_a_program_scores_half_against_itself(game):
    (result,) = Match(game, SMALL[game], "plain", "plain", opening=20).results(2)
    assert result.games == 2
    low, high = result.interval
    assert 0 <= low <= 0.5 <= high <= 1


def test_a_match_is_the_same_with_any_number_of_jobs():
    match = Match("jumping_farther", {"size": 4}, "2", "plain", scores=(0.4, 0.5))
    alone, together = (list(match.results(40, jobs)) for jobs in (1, 2))
    assert [(each.games, each.points, each.verdict) for each in alone] == [
        (each.games, each.points, each.verdict) for each in together
    ]


def test_the_changes_of_a_skill_are_those_of_its_members():
    one = Match("jadejack", {"size": 8}, "8:depth=1,budget=1000,noise=0", "5").pair(0)
    assert all(each.seconds[0] < 5 for each in one)
    chooser("jadejack", "8:seconds=0.5,width=3")


@pytest.mark.parametrize("program", ["", "level", "99", "8:depth", "8:depth=x", "8:colour=1", "plain:", "0"])
@pytest.mark.parametrize("game", FOR_TWO)
def test_a_program_that_is_none_is_named(game, program):
    with pytest.raises(ValueError, match="is no program"):
        list(Match(game, {}, "plain", program).results(2))


@given(
    st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=60).filter(
        lambda each: len(each) % 2 == 0
    )
)
def test_intervals_hold_the_result_and_have_a_width(points):
    result = result_of(games(*points), None)
    low, high = result.interval
    assert 0 <= low < high <= 1
    assert low <= (sum(points) + 2) / (len(points) + 4) <= high
    assert result.points == sum(points) / len(points)
    assert result.verdict is None
    swapped = result_of(games(*(1 - each for each in points)), None)
    assert swapped.interval == pytest.approx((1 - high, 1 - low))


def test_intervals_hold_the_truth_as_often_as_they_say():
    held = 0
    for seed, share in itertools.product(range(200), (0.5, 0.7, 0.9)):
        low, high = result_of(simulated(share, 50, seed), None).interval
        held += low <= share <= high
    assert held / 600 > 0.92


@pytest.mark.parametrize(("share", "verdict"), [(0.5, 0.5), (0.6, 0.6), (0.4, 0.5), (0.75, 0.6)])
def test_a_test_ends_with_the_truth_nearly_always(share, verdict):
    right = 0
    for seed in range(100):
        played = simulated(share, 1_000, seed)
        verdicts = (result_of(played[: 2 * pairs], (0.5, 0.6)).verdict for pairs in range(1, 1_001))
        right += next(each for each in verdicts if each is not None) == verdict
    assert right >= 88


@given(st.floats(0, 1))
def test_strength_is_symmetric(points):
    assert elo(points) == pytest.approx(-elo(1 - points))
