"""Reviews of finished games by a real worker: requested once, shown to everybody."""

import re

import pytest

from tests.support.answers import assert_problem
from tests.support.database import execute
from tests.support.games import move_once_each, rated_game
from tests.support.nugget import new_record
from tests.support.players import Match, Program, Visitor
from tests.support.solitaire import begin, play, random_games
from tests.support.waiting import wait_until

MOVES = ("c4", "g6", "d4", "f6", "e4", "pass", "pass")


@pytest.fixture(scope="module")
def match(server_with_computer):
    """Return a finished game of which a player has requested a review."""
    match = Match(server_with_computer)
    match.play(*MOVES)
    assert match.black.http.post(f"/games/{match.id}/review").status_code == 202
    return match


@pytest.fixture
def finished(match):
    """Return the id of the game."""
    return match.id


def review_of(program, game_id):
    return program.http.get(f"/games/{game_id}/review").json()


def test_a_game_is_reviewed_ply_by_ply_and_shown_to_everybody(finished, server_with_computer):
    program = Program(server_with_computer)
    wait_until(lambda: review_of(program, finished)["status"] == "done", within=120)
    review = review_of(program, finished)
    assert [ply["move"] for ply in review["plies"]] == list(MOVES)
    assert [ply["side"] for ply in review["plies"][:2]] == ["black", "white"]
    assert all(ply["loss"] >= 0 for ply in review["plies"])
    assert all(0 <= accuracy <= 100 for accuracy in review["accuracy"].values())
    score = program.snapshot(finished)["score"]
    assert review["plies"][-1]["points"] == score["black"] - score["white"]
    page = Visitor(server_with_computer).http.get(f"/games/{finished}/review?ply=3")
    assert "Accuracy" in page.text
    assert "Play on from here" in page.text
    assert "Make a puzzle of this position" in page.text
    assert "Move 3 of 7" in page.text
    assert all(f"?ply={ply}" in page.text for ply in range(8))
    for number, ply in enumerate(review["plies"], 1):
        text = Visitor(server_with_computer).http.get(f"/games/{finished}/review?ply={number}").text
        is_better = ply["loss"] >= 0.5 and ply["best"] != "pass"
        assert text.count('class="ghost-disk"') == is_better


def test_readers_of_their_own_games_are_below_the_board(match, server_with_computer):
    names = [match.black.username, match.white.username]
    readers = [Visitor(server_with_computer).log_in(name) for name in names]
    for reader, below in [*zip(readers, names, strict=True), (Visitor(server_with_computer), names[0])]:
        text = reader.http.get(f"/games/{match.id}/review?ply=3").text
        assert re.search(r'screen-bottom">.*?<b>(.*?)</b>', text, re.DOTALL)[1] == below


def test_a_game_that_may_go_on_is_not_reviewed(server, program):
    match = Match(server)
    match.play("c4")
    assert_problem(match.black.http.post(f"/games/{match.id}/review"), 409, "not_over")
    assert review_of(program, match.id)["status"] == "none"
    moves = next(iter(random_games("up_and_up", 3).values()))
    alone = begin(program, "up_and_up", 3)
    play(program, alone, moves)
    assert_problem(program.http.post(f"/games/{alone}/review"), 409, "not_over")
    assert program.http.post(f"/games/{alone}/submit").status_code == 200
    assert program.http.post(f"/games/{alone}/review").status_code == 202


def test_no_review_leads_through_a_rated_game_of_its_reader(server):
    match = Match(server)
    match.play("c4", "f6", "pass", "pass")
    reader, opponent = Program(server), Program(server)
    move_once_each(reader, opponent, rated_game(reader, opponent))
    assert review_of(reader, match.id)["status"] == "none"
    assert match.black.http.post(f"/games/{match.id}/review").status_code == 202
    assert_problem(reader.http.get(f"/games/{match.id}/review"), 409, "game_under_way")


def test_a_board_of_golden_nugget_is_reviewed_for_those_who_may_see_it(server):
    player, reader = Program(server), Program(server)
    boards = new_record(18)
    entry = player.http.post("/nugget/entries", json={"boards": boards}).json()["id"]
    address = f"/nugget/entries/{entry}/boards/2/review"
    assert_problem(reader.http.post(address), 403, "not_published")
    assert_problem(player.http.post(address.replace("/2/", "/21/")), 404, "not_found")
    assert player.http.get(address).json()["status"] == "none"
    assert player.http.post(address).status_code == 202
    asked = player.http.get(address).json()
    assert (asked["status"], asked["evaluated"], asked["to_evaluate"]) == ("under_way", 0, len(boards[1]))


@pytest.fixture
def reviewable(server):
    """Return a player, and the paths of a finished game and of a board of an entry by this player."""
    match = Match(server)
    match.play(*MOVES)
    entry = match.black.http.post("/nugget/entries", json={"boards": new_record(18)}).json()["id"]
    return match.black, [f"/games/{match.id}", f"/nugget/entries/{entry}/boards/2"]


@pytest.mark.parametrize("which", [0, 1])
def test_a_review_that_the_computer_gives_up_can_be_requested_again(server, database_url, reviewable, which):
    program, path = reviewable[0], f"{reviewable[1][which]}/review"
    visitor = Visitor(server).log_in(program.username)

    def shown():
        page = visitor.http.get(path).text
        assert ("Start the review" in page) != ('hx-trigger="every 2s"' in page)
        return program.http.get(path).json()["status"], "Start the review" in page

    assert shown() == ("none", True)
    for _ in range(2):
        assert program.http.post(path).status_code == 202
        assert shown() == ("under_way", False)
        execute(database_url, "UPDATE pgqueuer SET status = 'picked' WHERE entrypoint LIKE 'review%'")
        assert shown() == ("under_way", False)
        execute(database_url, "DELETE FROM pgqueuer WHERE entrypoint LIKE 'review%'")  # as a worker gives up
        assert shown() == ("none", True)


def test_a_visitor_is_offered_a_review_and_may_ask_after_logging_in(server):
    match = Match(server)
    match.play(*MOVES)
    visitor = Visitor(server)
    path = f"/games/{match.id}/review"
    assert f'href="/login?next={path}">Log in to start it</a>' in visitor.http.get(path).text
    assert visitor.http.post(path).status_code == 401
    visitor.register()
    assert "Start the review" in visitor.http.get(path).text
    page = visitor.http.post(f"/games/{match.id}/review")
    assert "The computer has looked at 0 of 7 positions." in page.text
    again = Program(server).http.post(f"/games/{match.id}/review")
    assert again.status_code == 202
