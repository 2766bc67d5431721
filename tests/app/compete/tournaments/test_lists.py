"""The lists of tournaments: what a reader looks for comes first, and each list leads to all of it."""

import re

import pytest
from msgspec import json

from tests.support.database import execute
from tests.support.players import Program, Visitor, fresh_name

DAYS = {"kind": "correspondence", "days": 3}
LIVE = {"kind": "realtime", "limit": 60, "increment": 1}
ADD = """
INSERT INTO tournaments (
    id, name, kind, game, options, time_control, rated, plan, max_players, size, round, status, starts_at
) SELECT
    translate(substr(md5($1::text || number), 1, 10), '01', 'yz'), $1 || ' ' || number, $2, 'jadejack',
    '{"size": 8}', $3::jsonb, false, $4::jsonb, 8, $5, $6, $7,
    CASE WHEN $8::int <> 0 THEN now() + $8 * number * interval '1 minute' END
FROM generate_series(1, $9) number
"""
END_ALL = """
UPDATE tournaments SET status = 'cancelled', ended_at = now(), due_at = NULL WHERE status <> 'finished'
"""


@pytest.fixture
def add(database_url):
    """Return what adds many tournaments that nobody looks at, and ends them after the test."""
    names = []

    def add(
        *, kind="round_robin", control=DAYS, size=8, number=1, status="started", minutes=-1, count=30, **plan
    ):
        names.append(name := fresh_name("Cup"))
        encoded = [json.encode(each).decode() for each in (control, plan)]
        execute(database_url, ADD, name, kind, *encoded, size, number, status, minutes, count)
        return name

    yield add
    for name in names:
        execute(database_url, "DELETE FROM tournaments WHERE starts_with(name, $1)", name)


def followed(http, path, name, parameter):
    """Return the names of tournaments with a beginning on the first page of a list and on those after it."""
    pages, cursor = [], ""
    while cursor is not None:
        shown = http.get(path, params={parameter: cursor}).text
        pages.append(list(dict.fromkeys(re.findall(rf"{re.escape(name)} \d+", shown))))
        onward = re.search(rf'href="\?{parameter}=([^"]+)#{parameter}"', shown)
        cursor = onward and onward[1]
    return pages


def grade(each):
    """Return how soon a tournament under way is of use: who looks for a game cannot join those of 2."""
    if each["time_control"]["kind"] == "realtime":
        return 0
    is_open = each["kind"] == "swiss" and 2 * each["round"] <= each["plan"]["rounds"]
    return 1 if is_open and each["players"] < each["max_players"] else 2


def test_who_looks_for_a_game_finds_one_before_what_lasts_for_months(server, add):
    old = add(minutes=-1000)
    add(kind="swiss", size=4, rounds=3, number=2, minutes=-999, count=2)
    add(kind="swiss", size=8, rounds=3, number=1, minutes=-998, count=2)
    open_ = add(kind="swiss", size=4, rounds=3, number=1, minutes=-997, count=2)
    live = add(kind="swiss", control=LIVE, rounds=3, minutes=-1, count=2)
    http, rows, cursor = Program(server).http, [], ""
    while cursor is not None:
        page = http.get("/tournaments", params={"status": "started", "limit": 7, "cursor": cursor}).json()
        rows, cursor = rows + page["tournaments"], page["next"]
    grades = [grade(each) for each in rows]
    assert grades == sorted(grades)
    ranked = {each["name"]: rank for each, rank in zip(rows, grades, strict=True)}
    assert [ranked[f"{name} 1"] for name in (live, open_, old)] == [0, 1, 2]
    assert len([each for each in rows if each["name"].startswith(old)]) == 30
    html = Visitor(server).http.get("/tournaments").text
    assert f"{live} 1" in html
    assert f"{open_} 1" in html


def test_what_lasts_for_months_leaves_the_home_page_to_what_comes(server, database_url, add):
    execute(database_url, END_ALL)
    old = add(minutes=-1000)
    coming = add(status="created", minutes=1, size=0, count=2)
    html = Visitor(server).http.get("/").text
    cards = re.findall(r"<h3[^>]*>.*?</h3>", html, re.DOTALL)
    assert f"{coming} 1" in "".join(cards), cards
    assert old not in html


def test_the_home_page_says_in_which_tournament_its_reader_takes_part(server, database_url, add):
    execute(database_url, END_ALL)
    coming = add(status="created", minutes=1, size=0, count=1)
    visitor = Visitor(server)
    visitor.register()
    assert "You take part." not in visitor.http.get("/").text
    execute(
        database_url,
        "INSERT INTO tournament_players (tournament_id, account_id, rating) "
        "SELECT t.id, a.id, 1500 FROM tournaments t, accounts a WHERE t.name = $1 AND a.username = $2",
        f"{coming} 1",
        visitor.username,
    )
    html = visitor.http.get("/").text
    execute(
        database_url,
        "DELETE FROM tournament_players WHERE tournament_id IN (SELECT id FROM tournaments WHERE name = $1)",
        f"{coming} 1",
    )
    assert "You take part." in html


@pytest.mark.parametrize(
    ("parameter", "members"),
    [
        ("running", {}),
        ("cursor", {"status": "created", "minutes": 50}),
        ("filling", {"status": "created", "minutes": 0}),
    ],
)
def test_each_list_leads_to_all_of_it(server, add, parameter, members):
    name = add(**members)
    pages = followed(Visitor(server).http, "/tournaments", name, parameter)
    names = [each for page in pages for each in page]
    assert len(names) == len(set(names)) == 30
    assert len(pages) > 1
