"""Ratings: the worked example of Glickman's paper, and properties of all updates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.glicko2 import MAX_DEVIATION, MIN_DEVIATION, PERIODS_PER_DAY, SCALE, Rating, rate

ratings = st.builds(
    Rating, st.floats(400, 3000), st.floats(MIN_DEVIATION, MAX_DEVIATION), st.floats(0.03, 0.1)
)


def test_the_worked_example_of_the_paper():
    player = Rating(1500, 200, 0.06)
    results = [(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)]
    after = rate(player, results, tau=0.5)
    mu, phi = (after.rating - 1500) / SCALE, after.deviation / SCALE
    assert (f"{mu:.4f}", f"{phi:.4f}") == ("-0.2069", "0.8722")
    # The paper converts back from the four printed digits.
    assert f"{1500 + SCALE * round(mu, 4):.2f}" == "1464.06"
    assert f"{after.deviation:.2f}" == "151.52"
    assert f"{after.volatility:.9f}".startswith("0.05999")  # 0.059996, truncated in print


@given(ratings, ratings, st.floats(0, 100))
def test_wins_raise_and_losses_lower_the_rating_within_bounds(player, opponent, periods):
    won, drawn, lost = (rate(player, [(opponent, points)], periods=periods) for points in (1, 0.5, 0))
    assert lost.rating < drawn.rating < won.rating
    assert lost.rating < player.rating < won.rating
    for after in (won, drawn, lost):
        assert MIN_DEVIATION <= after.deviation <= MAX_DEVIATION
        assert 0 < after.volatility < 1


@given(ratings, ratings)
def test_a_win_and_a_loss_against_an_equal_are_symmetric(player, opponent):
    equal = Rating(player.rating, opponent.deviation, opponent.volatility)
    won, lost = (rate(player, [(equal, points)]) for points in (1, 0))
    assert won.rating - player.rating == pytest.approx(player.rating - lost.rating)


@given(ratings, st.floats(0, 1000), st.floats(0, 1000))
def test_inactivity_raises_the_deviation_additively(player, first, second):
    later = player.after(first).after(second)
    assert later.rating == player.rating
    assert later.deviation >= player.deviation or later.deviation == MAX_DEVIATION
    assert later.deviation == pytest.approx(player.after(first + second).deviation)


def test_an_established_rating_lasts_about_a_year():
    established = Rating(1700, MIN_DEVIATION)
    assert not established.after(330 * PERIODS_PER_DAY).is_provisional
    assert established.after(400 * PERIODS_PER_DAY).is_provisional


def test_a_new_rating_is_provisional_for_5_to_20_games():
    player, games = Rating(), 0
    while player.is_provisional:
        player, games = rate(player, [(Rating(1500, 60), games % 2)], periods=0.01), games + 1
    assert 5 <= games <= 20
