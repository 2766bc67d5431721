"""Ratings by speed, which follow from the games that counted."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.play.ratings.counting import CountedRating, Rated, RatedGame, changes
from app.play.ratings.speeds import SpeedResult, by_speed
from engine.glicko2 import Rating
from engine.speed import Speed
from tests.support.database import execute
from tests.support.games import BLITZ, lost_rated_game, prove
from tests.support.moderation import make_moderator
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.waiting import wait_until

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
    found = by_speed(played)
    assert {speed: standing.games for speed, standing in found.items()} == {
        speed: number for speed in Speed if (number := sum(each.speed is speed for each in played))
    }
    for speed in found:
        assert by_speed([each for each in played if each.speed is speed]) == {speed: found[speed]}


@given(results)
def test_games_of_one_speed_rate_as_all_games_do(played):
    rated = Rated()
    for each in played:
        winner = {1.0: 0, 0.5: None, 0.0: 1}[each.points]
        game = RatedGame("game", (0, each.opponent), winner, each.at)
        own, _opponents = changes(game, {0: rated, each.opponent: Rated(each.rating)})
        rated = Rated(own.after, each.at)
    alike = [SpeedResult(Speed.RAPID, each.opponent, each.rating, each.points, each.at) for each in played]
    for standing in by_speed(alike).values():
        assert standing == CountedRating(rated, len({each.opponent for each in played}), len(played))


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
    counted = {"blitz": 1, "rapid": 1}
    ratings = wait_until(lambda: (now := of(program).get("jadejack")) and games_of(now) == counted and now)
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
    wait_until(lambda: [*of(program)["jadejack"]] == ["blitz"])


def games_of(ratings):
    return {speed: each["games"] for speed, each in ratings.items()}


@pytest.fixture
def ranked(server, database_url):
    """Return three players, whose order at rapid games is not that at blitz games."""
    players = [Program(server) for _ in range(3)]
    for player, rapid, blitz in zip(players, (2700, 2600, 2500), (2600.5, 2700, 2600.5), strict=True):
        account = f"(SELECT id FROM accounts WHERE username = '{player.username}')"
        execute(  # at once, so that the server does not compute them from the games, of which there are none
            database_url,
            "DO $$ BEGIN INSERT INTO ratings "
            "(account_id, game, rating, deviation, volatility, games, opponents) "
            f"VALUES ({account}, 'jadejack', 1500, 60, 0.06, 40, 9); "
            f"DELETE FROM speeds_due WHERE account_id = {account}; INSERT INTO speed_ratings "
            f"SELECT {account}, 'jadejack', speed, rating, deviation, 0.06, 20, 9, now() FROM (VALUES "
            f"('rapid', {rapid}, 60), ('blitz', {blitz}, 60), ('correspondence', 2400, 200)) "
            "AS at_speed (speed, rating, deviation); END $$",
        )
    return players


def names(program, speed):
    """Return names on the leaderboard of a speed, page by page, with their ranks."""
    rows, cursor = [], ""
    while cursor is not None:
        query = {"speed": speed, "cursor": cursor, "limit": 2}
        page = program.http.get("/leaderboards/jadejack", params=query).json()
        rows += [(row["username"], row["rank"]) for row in page["rows"]]
        cursor = page["next"]
    return rows


def test_each_speed_has_its_ranking(ranked, visitor):
    first, second, third = (player.username for player in ranked)
    assert names(ranked[0], "rapid") == [(first, 1), (second, 2), (third, 3)]
    assert names(ranked[0], "blitz") == [(second, 1), (first, 2), (third, 2)]
    assert names(ranked[0], "correspondence") == []
    assert ranked[0].http.get("/leaderboards/jadejack?speed=slow").status_code == 422
    settled, provisional = (
        visitor.http.get("/leaderboards/jadejack?speed=correspondence").text.split("<h2")[place]
        for place in (1, -1)
    )
    assert first not in settled
    assert first in provisional
    member = Visitor(ranked[1].server)
    member.http.post("/login", data={"username": second, "password": PASSWORD})
    page = member.http.get("/leaderboards/jadejack?speed=blitz").text
    assert "You are number 1 with 2700" in " ".join(page.split())
    assert 'id="own-row"' in page
    profile = " ".join(member.http.get(f"/players/{third}").text.split())
    assert 'speed=blitz">Blitz</a> 2600 (number 2)' in profile
    assert 'speed=correspondence">Correspondence</a> 2400?' in profile
