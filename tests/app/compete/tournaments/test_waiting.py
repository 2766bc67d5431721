"""Tournaments without a start: they wait until they are full, but not for ever."""

import re
from datetime import datetime, timedelta

import pytest

from app.compete.tournaments.terms import LONGEST_WAIT
from app.core.moments import utc_now
from tests.support.database import execute
from tests.support.games import post
from tests.support.players import Program, Visitor
from tests.support.tournaments import BULLET, Cup
from tests.support.waiting import wait_until

DAYS = {"kind": "correspondence", "days": 3}
KINDS = [("swiss", {"rounds": 3}), ("round_robin", {}), ("knockout", {})]
OVER = "UPDATE tournaments SET created_at = now() - $2::interval, due_at = now() WHERE id = $1"


def filling(server, clock, kind, **members):
    """Return a tournament for three players that two have joined."""
    return Cup(server, clock, 2, kind, **{"starts_at": None, "max_players": 3, **members})


def told(program):
    return [each["kind"] for each in program.http.get("/notifications").json()["notifications"]]


def listed(cup, path, **params):
    """Return whether a tournament is in a list, with a small page size."""
    found, cursor = [], ""
    while cursor is not None:
        page = cup.organiser.http.get(path, params={**params, "limit": 2, "cursor": cursor}).json()
        found += [each["id"] for each in page["tournaments"]]
        cursor = page["next"]
    assert len(found) == len(set(found))
    return cup.id in found


@pytest.mark.parametrize(("kind", "members"), KINDS)
def test_players_are_told_before_the_games_of_one_in_real_time_begin(server, clock, kind, members):
    cup = filling(server, clock, kind, **members)
    page, path = Visitor(server), f"/tournaments/{cup.id}"
    assert "It starts five minutes after 3 players have joined." in page.http.get(path).text
    assert listed(cup, "/tournaments/filling")
    assert not listed(cup, "/tournaments", status="created")
    cup.join(Program(server))
    start = datetime.fromisoformat(wait_until(lambda: cup.shown["starts_at"]))
    assert timedelta(minutes=4) < start - utc_now() <= timedelta(minutes=6)
    assert cup.shown["status"] == "created"
    assert re.search(r"Starts in</span>\s*<span[^>]*>[345]:\d\d</span>", page.http.get(path).text)
    assert listed(cup, "/tournaments", status="created")
    assert not listed(cup, "/tournaments/filling")
    for program in cup.programs.values():
        wait_until(lambda program=program: told(program) == ["tournament_soon"], within=70)
    cup.start()
    assert wait_until(lambda: cup.running)


@pytest.mark.parametrize(("kind", "members"), KINDS[1:])
def test_one_by_correspondence_starts_as_soon_as_it_is_full(server, clock, kind, members):
    cup = filling(server, clock, kind, time_control=DAYS, **members)
    assert "as soon as 3 players have joined" in Visitor(server).http.get(f"/tournaments/{cup.id}").text
    cup.join(Program(server))
    cup.wait_for("started")
    assert cup.running


@pytest.mark.parametrize("control", [BULLET, DAYS])
def test_one_that_is_not_full_after_the_longest_wait_is_cancelled(server, clock, database_url, control):
    cup, other = (filling(server, clock, "swiss", time_control=control, rounds=3) for _ in range(2))
    execute(database_url, OVER, other.id, LONGEST_WAIT - timedelta(hours=1))
    execute(database_url, OVER, cup.id, LONGEST_WAIT)
    cup.wait_for("cancelled")
    assert cup.shown["reason"] == "Too few players joined."
    for program in (cup.organiser, *cup.programs.values()):
        assert told(program) == ["tournament_cancelled"]
    assert other.shown["status"] == "created"


def test_one_that_an_older_server_left_waiting_has_an_end_too(server, clock, database_url):
    cup = filling(server, clock, "swiss", rounds=3)
    execute(database_url, OVER.replace("due_at = now()", "due_at = NULL"), cup.id, LONGEST_WAIT)
    cup.wait_for("cancelled")


def test_who_gives_up_the_start_of_an_old_tournament_may_wait_for_players(server, clock, database_url):
    cup = Cup(server, clock, 2, "swiss", starts_in=60, rounds=3)
    execute(database_url, OVER, cup.id, LONGEST_WAIT)
    terms = {name: cup.shown[name] for name in ("name", "kind", "game", "options", "time_control")}
    changed = cup.organiser.http.put(f"/tournaments/{cup.id}", json={**terms, "rounds": 3, "max_players": 3})
    assert changed.status_code == 200, changed.text
    cup.join(Program(server))
    wait_until(lambda: cup.shown["starts_at"])
    assert cup.shown["status"] == "created"
    post(cup.organiser, f"/tournaments/{cup.id}/cancel", reason="Only tried")
