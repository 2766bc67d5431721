"""Arenas: points as in Lichess' rules, and whom a waiting player meets."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.tournaments.arena import PATIENCE, Score, Waiting, pair
from tests.support.effort import cases


def score(*results):
    reached = Score()
    for result in results:
        reached = reached.after(result)
    return reached


def test_points_double_after_two_wins_in_a_row():
    assert [score(*[1] * games).points for games in range(5)] == [0, 2, 4, 8, 12]
    assert score(1, 1, 0.5).points == 6
    assert score(1, 1, 0, 1).points == 6
    assert score(1, 1, 0.5, 1, 1, 1).points == 14
    assert score(0.5, 0, 1).points == 3
    assert score(1, 1).is_on_fire
    assert not score(1, 1, 0.5).is_on_fire


@given(st.lists(st.sampled_from([0, 0.5, 1])))
def test_a_better_result_never_has_fewer_points(results):
    reached = score(*results)
    assert (reached.games, reached.wins) == (len(results), results.count(1))
    better = score(*(1 if result == 0.5 else result for result in results))
    assert 2 * sum(results) <= reached.points <= better.points <= 4 * len(results)


def test_players_of_equal_points_meet():
    waiting = [Waiting(1, 10), Waiting(2, 0), Waiting(3, 10), Waiting(4, 0)]
    assert {frozenset(each) for each in pair(waiting, others_play=True)} == {
        frozenset({1, 3}),
        frozenset({2, 4}),
    }


def test_nobody_meets_the_same_opponent_twice_in_a_row_while_others_come():
    waiting = [Waiting(1, 4, last_opponent=2), Waiting(2, 4, last_opponent=1)]
    assert pair(waiting, others_play=True) == []
    assert len(pair(waiting, others_play=False)) == 1
    long = [Waiting(each.id, 4, last_opponent=each.last_opponent, waves=PATIENCE) for each in waiting]
    assert len(pair(long, others_play=True)) == 1
    met = pair([*waiting, Waiting(3, 0), Waiting(4, 0)], others_play=True)
    assert len(met) == 2
    assert {1, 2} not in map(set, met)


def test_who_was_left_out_meets_somebody_else_than_the_last_opponent_if_there_is_one():
    waiting = [Waiting(1, 4, last_opponent=2), Waiting(2, 4, last_opponent=3)]
    assert len(pair(waiting, others_play=True)) == 1
    met = pair([*waiting, Waiting(4, 0), Waiting(5, 0)], others_play=True)
    assert {1, 2} not in map(set, met)


def test_the_player_who_waited_least_is_left_out():
    waiting = [Waiting(1, 0, waves=3), Waiting(2, 50), Waiting(3, 100, waves=3)]
    assert {player for each in pair(waiting, others_play=True) for player in each} == {1, 3}


@given(st.integers(1, 75).map(lambda half: 2 * half + 1), st.randoms(use_true_random=False))
@settings(max_examples=cases(60), deadline=None)
def test_one_of_those_who_waited_least_of_all_is_left_out(count, chance):
    waves = chance.choices(range(count), k=count)
    waiting = [Waiting(one, chance.randrange(9), waves=waves[one]) for one in range(count)]
    paired = {player for each in pair(waiting, others_play=True) for player in each}
    (left_out,) = (player for player in waiting if player.id not in paired)
    assert left_out.waves == min(waves)


def test_seats_alternate():
    assert pair([Waiting(1, 0, (0,)), Waiting(2, 0, (1,))], others_play=True) == [(2, 1)]


@st.composite
def waves(draw):
    ids = range(draw(st.integers(0, 80)))
    return [
        Waiting(one, draw(st.integers(0, 40)), last_opponent=draw(st.sampled_from([None, *ids])))
        for one in ids
    ]


@given(waves())
@settings(max_examples=15, deadline=None)
def test_a_wave_pairs_everybody_once_and_never_the_last_opponents(waiting):
    pairs = pair(waiting, others_play=True)
    paired = [player for each in pairs for player in each]
    assert len(paired) == len(set(paired))
    last = {player.id: player.last_opponent for player in waiting}
    assert not any(last[one] == other and last[other] == one for one, other in pairs)
    if len(waiting) > 3:
        assert len(pairs) == len(waiting) // 2
