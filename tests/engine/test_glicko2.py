"""Ratings: the worked example of Glickman's paper, and what must hold for all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.glicko2 import MAX_DEVIATION, MIN_DEVIATION, PERIODS_PER_DAY, SCALE, Rating, rate

ratings = st.builds(
    Rating, st.floats(400, 3000), st.floats(MIN_DEVIATION, MAX_DEVIATION), st.floats(0.03, 0.1)
)


def test_the_worked_example_to_its_printed_digits():
    player = Rating(1500, 200, 0.06)
    results = [(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)]
    after = rate(player, results, tau=0.5)
    mu, phi = (after.rating - 1500) / SCALE, after.deviation / SCALE
    assert (f"{mu:.4f}", f"{phi:.4f}") == ("-0.2069", "0.8722")
    # The paper goes back to its printed scale from these four digits.
    assert f"{1500 + SCALE * round(mu, 4):.2f}" == "1464.06"
    assert f"{after.deviation:.2f}" == "151.52"
    assert f"{after.volatility:.9f}".startswith("0.05999")  # 0.059996, printed cut off


@given(ratings, ratings, st.floats(0, 100))
def test_a_win_raises_a_loss_lowers_and_bounds_hold(player, opponent, periods):
    won, drawn, lost = (rate(player, [(opponent, points)], periods=periods) for points in (1, 0.5, 0))
    assert lost.rating < drawn.rating < won.rating
    assert lost.rating < player.rating < won.rating
    for after in (won, drawn, lost):
        assert MIN_DEVIATION <= after.deviation <= MAX_DEVIATION
        assert 0 < after.volatility < 1


@given(ratings, ratings)
def test_equals_gain_and_lose_alike(player, opponent):
    equal = Rating(player.rating, opponent.deviation, opponent.volatility)
    won, lost = (rate(player, [(equal, points)]) for points in (1, 0))
    assert won.rating - player.rating == pytest.approx(player.rating - lost.rating)


@given(ratings, st.floats(0, 1000), st.floats(0, 1000))
def test_time_alone_makes_uncertain_and_adds_up(player, first, second):
    later = player.after(first).after(second)
    assert later.rating == player.rating
    assert later.deviation >= player.deviation or later.deviation == MAX_DEVIATION
    assert later.deviation == pytest.approx(player.after(first + second).deviation)


def test_a_settled_rating_stays_so_for_about_a_year():
    settled = Rating(1700, MIN_DEVIATION)
    assert not settled.after(330 * PERIODS_PER_DAY).is_provisional
    assert settled.after(400 * PERIODS_PER_DAY).is_provisional


def test_a_newcomer_is_provisional_and_settles_by_playing():
    player, games = Rating(), 0
    while player.is_provisional:
        player, games = rate(player, [(Rating(1500, 60), games % 2)], periods=0.01), games + 1
    assert 5 <= games <= 20
