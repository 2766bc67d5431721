"""Ladders: who may challenge whom, and how the order changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tournaments.ladder import (
    DROP,
    REACH,
    Obstacle,
    OpenChallenge,
    after_inactivity,
    after_win,
    obstacle,
    without,
)

TEN = tuple(range(1, 11))  # each player is on the place of the same number
orders = st.permutations(range(12)).map(tuple)
players = st.integers(0, 11)


def test_a_winner_from_below_takes_the_place_and_those_between_move_down():
    assert after_win(TEN, winner=7, loser=4) == (1, 2, 3, 7, 4, 5, 6, 8, 9, 10)


def test_a_defended_place_and_a_win_over_somebody_who_has_left_change_nothing():
    assert after_win(TEN, winner=4, loser=7) == TEN
    assert after_win(TEN, winner=7, loser=11) == TEN
    assert after_win(TEN, winner=11, loser=7) == TEN


def test_an_inactive_player_drops_and_those_who_are_passed_move_up():
    assert after_inactivity(TEN, 2) == (1, 3, 4, 5, 6, 7, 2, 8, 9, 10)
    assert after_inactivity(TEN, 9) == (1, 2, 3, 4, 5, 6, 7, 8, 10, 9)


@pytest.mark.parametrize(
    ("challenger", "defender", "challenges", "expected"),
    [
        (8, 3, [], None),
        (8, 2, [], Obstacle.TOO_FAR),
        (8, 9, [], Obstacle.BELOW),
        (8, 8, [], Obstacle.BELOW),
        (8, 6, [(8, 7)], Obstacle.CHALLENGING),
        (8, 6, [(9, 6), (10, 6)], None),
        (8, 6, [(6, 8)], Obstacle.PAIRED),
        (8, 6, [(9, 8), (6, 5)], None),  # both may have a challenge the other way
    ],
)
def test_who_may_challenge_whom(challenger, defender, challenges, expected):
    challenges = [OpenChallenge(*pair) for pair in challenges]
    assert obstacle(TEN, challenger, defender, challenges) == expected


@given(orders, players, players)
def test_a_win_moves_nobody_but_the_winner_past_others(order, winner, loser):
    after = after_win(order, winner, loser)
    assert without(after, winner) == without(order, winner)
    assert after.index(winner) == min(order.index(winner), order.index(loser))
    assert all(0 <= after.index(each) - order.index(each) <= 1 for each in order if each != winner)


@given(orders, players)
def test_inactivity_moves_nobody_but_the_inactive_player_past_others(order, player):
    after = after_inactivity(order, player)
    assert without(after, player) == without(order, player)
    assert after.index(player) == min(order.index(player) + DROP, len(order) - 1)


@given(orders, st.lists(st.tuples(players, players), max_size=30))
def test_whatever_challenges_are_allowed_each_player_has_made_one(order, attempts):
    challenges = []
    for challenger, defender in attempts:
        if obstacle(order, challenger, defender, challenges) is None:
            assert 0 < order.index(challenger) - order.index(defender) <= REACH
            challenges.append(OpenChallenge(challenger, defender))
    assert len({each.challenger for each in challenges}) == len(challenges)
    assert len({frozenset((each.challenger, each.defender)) for each in challenges}) == len(challenges)


@given(orders, players, st.lists(st.tuples(players, players), max_size=30))
def test_nobody_keeps_a_player_from_being_challenged_by_others(order, player, attempts):
    """Whatever the others do, also together, a player in reach may challenge who plays no game with them."""
    challenges = []
    for challenger, defender in attempts:
        if obstacle(order, challenger, defender, challenges) is None:
            challenges.append(OpenChallenge(challenger, defender))
    own = [each for each in challenges if player in (each.challenger, each.defender)]
    for other in order:
        assert obstacle(order, player, other, challenges) == obstacle(order, player, other, own)
