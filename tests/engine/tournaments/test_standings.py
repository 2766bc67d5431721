"""Points and tie-breaks, worked out by hand."""

import pytest

from engine.tournaments.pairings import Pairing, PairingOutcome
from engine.tournaments.standings import ROUND_ROBIN, SWISS, standings

FIRST, SECOND, DRAW, NEITHER = (
    PairingOutcome.FIRST,
    PairingOutcome.SECOND,
    PairingOutcome.DRAW,
    PairingOutcome.NEITHER,
)


def by_player(rows):
    return {row.player: (row.points, row.tie_breaks) for row in rows}


def test_the_tie_breaks_of_a_swiss_tournament():
    pairings = [
        Pairing(1, 1, 4, FIRST),
        Pairing(1, 2, 3, DRAW),
        Pairing(2, 2, 1, DRAW),
        Pairing(2, 4, 3, SECOND),
        Pairing(3, 1, 3, FIRST),
        Pairing(3, 4, 2, SECOND),
    ]
    rows = standings([1, 2, 3, 4], pairings, SWISS, rounds=3)
    assert [row.player for row in rows] == [1, 2, 3, 4]
    assert by_player(rows) == {
        # cut 1, Buchholz, Sonneborn-Berger, head to head, wins
        1: (2.5, (3.5, 3.5, 0 + 1.0 + 1.5, 0, 2)),
        2: (2.0, (4.0, 4.0, 0.75 + 1.25 + 0, 0, 1)),
        3: (1.5, (4.5, 4.5, 1.0 + 0 + 0, 0, 1)),
        4: (0.0, (4.5, 6.0, 0, 0, 0)),
    }


def test_byes_forfeits_and_absence_count_like_an_opponent_with_as_many_points():
    pairings = [
        Pairing(1, 1, None, FIRST),  # a bye
        Pairing(1, 2, 3, FIRST, is_played=False),  # 3 did not turn up, and left
        Pairing(2, 2, 1, FIRST),
        Pairing(2, 4, None, DRAW),  # entered late
    ]
    rows = by_player(standings([1, 2, 3, 4], pairings, SWISS, rounds=2))
    assert rows[1] == (1, (2.0, 1 + 2, 1.0, 0, 0))
    assert rows[2] == (2, (2.0, 2 + 1, 2 + 1, 0, 1))
    assert rows[3] == (0, (0, 0, 0, 0, 0))
    assert rows[4] == (0.5, (0.5, 1.0, 0.25, 0, 0))


def test_head_to_head_decides_only_if_all_who_are_tied_have_met():
    cycle = [
        Pairing(1, 1, 2, FIRST),
        Pairing(2, 3, 4, FIRST),
        Pairing(3, 1, 4, SECOND),
        Pairing(3, 2, 3, SECOND),
    ]
    rows = by_player(standings([1, 2, 3, 4], cycle, ("head_to_head",)))
    assert rows == {3: (2, (0,)), 1: (1, (0,)), 4: (1, (1,)), 2: (0, (0,))}
    apart = [Pairing(1, 1, 3, FIRST), Pairing(1, 2, 4, FIRST)]
    assert by_player(standings([1, 2, 3, 4], apart, ("head_to_head",)))[1] == (1, (0,))


def test_games_without_a_result_and_running_ones():
    rows = standings([1, 2, 3], [Pairing(1, 1, 2, NEITHER), Pairing(1, 3, 1)], ROUND_ROBIN)
    assert [(row.points, row.games) for row in rows] == [(0, 1), (0, 1), (0, 0)]
    assert Pairing(1, 3, 1).opponent_of(1) == 3


@pytest.mark.parametrize("outcome", PairingOutcome)
def test_a_game_has_one_point_at_most(outcome):
    pairing = Pairing(1, 1, 2, outcome)
    assert pairing.points_of(1) + pairing.points_of(2) == (0 if outcome is NEITHER else 1)
