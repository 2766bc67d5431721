"""What counts for ratings, and how far games that do not count can move one."""

from collections import Counter
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from app.play.ratings.counting import (
    COUNTED_OF_PAIR,
    NEWCOMER_DEVIATION,
    NEWCOMER_RANGE,
    Basis,
    PlayersRating,
    Rated,
    RatedGame,
    Waiting,
    changes,
    with_what_counts,
)
from engine.glicko2 import MAX_DEVIATION, MIN_DEVIATION, Rating

AT = datetime(2026, 1, 1, tzinfo=UTC)
ONE, OTHER = 1, 2

ratings = st.builds(
    Rating, st.floats(400, 3000), st.floats(MIN_DEVIATION, MAX_DEVIATION), st.floats(0.03, 0.1)
)
newcomers = st.builds(PlayersRating, st.just(1500.0), st.floats(200, 350), opponents=st.integers(0, 9))
settled = st.builds(
    PlayersRating, st.just(1500.0), st.floats(MIN_DEVIATION, 110), opponents=st.integers(5, 99)
)


@given(st.floats(MIN_DEVIATION, MAX_DEVIATION), st.integers(0, 9), st.integers(0, 60))
def test_a_rating_is_ranked_once_it_is_certain_enough_for_its_games(deviation, opponents, games):
    rating = PlayersRating(1500.0, deviation, opponents=opponents, games=games)
    bar = max(110, 210 - 2 * games) if games >= 30 else 110
    assert rating.is_provisional == (deviation > bar or opponents < 5)


def game(winner, *, counted=(True, True)):
    return RatedGame("game", (ONE, OTHER), winner, AT, counted)


@given(ratings, ratings, st.booleans())
def test_a_win_never_lowers_and_a_loss_never_raises_a_rating(own, other, counted):
    known = {ONE: Rated(own, AT), OTHER: Rated(other, AT)}
    won, lost = (changes(game(winner, counted=(counted, True)), known)[0] for winner in (0, 1))
    assert lost.points <= 0 <= won.points


@given(ratings, ratings, st.sampled_from([0, 1, None]), st.booleans(), st.booleans())
def test_the_seats_are_alike(own, other, winner, first, second):
    known = {ONE: Rated(own, AT), OTHER: Rated(other, AT)}
    made = changes(game(winner, counted=(first, second)), known)
    turned = RatedGame("game", (OTHER, ONE), None if winner is None else 1 - winner, AT, (second, first))
    assert changes(turned, known) == made[::-1]


@given(st.lists(st.tuples(ratings, st.sampled_from([0, 1, None])), max_size=200))
def test_games_that_do_not_count_keep_a_rating_within_bounds(results):
    own = Rated()
    for other, winner in results:
        made = changes(game(winner, counted=(False, True)), {ONE: own, OTHER: Rated(other, AT)})
        own = Rated(made[0].after, AT)
    assert NEWCOMER_RANGE[0] <= own.rating.rating <= NEWCOMER_RANGE[1]
    assert own.rating.deviation >= NEWCOMER_DEVIATION


@given(ratings.filter(lambda rating: rating.deviation < NEWCOMER_DEVIATION), ratings, st.sampled_from([0, 1]))
def test_a_rating_that_rests_on_proven_players_stays_as_it_is(own, other, winner):
    known = {ONE: Rated(own, AT), OTHER: Rated(other, AT)}
    assert changes(game(winner, counted=(False, True)), known)[0].after == own


@given(settled, newcomers, st.integers(0, 99))
def test_only_games_against_proven_players_count_for_a_settled_rating(own, other, of_pair):
    bases = (Basis(own, {OTHER: of_pair}), Basis(other, {}))
    for is_proven in (True, False):
        judged = with_what_counts(game(0), bases, lambda player, proven=is_proven: player == ONE or proven)
        assert judged.counted[0] == is_proven
        assert judged.waited[0] == ()


waiting_results = st.lists(st.tuples(st.integers(2, 9), st.sampled_from([0, 0.5, 1])), max_size=40)


@given(
    newcomers,
    waiting_results,
    st.frozensets(st.integers(2, 9)),
    st.dictionaries(st.integers(2, 9), st.integers(1, 5)),
)
def test_a_provisional_rating_rests_on_no_opponent_too_much(own, results, proven, counted):
    waiting = [Waiting(f"game-{n}", opponent, points) for n, (opponent, points) in enumerate(results)]
    bases = (Basis(own, counted, waiting), Basis(PlayersRating(), {}))
    judged = with_what_counts(game(0), bases, proven.__contains__)
    after = Counter(counted)
    for each in judged.counting(0):
        assert each.opponent in proven
        after[each.opponent] += 1
        assert after[each.opponent] <= max(COUNTED_OF_PAIR, after.total() / 4 + 1)
    assert [each for each in waiting if each in judged.waited[0]] == list(judged.waited[0])
