"""The feed of competitions: what is announced, and who has won."""

from datetime import timedelta

import pytest

from app.core.moments import utc_now
from tests.support.accounts import grant
from tests.support.database import execute
from tests.support.feeds import read_feed
from tests.support.nugget import new_record
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.waiting import wait_until

FEED = "/feeds/competitions.atom"
MANY = """
INSERT INTO nugget_competitions
    (id, title, text, starts_at, ends_at, min_boards, max_boards, visibility, created_at)
SELECT 'fed-' || n, 'Fed ' || n, '', now() - interval '9 days', now() - interval '1 day', 20, 20, 'open',
    now() - n * interval '1 second'
FROM generate_series(1, 60) n
"""


@pytest.fixture
def organiser(server, database_url):
    return grant(database_url, Program(server), "organiser")


def create(organiser, *, starts_in=-1, **members):
    start = utc_now() + timedelta(hours=starts_in)
    terms = {
        "title": "Cup of <b>winter</b> & %(snow)s",
        "text": "Solve <i>many</i> boards.\nBy hand, 100%.",
        "starts_at": start.isoformat(),
        "ends_at": (start + timedelta(hours=5)).isoformat(),
        **members,
    }
    answer = organiser.http.post("/nugget/competitions", json=terms)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def enter(program, competition, detours):
    boards = new_record(detours)
    answer = program.http.post(f"/nugget/entries?competition={competition}", json={"boards": boards})
    assert answer.status_code == 201, answer.text


def end(organiser, competition):
    ended = organiser.http.post(f"/nugget/competitions/{competition}/end", json={"reason": "Done."})
    assert ended.is_success, ended.text


def told(reader, competition):
    """Return what the feed tells of a competition, by the part of it."""
    entries = read_feed(reader.http, FEED)
    return {
        entry.id.rpartition("#")[2]: entry
        for entry in entries
        if entry.url.endswith(f"/nugget/competitions/{competition}")
    }


def test_a_competition_is_announced_as_it_was_written(organiser, visitor):
    competition = create(organiser, starts_in=1, min_boards=20, max_boards=50)
    (entry,) = told(visitor, competition).values()
    assert (entry.title, entry.author) == ("Cup of <b>winter</b> & %(snow)s", organiser.username)
    assert entry.lines[1:] == ["20 to 50 boards", "Solve <i>many</i> boards.", "By hand, 100%."]
    assert " UTC to " in entry.lines[0]
    assert read_feed(visitor.http, FEED)[0] == entry
    visitor.http.headers["Accept-Language"] = "de"
    assert told(visitor, competition)["announced"].lines[1] == "20 bis 50 Bretter"


def test_who_has_won_is_told_when_it_is_over_and_not_before(organiser, server, visitor):
    first, second = Program(server), Program(server)
    competitions = [create(organiser, visibility=visibility) for visibility in ("open", "sealed")]
    for competition in competitions:  # before one of them ends, and opens boards that others have, too
        enter(first, competition, detours=5)
        enter(second, competition, detours=3)
    for competition in competitions:
        before = told(visitor, competition)
        assert list(before) == ["announced"]
        assert second.username not in visitor.http.get(FEED).text.split(competition, 2)[1]
        end(organiser, competition)
        wait_until(lambda at=competition: won_by(second) in lines(visitor, at))
        after = told(visitor, competition)
        assert after["announced"].id == before["announced"].id
        assert after["result"].title == "Result: Cup of <b>winter</b> & %(snow)s"
        assert after["result"].updated > after["announced"].updated
    closed = second.http.post("/me/close", json={"password": PASSWORD})
    assert closed.is_success, closed.text
    assert lines(visitor, competition) == [won_by(first)]


def won_by(program):
    return f"{program.username} won"


def lines(reader, competition):
    return told(reader, competition)["result"].lines


def test_a_competition_without_entries_has_a_result_and_a_cancelled_one_has_none(organiser, visitor):
    competition = create(organiser)
    end(organiser, competition)
    assert lines(visitor, competition) == ["No entry came in."]
    cancelled = create(organiser)
    path = f"/nugget/competitions/{cancelled}/cancel"
    assert organiser.http.post(path, json={"reason": "Flooded."}).is_success
    (entry,) = told(visitor, cancelled).values()
    assert entry.lines[:2] == ["Cancelled", "Flooded."]


def test_the_feed_has_the_latest_news_and_not_more(database_url, visitor):
    execute(database_url, MANY)
    try:
        entries = read_feed(visitor.http, FEED)
    finally:
        execute(database_url, "DELETE FROM nugget_competitions WHERE starts_with(id, 'fed-')")
    assert len(entries) == 50
    assert [entry.updated for entry in entries] == sorted((each.updated for each in entries), reverse=True)


def test_pages_of_competitions_lead_to_the_feed(organiser, server):
    reader = Visitor(server)
    link = (
        f'<link rel="alternate" type="application/atom+xml" title="Golden Nugget competitions" href="{FEED}">'
    )
    assert link in reader.http.get(f"/nugget/competitions/{create(organiser)}").text
    listed = reader.http.get("/nugget/competitions").text
    assert link in listed
    assert f'<a href="{FEED}">Feed</a>' in listed
