"""Ratings without one game are those of a computation from scratch."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.play.ratings.counting import Rated, RatedGame, replay
from app.play.ratings.rerating import RatingStandings
from app.play.ratings.voiding import PastGame, without

START = datetime(2026, 1, 1, tzinfo=UTC)


@st.composite
def histories(draw):
    """Return rated games of a few players, and the number of one of them."""
    pairs = st.lists(st.integers(0, 5), min_size=2, max_size=2, unique=True)
    rows = draw(
        st.lists(st.tuples(pairs, st.sampled_from([0, 1, None]), st.floats(0, 30)), min_size=1, max_size=25)
    )
    games, at = [], START
    for number, (players, winner, days) in enumerate(rows):
        at += timedelta(days=days)
        games.append(RatedGame(f"game-{number}", tuple(players), winner, at))
    standings = RatingStandings(draw(st.frozensets(st.integers(0, 5))))
    games = [standings.add(game)[0] for game in games]
    return games, draw(st.integers(0, len(games) - 1))


@given(histories(), st.data())
def test_ratings_without_a_game_are_those_computed_from_scratch(history, data):
    games, voided = history
    began = data.draw(st.integers(0, voided))  # what is read begins here
    before = {}
    replay(games[:began], before)
    ratings = dict(before)
    made = replay(games[began:], ratings)
    pasts = [
        PastGame(game, (made[2 * number].after, made[2 * number + 1].after))
        for number, game in enumerate(games[began:])
    ]
    later, changed = without(pasts, voided - began, before)
    scratch = {}
    rest = [without_results(game, games[voided].id) for game in games if game is not games[voided]]
    expected = replay(rest, scratch)
    nobody = dict.fromkeys(games[voided].players, Rated())
    assert {**ratings, **changed} == {**nobody, **scratch}
    by_game = {(change.game_id, change.account_id): change for change in expected}
    assert [by_game[change.game_id, change.account_id] for change in later] == later


def without_results(game, game_id):
    """Return a game in which the results of another one do not count later."""
    waited = tuple(tuple(each for each in side if each.game_id != game_id) for side in game.waited)
    return replace(game, waited=waited)
