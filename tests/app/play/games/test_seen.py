"""A button about moves means those that its player has seen."""

from tests.support.answers import code
from tests.support.forms import sent_by
from tests.support.games import post
from tests.support.players import Match, Visitor
from tests.support.tournaments import member

STALE = (409, "stale_version")
OTHER_MOVES = "This would now take back other moves."


def play_two(match):
    """Play the first legal move of each side."""
    for _ in range(2):
        match.play(match.mover.snapshot(match.id)["legal_moves"][0])


def test_who_accepts_a_takeback_takes_back_what_was_asked_for(server):
    match = Match(server)
    white = member(server, match.white.username)
    page = f"/games/{match.id}"
    play_two(match)
    assert post(match.black, f"{page}/takeback/ask").status_code == 200
    accept, decline = f"{page}/accept-takeback", f"{page}/no-takeback"
    shown = white.http.get(page).text
    seen, to_decline = sent_by(shown, accept), sent_by(shown, decline)
    play_two(match)  # the request ends
    assert post(match.black, f"{page}/takeback/ask").status_code == 200
    for path, fields in ((accept, seen), (decline, to_decline)):
        refused = white.http.post(path, data=fields)
        assert (refused.status_code, OTHER_MOVES in refused.text) == (409, True)
    snapshot = match.white.snapshot(match.id)
    assert (snapshot["ply"], snapshot["takeback"]) == (4, "black")
    assert white.http.post(accept, data=sent_by(white.http.get(page).text, accept)).is_success
    assert match.white.snapshot(match.id)["ply"] == snapshot["takeback_to"]


def test_programs_say_which_takeback_they_mean_if_they_like(server):
    match = Match(server)
    play_two(match)
    page = f"/games/{match.id}/takeback"
    assert code(post(match.black, f"{page}/ask", takeback_to=1)) == STALE
    assert post(match.black, f"{page}/ask", takeback_to=0).status_code == 200
    for path in ("", "/accept", "/decline"):
        assert code(post(match.white, page + path, takeback_to=1)) == STALE
    assert post(match.white, f"{page}/accept", takeback_to=0).json()["ply"] == 0
    assert code(post(match.white, f"{page}/accept", takeback_to=0)) == (409, "nothing_asked")


def test_a_move_of_a_game_for_one_is_taken_back_once(server):
    visitor = Visitor(server).register()
    page = visitor.http.post("/solitaire", data={"game": "up_and_up"}).url.path
    for _ in range(2):
        shown = visitor.http.get(page).text
        move = sent_by(shown, f"{page}/moves", kind="")
        legal = visitor.http.get(f"/api/v1{page}").json()["legal_moves"][0]
        assert visitor.http.post(f"{page}/moves", data={**move, "move": legal}).is_success
    path = f"{page}/takeback"
    seen = sent_by(visitor.http.get(page).text, path)
    assert visitor.http.post(path, data=seen).is_success
    refused = visitor.http.post(path, data=seen)  # from another tab
    assert (refused.status_code, OTHER_MOVES in refused.text) == (409, True)


def test_a_game_is_submitted_at_the_version_that_was_seen(program):
    game = program.http.post("/games", json={"game": "up_and_up"}).json()
    path = f"/games/{game['id']}/submit"
    assert code(post(program, path, version=game["version"] + 1)) == STALE
    assert code(post(program, path, version=game["version"])) == (409, "not_played_out")
