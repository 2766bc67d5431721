"""Names that look alike: no two teams have them, and no two tournaments that are not over."""

import unicodedata
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from app.core.moments import utc_now
from app.core.web.look_alikes import skeleton
from tests.support.answers import code
from tests.support.games import lost_rated_game
from tests.support.players import Program, fresh_name, make_old
from tests.support.tournaments import BULLET

ALIKE = (
    ("Café", "Cafe\u0301"),
    ("paypal", "\u0440\u0430\u0443\u0440\u0430l"),
    ("All of us", "AII of us"),
    ("modern", "rnodern"),
    ("Team 10", "Team lO"),
    ("\uff34\uff45\uff41\uff4d", "Team"),
    ("Alpha", "\u0391lpha"),
    ("x\u200dy", "xy"),
    ("Finches", "Finches\u3164"),
    ("CAPS", "caps"),
)
UNLIKE = (
    ("Finches", "Finch"),
    ("Wrens", "Owls"),
    ("Team 1", "Team 2"),
    ("Größe", "Grosse"),
    ("Wild", "Wind"),
)
# Other letters, or characters that are not seen, for a name with "a" and "é".
TWINS = (
    lambda name: unicodedata.normalize("NFD", name),
    lambda name: name + "\u3164",
    lambda name: name[:2] + "\u034f" + name[2:],
    lambda name: name.replace("a", "\u0430"),
    lambda name: name.upper(),
)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_have_one_skeleton(one, other):
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_names_that_differ_have_two_skeletons(one, other):
    assert skeleton(one) != skeleton(other)


@pytest.fixture
def leaders(server, program, database_url):
    """Return two players who may make teams."""
    leaders = [Program(server), Program(server)]
    for leader in leaders:
        lost_rated_game(program, leader)
    make_old(database_url, *leaders)
    return leaders


def team(leader, name):
    return leader.http.post("/teams", json={"name": name, "join": "open"})


def cup(organiser, name):
    terms = {
        "name": name,
        "kind": "swiss",
        "rounds": 3,
        "game": "jadejack",
        "options": {"size": 8},
        "time_control": BULLET,
        "starts_at": (utc_now() + timedelta(hours=1)).isoformat(),
    }
    return organiser.http.post("/tournaments", json=terms)


def fresh_title():
    return fresh_name("Café am ")


@pytest.mark.parametrize("twin", TWINS)
def test_no_team_looks_like_another_one(leaders, twin):
    one, other = leaders
    name = fresh_title()
    made = team(one, name)
    assert made.status_code == 201, made.text
    assert code(team(other, twin(name))) == (422, "name_taken")
    second = team(other, fresh_title()).json()["id"]
    assert code(other.http.put(f"/teams/{second}", json={"name": twin(name), "join": "open"})) == (
        422,
        "name_taken",
    )
    assert one.http.post(f"/teams/{made.json()['id']}/close").status_code == 204
    assert team(other, twin(name)).status_code == 201


def test_no_tournament_looks_like_another_one_until_that_is_over(program, other):
    name = fresh_title()
    twin = TWINS[3]
    made = cup(program, name)
    assert made.status_code == 201, made.text
    assert code(cup(other, twin(name))) == (422, "name_taken")
    second = cup(other, name)  # in the same letters, as those of a series
    assert second.status_code == 201
    for organiser, each in ((program, made), (other, second)):
        organiser.http.post(f"/tournaments/{each.json()['id']}/cancel", json={"reason": "Rain"})
    assert cup(other, twin(name)).status_code == 201


def test_twins_made_at_the_same_time_are_not_both_made(leaders):
    name = fresh_title()
    names = (name, TWINS[3](name))
    for make, makers in ((team, leaders), (cup, leaders)):
        with ThreadPoolExecutor(2) as threads:
            made = list(threads.map(make, makers, names))
        assert sorted(each.status_code for each in made) == [201, 422]
