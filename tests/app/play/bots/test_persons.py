"""Whatever helps over a page counts all accounts that have logged in in the same browser as one person."""

import uuid

import pytest

from engine.golden_nugget.board import START
from engine.puzzles.rules import ONE_BOARD
from engine.registry import FOR_TWO
from tests.support.database import execute
from tests.support.games import (
    know,
    know_weighed,
    move_once_each,
    play_until_rated,
    rated_game,
    stand_against_computer,
)
from tests.support.players import PlayingPage, Program, Visitor

RULES = FOR_TWO["jadejack"]
OPTIONS = {"size": 9}
LINE = ["c4", "f6"]  # as `move_once_each` plays


def standing_at(line):
    position = RULES.initial(OPTIONS)
    for move in line:
        position = RULES.play(position, move)
    return position


POSITION = standing_at(LINE)


class Against:
    """A browser whose user plays the computer from the position on, and has finished such a game."""

    def __init__(self, database_url, visitor):
        self.visitor = visitor
        self.under_way, self.finished = (
            stand_against_computer(database_url, visitor.username, LINE) for _ in range(2)
        )
        assert visitor.http.post(f"/games/{self.finished}/resign").is_success

    def post(self, path, **data):
        return self.visitor.http.post(path, data=data, follow_redirects=False)


def analysis(browser):
    return browser.visitor.http.get(f"/analysis/jadejack?size=9&moves={','.join(LINE)}").is_success


def evaluation(browser):
    asked = browser.post("/analysis/jadejack/evaluation", size="9", moves=",".join(LINE), at="")
    return asked.is_success


def explorer(browser):
    query = {"game": RULES.key, "position": RULES.format(POSITION)}
    return browser.visitor.http.get("/explorer", params=query).is_success


def hint(browser):
    return "hint=d3" in browser.post(f"/games/{browser.under_way}/hint").headers.get("location", "")


def coach_by_form(browser):
    return browser.post(f"/games/{browser.under_way}/moves", **bad_move()).status_code == 409


def coach_by_connection(browser):
    page = PlayingPage(browser.visitor, f"/games/{browser.under_way}")
    return not page.send({"type": "move", **bad_move()})[1]["played"]


def bad_move():
    return {"move": "a9", "ply": len(LINE), "move_id": uuid.uuid4().hex}


def playing_on(browser):
    return browser.post(f"/games/{browser.finished}/play-on", ply="2", level="1").status_code == 303


def rematch(browser):
    return browser.post(f"/games/{browser.finished}/rematch").status_code == 303


def review(browser):
    return browser.post(f"/games/{browser.finished}/review").status_code == 303


@pytest.mark.parametrize(
    "helps",
    [
        analysis,
        evaluation,
        explorer,
        hint,
        coach_by_form,
        coach_by_connection,
        playing_on,
        rematch,
        review,
    ],
)
def test_a_second_account_of_the_browser_gets_no_help_in_a_rated_game_of_the_first(
    server, database_url, helps
):
    program, opponent = Program(server), Program(server)
    visitor = Visitor(server).log_in(program.username)
    visitor.http.post("/logout")
    person, stranger = (Against(database_url, each.register()) for each in (visitor, Visitor(server)))
    game = rated_game(program, opponent, options=OPTIONS)
    move_once_each(program, opponent, game)
    play_until_rated(program, opponent, game)  # the position is far behind
    know(database_url, RULES, POSITION, [["d3", 1, ["g7"]]])
    know_weighed(database_url, RULES, POSITION, [["d3", 5, ["g7"]], ["a9", -4, ["g7"]]])
    coached = "INSERT INTO coached_games (game_id) VALUES ($1), ($2)"
    execute(database_url, coached, person.under_way, stranger.under_way)
    assert not helps(person)
    assert helps(stranger)


def test_a_second_account_of_the_browser_gets_no_hint_in_the_puzzle_of_the_first(server, database_url):
    program = Program(server)
    visitor = Visitor(server).log_in(program.username)
    shown = (
        "INSERT INTO shown_puzzles (account_id, puzzle_id, game, position) "
        "SELECT id, 'start', 'golden_nugget', $2 FROM accounts WHERE username = $1"
    )
    execute(database_url, shown, program.username, ONE_BOARD.format(START))
    visitor.http.post("/logout")
    run = visitor.register().http.post("/nugget/runs").url.path
    refused = visitor.http.post(f"{run}/hint")
    assert refused.status_code == 409
    assert "the puzzle that you are solving" in refused.text
