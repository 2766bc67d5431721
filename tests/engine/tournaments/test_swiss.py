"""Swiss pairing: compared with all pairings of up to 10 players, and in whole tournaments of up to 600."""

import random
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.tournaments import swiss
from engine.tournaments.pairings import Pairing, PairingOutcome, seats_of
from engine.tournaments.seats import MOST_APART
from engine.tournaments.swiss import Entrant, costs, pair
from tests.support.effort import cases

BYE = -1


def total(figures, pairs):
    return tuple(map(sum, zip(*(figures[pair] for pair in pairs), strict=True)))


def least_total(figures, count):
    """The least total cost of all pairings of so many places; with an odd number, one of them has a bye."""

    @cache
    def least(left):
        first, *rest = left
        totals = []
        for partner in [*rest, BYE] if len(left) % 2 else rest:
            others = tuple(place for place in rest if place != partner)
            cost = figures[first, partner]
            totals.append(tuple(map(sum, zip(cost, least(others), strict=True))) if others else cost)
        return min(totals)

    return least(tuple(range(count)))


@st.composite
def fields(draw):
    count = draw(st.integers(2, 8))
    met = {one: set() for one in range(count)}
    for one, other in draw(st.lists(st.tuples(*[st.integers(0, count - 1)] * 2), max_size=14)):
        if one != other:
            met[one].add(other)
            met[other].add(one)
    return [
        Entrant(
            one,
            draw(st.integers(0, 6)) / 2,
            draw(st.integers(1200, 1203)),
            frozenset(met[one]),
            tuple(draw(st.lists(st.integers(0, 1), max_size=4))),
            draw(st.booleans()),
        )
        for one in range(count)
    ]


def crowded_field(seed):
    """Ten players of nearly equal points, most of whom have met: few of the cheap pairs are left."""
    chance, met = random.Random(seed), {one: set() for one in range(10)}
    for one, other in combinations(met, 2):
        if chance.random() < 0.8:
            met[one].add(other)
            met[other].add(one)
    return [
        Entrant(one, chance.randint(0, 2) / 2, 0, frozenset(met[one]), chance.choice([(), (0,), (1,)]))
        for one in met
    ]


def assert_no_other_pairing_is_better(entrants):
    ranked = sorted(entrants, key=lambda entrant: (-entrant.points, -entrant.rating, entrant.id))
    places = {entrant.id: place for place, entrant in enumerate(ranked)}
    pairs = [
        (places[one], BYE) if other is None else tuple(sorted((places[one], places[other])))
        for one, other in pair(entrants)
    ]
    assert sorted(place for each in pairs for place in each if place != BYE) == list(range(len(ranked)))
    figures = costs(ranked)
    assert total(figures, pairs) == least_total(figures, len(ranked))


@given(fields())
@settings(max_examples=cases(150), deadline=None)
def test_no_other_pairing_is_better(entrants):
    assert_no_other_pairing_is_better(entrants)


@pytest.mark.parametrize("seed", range(150))
def test_no_other_pairing_is_better_when_most_have_met(seed):
    assert_no_other_pairing_is_better(crowded_field(seed))


def entrants_after(players, pairings):
    return [
        Entrant(
            player,
            sum(each.points_of(player) for each in pairings if player in each.players),
            2000 - player,
            frozenset(
                each.opponent_of(player) for each in pairings if player in each.players and not each.is_bye
            ),
            seats_of(player, pairings),
            any(each.is_bye and each.first == player for each in pairings),
        )
        for player in players
    ]


def play(count, rounds, seed):
    """Play a Swiss tournament in which the stronger player usually wins, and return its pairings."""
    chance, pairings = random.Random(seed), []
    for number in range(1, rounds + 1):
        for first, second in pair(entrants_after(range(count), pairings)):
            outcome = PairingOutcome.FIRST
            if second is not None:
                favoured = PairingOutcome.FIRST if first < second else PairingOutcome.SECOND
                outcome = chance.choice([favoured, favoured, favoured, *PairingOutcome][:6])
            pairings.append(Pairing(number, first, second, outcome))
    return pairings


@pytest.mark.parametrize(
    ("count", "rounds", "seed"), [(9, 5, 1), (20, 6, 2), (33, 7, 3), (64, 6, 4), (200, 3, 5), (600, 5, 6)]
)
def test_a_whole_tournament_obeys_the_rules(count, rounds, seed):
    pairings = play(count, rounds, seed)
    met = [frozenset(each.players) for each in pairings if not each.is_bye]
    assert len(met) == len(set(met)), "nobody meets the same opponent twice"
    byes = [each.first for each in pairings if each.is_bye]
    assert len(byes) == len(set(byes)) == rounds * (count % 2)
    for player in range(count):
        assert sum(player in each.players for each in pairings) == rounds
        seats = seats_of(player, pairings)
        assert abs(len(seats) - 2 * sum(seats)) <= MOST_APART
        assert not any(seats[at] == seats[at + 1] == seats[at + 2] for at in range(len(seats) - 2))


def test_everybody_meets_everybody_before_anybody_meets_twice():
    met = [frozenset(each.players) for each in play(6, 5, 1)]
    assert len(set(met)) == len(met) == 15
    assert len(play(6, 6, 1)) == 18  # then a repeat cannot be avoided, and the round is paired all the same


def test_the_upper_half_of_a_score_group_meets_the_lower_one():
    entrants = [Entrant(player, rating=2000 - player) for player in range(8)]
    assert [set(each) for each in pair(entrants)] == [{0, 4}, {1, 5}, {2, 6}, {3, 7}]


def test_the_upper_half_moves_first_on_every_other_board_of_the_first_round():
    entrants = [Entrant(player, rating=2000 - player) for player in range(8)]
    assert [first for first, _ in pair(entrants)] == [0, 5, 2, 7]


def test_the_bye_goes_to_the_lowest_player_who_had_none():
    entrants = [Entrant(1, 2), Entrant(2, 1), Entrant(3, 1), Entrant(4, 0), Entrant(5, 0, had_bye=True)]
    assert pair(entrants)[-1] == (4, None)


def test_few_players():
    assert pair([]) == []
    assert pair([Entrant(7)]) == [(7, None)]


def test_a_far_opponent_is_found_if_all_near_ones_were_met(monkeypatch):
    monkeypatch.setattr(swiss, "_BLOCK", 5)
    monkeypatch.setattr(swiss, "_CANDIDATES", 1)
    field = [Entrant(one, 9 - one, opponents=frozenset(range(6)) - {one, 5 - one}) for one in range(6)]
    assert {frozenset(each) for each in pair(field)} == {frozenset({one, 5 - one}) for one in range(3)}
