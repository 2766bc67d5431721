"""The ranking of Golden Nugget entries."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.golden_nugget.board import MAX_BOARDS, MIN_BOARDS, MOVE_LIMIT
from engine.golden_nugget.ranking import Mean, best_prefix, mean_of, ranking_key, tie_break

boards = st.integers(1, MAX_BOARDS)
means = boards.flatmap(lambda count: st.builds(Mean, st.integers(0, MOVE_LIMIT * count), st.just(count)))


@pytest.mark.parametrize(
    ("moves", "boards", "text"),
    [
        (712, 20, "35.60"),
        (800, 20, "40.00"),
        (8000, 200, "40.00"),
        (1, 200, "0.01"),  # 0.005 is rounded half up
        (3, 200, "0.02"),  # 0.015 is not a binary fraction
        (803, 200, "4.02"),  # 4.015
        (100, 3, "33.33"),
        (200, 3, "66.67"),
        (19_800, 200, "99.00"),
        (1999, 20, "99.95"),
    ],
)
def test_a_mean_as_text(moves, boards, text):
    assert Mean(moves, boards).text == text
    assert Mean(moves, boards).as_json() == {"moves": moves, "boards": boards, "text": text}


@given(means)
def test_the_text_is_the_mean_rounded_half_up(mean):
    assert Fraction(mean.text) == Fraction((100 * mean.exact + Fraction(1, 2)).__floor__(), 100)


def test_equal_means_of_different_lengths():
    assert Mean(800, 20) == Mean(8000, 200)
    assert len({Mean(800, 20), Mean(8000, 200), Mean(801, 20)}) == 2
    assert Mean(800, 20) != 40
    assert Mean(799, 20) < Mean(8000, 200) < Mean(801, 20)


@given(means, means)
def test_keys_order_means_exactly(mean, other):
    assert (mean.key < other.key) == (mean < other) == (mean.exact < other.exact)
    assert (mean.key == other.key) == (mean == other) == (mean.exact == other.exact)


def test_keys_separate_all_neighbours():
    # All fractions from 0 to 1 with denominators up to 200, in order: neighbours have different keys.
    fractions = sorted({Fraction(moves, count) for count in range(1, 201) for moves in range(count + 1)})
    keys = [Mean(fraction.numerator, fraction.denominator).key for fraction in fractions]
    assert all(low < high for low, high in pairwise(keys))
    assert Mean(MOVE_LIMIT * MAX_BOARDS, MAX_BOARDS).key < 2**31


def test_the_order_of_the_rules():
    best_first = [
        [39] * 20,  # the smaller mean
        [40] * 200,  # equal mean, more boards
        [40] * 19 + [41, 39],  # fewer moves on the last board
        [41] + [40] * 18 + [39, 40],  # or else on the one before it
        [40] * 18 + [41, 39, 40],  # or else on the one before that
        [40] * 21,
        [40] * 20,
        [*[40] * 19, 41],
        [41] * 200,
    ]
    assert all(ranking_key(better) < ranking_key(worse) for better, worse in pairwise(best_first))
    assert tie_break([1, 2, 3]) == (3, 2, 1)


def test_the_ranking_key_agrees_with_a_naive_one():
    generator = random.Random(7)
    entries = []
    for _ in range(3000):
        count = generator.choice([20, 20, 21, 40, 200])
        counts = [generator.choice([39, 40, 41]) if generator.random() < 0.1 else 40 for _ in range(count)]
        if generator.random() < 0.7:  # often exactly the same mean
            counts[generator.randrange(count)] += 40 * count - sum(counts)
        entries.append(counts)

    def naive(counts):
        return (Fraction(sum(counts), len(counts)), -len(counts), list(reversed(counts)))

    assert sorted(entries, key=ranking_key) == sorted(entries, key=naive)
    assert len({mean_of(counts) for counts in entries}) < len(entries) / 2
    assert any(naive(a) == naive(b) for a, b in pairwise(sorted(entries, key=naive)))


@pytest.mark.parametrize(
    ("counts", "best"),
    [
        ([], None),
        ([40] * 19, None),
        ([40] * 20, 20),
        ([40] * 21, 21),  # equal mean, more boards
        ([40] * 20 + [41], 20),
        ([40] * 20 + [41, 39], 22),  # worse at first, equal in the end
        ([40] * 20 + [41] * 180, 20),
        ([40] * 200 + [12], 200),  # the maximum of an entry
    ],
)
def test_the_best_prefix_of_a_run(counts, best):
    assert best_prefix(counts) == best


@given(st.lists(st.integers(38, 42), max_size=MAX_BOARDS + 5))
def test_no_prefix_ranks_better_than_the_best(counts):
    best = best_prefix(counts)
    if best is None:
        assert len(counts) < MIN_BOARDS
    else:
        assert MIN_BOARDS <= best <= min(len(counts), MAX_BOARDS)
        for length in range(MIN_BOARDS, min(len(counts), MAX_BOARDS) + 1):
            assert ranking_key(counts[:best]) <= ranking_key(counts[:length])
