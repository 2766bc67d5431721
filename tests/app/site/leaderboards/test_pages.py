"""Leaderboards and records as pages."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.play.solitaire.scores import RankedScore
from app.site.leaderboards import findings
from engine.registry import SOLITAIRE
from tests.support.database import execute
from tests.support.players import PASSWORD, Program
from tests.support.solitaire import random_games, submit


def test_the_leaderboard_lists_provisional_ratings_separately(server, visitor, database_url):
    players = [Program(server) for _ in range(5)]
    for player, (rating, deviation) in zip(
        players, [(2400.5, 50), (2400.5, 60), (2300, 70), (2500, 120), (2200, 45)], strict=True
    ):
        execute(
            database_url,
            "INSERT INTO ratings (account_id, game, rating, deviation, volatility, games, opponents) "
            "SELECT id, 'jadejack', $2, $3, 0.06, 9, 5 FROM accounts WHERE username = $1",
            player.username,
            rating,
            deviation,
        )
    names = {player.username for player in players}
    rows, cursor = [], ""
    while cursor is not None:  # two rows on each page
        page = players[0].http.get(f"/leaderboards/jadejack?limit=2&cursor={cursor}").json()
        rows += page["rows"]
        cursor = page["next"]
    mine = [(row["rank"], row["username"]) for row in rows if row["username"] in names]
    first, second, third, _, last = (player.username for player in players)
    assert [name for _, name in mine] == [first, second, third, last]
    ranks = [rank for rank, _ in mine]
    assert ranks[0] == ranks[1] == ranks[2] - 2 == ranks[3] - 3
    html = visitor.http.get("/leaderboards/jadejack").text
    settled, provisional = html.split(">Provisional ratings<")
    assert players[3].username in provisional
    assert players[3].username not in settled
    assert players[0].http.get("/leaderboards/jadejack?cursor=nonsense").status_code == 422
    assert visitor.http.get("/leaderboards/chess").status_code == 404
    visitor.http.post("/login", data={"username": last, "password": PASSWORD})
    assert 'id="own-row"' in visitor.http.get("/leaderboards/jadejack?at=me").text


@pytest.mark.parametrize("path", ["/leaderboards/jumping_farther", "/scores/up_and_up/11"])
def test_an_empty_ranking_of_computers_does_not_ask_its_reader_to_be_the_first(visitor, path):
    page = visitor.http.get(path, params={"players": "computers"}).text
    assert "match this choice" in page
    assert "to be the first" not in " ".join(page.split())


_COMPUTER = "(SELECT id FROM accounts WHERE computer_level = 1)"
_RATING = f"""
INSERT INTO ratings (account_id, game, rating, deviation, volatility, games, opponents)
VALUES ({_COMPUTER}, 'jumping_farther', 1500, 50, 0.06, 20, 10)
"""
_SCORE = f"""
WITH game AS (
    INSERT INTO games (id, game, options, status, first_player, position, ended_at)
    VALUES ('computer12', 'jumping_farther', '{{"size": 12}}', 'finished', {_COMPUTER}, '', now())
    RETURNING id
)
INSERT INTO scores (game_id, account_id, game, size, points, tie_break, undos, is_best)
SELECT id, {_COMPUTER}, 'jumping_farther', 12, 5, 0, 0, true FROM game
"""


@pytest.mark.parametrize(
    ("path", "row", "table"),
    [("/leaderboards/jumping_farther", _RATING, "ratings"), ("/scores/jumping_farther/12", _SCORE, "scores")],
)
def test_a_ranking_without_people_does_not_say_that_nobody_is_in_it(visitor, database_url, path, row, table):
    execute(database_url, row)
    try:
        everybody = visitor.http.get(path, params={"players": "everybody"}).text
        people = visitor.http.get(path).text
    finally:
        execute(database_url, f"DELETE FROM {table} WHERE account_id = {_COMPUTER}")
    assert "page-empty" not in everybody
    assert re.search(r'page-empty"><p>(No person has [^<]*)</p>', people)
    nobody = visitor.http.get(path, params={"players": "everybody"}).text
    assert re.search(r'page-empty"><p>(Nobody has|No established) [^<]*</p>', nobody)


def test_leaderboards_have_stable_addresses(visitor):
    assert visitor.http.get("/leaderboards/up_and_up").url.path == "/scores/up_and_up/8"
    assert visitor.http.get("/leaderboards/jumping_farther").status_code == 200
    assert visitor.http.get("/leaderboards").url.path == "/leaderboards/golden_nugget"
    assert visitor.http.get("/scores/jumping_farther/12").status_code == 200
    for nowhere in ("/scores/jadejack", "/scores/up_and_up/13", "/scores/up_and_up/0", "/rules/chess"):
        assert visitor.http.get(nowhere).status_code == 404


@pytest.mark.parametrize("size", [1, 2])
def test_tiny_boards_have_leaderboards_too(program, visitor, size):
    moves = next(iter(random_games("up_and_up", size).values()))
    path = f"/scores/up_and_up/{size}"
    game_id = submit(program, "up_and_up", size, moves)
    pages = [f"/games/{game_id}", f"/players/{program.username}"]
    assert all(f'href="{path}"' in visitor.http.get(page).text for page in pages)
    shown = visitor.http.get(path).text
    assert program.username in shown
    assert f'href="{path}" aria-current="page"' in shown
    assert f'href="{path}"' not in visitor.http.get("/scores/up_and_up/3").text


def test_records_are_shown_with_their_games(visitor):
    index = visitor.http.get("/records").text
    pages = [visitor.http.get(f"/records/{game}").text for game in SOLITAIRE]
    assert all(f'href="/records/{game}"' in index for game in SOLITAIRE)
    for path in re.findall(r'href="(/(?:scores|records)/[^"]+)"', index + "".join(pages)):
        assert visitor.http.get(path).status_code == 200, path
    for proof in ("all games tried", "by the bound"):
        assert proof in index
        assert any(proof in page for page in pages)
    assert "+3" in visitor.http.get("/records/jumping_farther").text
    end = visitor.http.get("/records/jumping_farther/2/4").text
    assert "\N{MINUS SIGN}3 for the first side" in end
    start = visitor.http.get("/records/up_and_up/1/12?ply=1").text
    assert "Move 1 of 144" in start
    for nowhere in ("/records/up_and_up/2/4", "/records/jumping_farther/1/2", "/records/up_and_up/1/13"):
        assert visitor.http.get(nowhere).status_code == 404
    assert visitor.http.get("/records/jadejack").url.path == "/records"


@pytest.mark.parametrize("game", SOLITAIRE)
def test_the_page_of_a_question_draws_the_best_board_of_each_size(visitor, game):
    page = visitor.http.get(f"/records/{game}").text
    sizes = [finding.size for finding in findings.findings() if (finding.game, finding.players) == (game, 1)]
    smallest = max(2, SOLITAIRE[game].options["size"].minimum)
    assert page.count("<figure") == len([size for size in sizes if size >= smallest])
    assert len(page) < 400_000
    known = visitor.http.get(f"/api/v1/records/{game}").json()
    assert [row["size"] for row in known["boards"]] == list(range(smallest, 13))
    for row in known["boards"]:
        assert row["best"] <= row["ceiling"]
        assert (row["best"] == row["ceiling"]) is (row["proof"] == "bound")
        assert row["tie_break"] is None or row["tie_break"] >= row["least_tie_break"]


def test_a_better_game_of_a_player_takes_the_place_of_the_search(monkeypatch):
    shipped = findings.findings()
    best = next(found for found in shipped if (found.game, found.size) == ("up_and_up", 4))
    worse = replace(best, tie_break=best.tie_break + 1, tie_break_proof=None)
    changed = [worse if found is best else found for found in shipped]
    monkeypatch.setattr(findings, "findings", lambda: changed)
    leader = RankedScore(1, 1, "wren", False, 16, best.tie_break, 0, datetime.now(UTC), "game", None)
    (known,) = (row for row in findings.known("up_and_up", {4: leader}) if row.size == 4)
    assert known.is_led_by_player
    assert (known.best, known.tie_break, known.proof) == (16, best.tie_break, "bound")
    assert known.tie_break_proof is None
    slower = replace(leader, tie_break=worse.tie_break)
    (known,) = (row for row in findings.known("up_and_up", {4: slower}) if row.size == 4)
    assert (known.is_led_by_player, known.tie_break) == (False, worse.tie_break)


@pytest.mark.parametrize("size", [3, 6])
def test_a_submitted_best_game_is_drawn_with_its_player(program, visitor, size):
    (best,) = (f for f in findings.findings() if (f.game, f.size) == ("up_and_up", size))
    game_id = submit(program, "up_and_up", size, best.cells)
    page = visitor.http.get("/records/up_and_up").text
    assert program.username in page
    assert f"/games/{game_id}?ply=0" in page


def test_the_shipped_findings_are_reached_by_the_rules():
    for finding in findings.findings():
        if not finding.is_replayable:
            continue
        rules, *_, end = finding.record.rules, *finding.record.positions()
        score = rules.score(end)
        reached = score["solo"] if finding.players == 1 else score["first"] - score["second"]
        assert (rules.legal_moves(end), reached) == ([], finding.value)
        if finding.players == 1:
            is_bound = finding.value == rules.ceiling({"size": finding.size})
            assert is_bound is (finding.proof == "bound")
        if finding.tie_break is not None:
            assert score[rules.tie_break] == finding.tie_break
            is_bound = finding.tie_break == rules.least_tie_break({"size": finding.size})
            assert is_bound is (finding.tie_break_proof == "bound")
