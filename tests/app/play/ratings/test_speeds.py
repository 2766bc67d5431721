"""Ratings by speed, which follow from the games that counted."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.play.ratings.counting import Rated, RatedGame, changes
from app.play.ratings.speeds import SpeedResult, by_speed
from engine.glicko2 import Rating
from engine.speed import Speed
from tests.support.games import BLITZ, lost_rated_game, prove
from tests.support.moderation import make_moderator
from tests.support.players import Program

START = datetime(2026, 1, 1, tzinfo=UTC)
RAPID = {"kind": "realtime", "limit": 900, "increment": 10}

results = st.lists(
    st.builds(
        SpeedResult,
        st.sampled_from(Speed),
        st.integers(1, 9),
        st.builds(Rating, st.floats(1000, 2000), st.floats(50, 300)),
        st.sampled_from([0.0, 0.5, 1.0]),
        st.integers(0, 400).map(lambda days: START + timedelta(days=days)),
    ),
    max_size=30,
).map(lambda drawn: sorted(drawn, key=lambda each: each.at))


@given(results)
def test_each_speed_has_its_games_and_no_others(played):
    found = by_speed(played, START + timedelta(days=500))
    assert {speed: rating.games for speed, rating in found.items()} == {
        speed: number for speed in Speed if (number := sum(each.speed is speed for each in played))
    }
    for speed in found:
        assert by_speed([each for each in played if each.speed is speed], START + timedelta(days=500)) == {
            speed: found[speed]
        }


@given(results)
def test_games_of_one_speed_rate_as_all_games_do(played):
    rated = Rated()
    for each in played:
        winner = {1.0: 0, 0.5: None, 0.0: 1}[each.points]
        game = RatedGame("game", (0, each.opponent), winner, each.at)
        own, _opponents = changes(game, {0: rated, each.opponent: Rated(each.rating)})
        rated = Rated(own.after, each.at)
    at = START + timedelta(days=500)
    alike = [SpeedResult(Speed.RAPID, each.opponent, each.rating, each.points, each.at) for each in played]
    for rating in by_speed(alike, at).values():
        now = rated.as_of(at)
        assert (rating.rating, rating.deviation) == (now.rating, now.deviation)
        assert (rating.opponents, rating.games) == (len({each.opponent for each in played}), len(played))


def of(program):
    return program.http.get(f"/players/{program.username}/ratings").json()["ratings"]


def test_games_count_for_their_speed_until_they_are_voided(server, program, database_url):
    proven = [Program(server) for _ in range(2)]
    for opponent in proven:
        prove(database_url, opponent)
    assert of(program) == {}
    lost_rated_game(proven[0], program, time_control=BLITZ)
    rapid = lost_rated_game(program, proven[1], time_control=RAPID)
    lost_rated_game(program, Program(server), time_control=RAPID)  # it waits
    ratings = of(program)["jadejack"]
    assert {speed: each["games"] for speed, each in ratings.items()} == {"blitz": 1, "rapid": 1}
    assert ratings["blitz"]["rating"] > 1500 > ratings["rapid"]["rating"]
    assert ratings["blitz"]["provisional"]
    moderator = make_moderator(database_url, Program(server))
    void = {
        "username": program.username,
        "action": "void_game",
        "reason": "Not meant.",
        "subject": f"game:{rapid}",
    }
    assert moderator.http.post("/moderation/actions", json=void).status_code == 201
    assert [*of(program)["jadejack"]] == ["blitz"]
