"""Round robins and knock-outs."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tournaments import knock_out
from engine.tournaments.pairings import Pairing, PairingOutcome
from engine.tournaments.round_robin import groups, schedule

# FIDE Handbook C.05, Annex 1: "5 or 6 players"
BERGER_6 = """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
"""


def test_the_published_table_of_six_players():
    rounds = [" ".join(f"{one}-{other}" for one, other in pairs) for pairs in schedule(range(1, 7))]
    assert rounds == BERGER_6.split("\n")[1:-1]


@pytest.mark.parametrize("count", range(2, 17))
def test_everybody_meets_everybody_once_with_balanced_seats(count):
    rounds = schedule(range(count))
    met = sorted(tuple(sorted(pair)) for pairs in rounds for pair in pairs)
    assert met == list(combinations(range(count), 2))
    for pairs in rounds:
        players = [player for pair in pairs for player in pair]
        assert len(players) == len(set(players)) == count - count % 2
    for player in range(count):
        first = sum(one == player for pairs in rounds for one, _ in pairs)
        assert abs(2 * first - (count - 1)) <= 1
    double = schedule(range(count), is_double=True)
    assert sorted(pair for pairs in double for pair in pairs) == sorted(
        (one, other) for one in range(count) for other in range(count) if one != other
    )


def test_groups_are_of_equal_strength():
    assert groups(range(1, 10), 3) == [[1, 6, 7], [2, 5, 8], [3, 4, 9]]
    assert sorted(map(len, groups(range(11), 4))) == [2, 3, 3, 3]


def test_the_bracket_of_eight_and_of_five():
    assert knock_out.first_round(range(1, 9)) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    assert knock_out.first_round(range(1, 6)) == [(1, None), (4, 5), (2, None), (3, None)]
    assert knock_out.next_round([1, 4, 2, 3]) == [(1, 4), (2, 3)]


@pytest.mark.parametrize("players", [[], [5]])
def test_fewer_than_two_players_have_nothing_to_play(players):
    assert schedule(players) == schedule(players, is_double=True) == []
    assert knock_out.first_round(players) == knock_out.next_round(players) == []


@pytest.mark.parametrize(("players", "count"), [(3, 0), (3, -1), (3, 4), (0, 1)])
def test_no_group_is_empty(players, count):
    with pytest.raises(ValueError, match=f"{players} players cannot be dealt to {count} groups"):
        groups(range(players), count)


def test_an_odd_number_of_winners_has_no_next_round():
    with pytest.raises(ValueError, match="shorter"):
        knock_out.next_round([1, 2, 3])


@given(st.integers(2, 100))
def test_the_better_seeds_meet_late_and_only_they_are_free(count):
    matches, rounds = knock_out.first_round(range(count)), 0
    while len(matches) > 1:
        assert sum(other is None for _, other in matches) <= (0 if rounds else count)
        assert all(one < other for one, other in matches if other is not None)
        matches, rounds = knock_out.next_round([one for one, _ in matches]), rounds + 1
    assert matches == [(0, 1)]
    assert 2**rounds < count <= 2 ** (rounds + 1)


def games(*outcomes):
    return [
        Pairing(1, *knock_out.seated(1, 2, leg), outcome) for leg, outcome in enumerate(outcomes, start=1)
    ]


def test_a_match_ends_when_it_is_decided():
    first, second, draw = PairingOutcome.FIRST, PairingOutcome.SECOND, PairingOutcome.DRAW
    assert knock_out.winner(1, 2, [], 1) is None
    assert knock_out.winner(1, 2, games(first), 1) == 2  # the weaker seed moves first
    assert knock_out.winner(1, 2, games(second, first), 3) == 1
    assert knock_out.winner(1, 2, games(second, second), 3) is None
    assert knock_out.winner(1, 2, games(draw), 1) is None
    assert knock_out.winner(1, 2, games(draw, second), 1) == 2
    assert knock_out.winner(1, 2, games(draw, draw, draw), 1) == 1
    assert knock_out.winner(1, 2, games(PairingOutcome.NEITHER), 1) == 1
