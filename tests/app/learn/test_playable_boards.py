"""Whatever page has a board to play on, each legal move has a control on it: the pass, too."""

import re

import pytest

from app.learn.puzzles.collection import id_of
from engine.puzzles.shipped import shipped
from engine.registry import FOR_TWO
from tests.support.database import execute
from tests.support.players import Match, Visitor

RULES = FOR_TWO["jadejack"]
SIZE = 9
LINE = ["c4", "g6", "d4"]
STORE = """
INSERT INTO reviewed_plies (game_id, ply, best, points, played, is_exact)
SELECT $1, ply, 'pass', 0, CASE ply WHEN $2 THEN -4 ELSE 0 END, true FROM generate_series(0, $2 + 1) AS ply
"""


def position_after(moves):
    position = RULES.initial({"size": SIZE})
    for move in moves:
        position = RULES.play(position, move)
    return position


def controls(page, of_text_browsers):
    """Return the moves that buttons of a page send: those without scripts and styles, or all others."""
    buttons = re.findall(r"<button([^>]*)>", page)
    return {
        value[1]
        for attributes in buttons
        if 'name="move"' in attributes
        and (value := re.search(r'value="([^"]+)"', attributes))
        and (" hidden" in attributes) == (of_text_browsers and value[1] == "pass")
    }


def game(server, _database_url):
    match = Match(server)
    match.play(*LINE)
    visitor = Visitor(server).log_in(match.white.username)
    return visitor, f"/games/{match.id}", position_after(LINE)


def conditional_moves(server, _database_url):
    match = Match(server)
    match.play(*LINE)
    visitor = Visitor(server).log_in(match.black.username)
    return visitor, f"/games/{match.id}/conditions", position_after(LINE)


def analysis(server, _database_url):
    path = f"/analysis/jadejack?size={SIZE}&moves={','.join(LINE)}"
    return Visitor(server), path, position_after(LINE)


def puzzle(server, _database_url):
    first = next(iter(shipped("jadejack")))
    return Visitor(server), f"/puzzles/{id_of(first)}", first.start


def move_of_a_review(server, database_url):
    """A move that cost points is tried again where a pass was the best."""
    match = Match(server)
    match.play(*LINE, "h6")
    match.black.http.post(f"/games/{match.id}/resign")
    execute(database_url, "INSERT INTO game_reviews (game_id) VALUES ($1)", match.id)
    execute(database_url, STORE, match.id, len(LINE))
    return Visitor(server), f"/games/{match.id}/review?ply={len(LINE)}&again=yes", position_after(LINE)


@pytest.mark.parametrize("of_text_browsers", [False, True])
@pytest.mark.parametrize("shown", [game, conditional_moves, analysis, puzzle, move_of_a_review])
def test_each_legal_move_has_a_control(server, database_url, shown, of_text_browsers):
    visitor, path, position = shown(server, database_url)
    page = visitor.http.get(path)
    assert page.status_code == 200
    assert controls(page.text, of_text_browsers) >= set(RULES.legal_moves(position))


def test_a_pass_that_was_better_is_found(server, database_url):
    visitor, path, _position = move_of_a_review(server, database_url)
    assert "Find a better move." in visitor.http.get(path).text
    found = visitor.http.get(f"{path}&move=pass").text
    assert "You found it: pass." in found
    assert 'value="pass"' not in found
