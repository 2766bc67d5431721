"""A form does nothing in the name of another account than the one for which its page was drawn."""

import re

import pytest
from websockets import ConnectionClosed

from app.people.identity import viewer
from tests.support.forms import sent_by
from tests.support.players import PASSWORD, Visitor, begin_game
from tests.support.routes import calls, examples
from tests.support.waiting import WITHIN

REFUSAL = "This page was opened with another account"

OF_VISITORS = {
    "/guest": {},
    "/pairing": {"clock 5+3": "yes", "board jadejack 8": "yes"},
    "/nugget/submit": {"intent": "submit", "record": "A: 1"},
    "/challenges": {"game": "jadejack", "clock": "10+10"},
    "/challenges/computer": {"game": "jadejack"},
    "/challenges/pair": {"game": "jadejack", "time": "10+10"},
    "/nugget/daily/begin": {},
    "/nugget/runs": {},
    "/language": {"language": "pl", "next": "/lobby"},
    "/solitaire": {"game": "up_and_up"},
    "/solitaire/daily/up_and_up/play": {},
}
"""What forms send that also visitors may send, who become guests by it."""
OF_OTHERS = {
    "/challenges/{challenge_id:id}/accept",
    "/games/{game_id:id}/play-on",
    "/learn/{game:course}/{step:slug}",
    "/nugget/tree/{node:node}/runs",
    "/pairing/{username}/accept",
    "/puzzles/{puzzle_id:id}",
    "/races",
    "/races/{race_id:id}/join",
    "/solitaire/daily/{game:solo}/play",
}
"""Further forms that visitors may send, about things that are to be made first."""
OF_NO_ACCOUNT = {
    "/import",
    "/email/confirm",
    "/email/undo",
    "/unsubscribe",
    "/password/forgot",
    "/password/reset",
    "/appeal/{action_id:serial}",
    "/analysis",
    "/analysis/{game:game}/evaluation",
    "/studies/{study_id:id}/evaluation",
    "/login/recover",
    "/login/passkey/options",
}
"""Forms that do nothing in the name of the viewer's account."""
OF_ANYBODY = {"/login", "/login/code", "/login/passkey", "/register", "/logout"}
"""Forms that say themselves who sends them, and the one that ends a session, whose ever it is."""


def dependencies(dependant):
    """Yield what a route, or what it depends on, depends on."""
    for each in dependant.dependencies:
        yield each.call
        yield from dependencies(each)


def of_accounts():
    """Return the paths that take forms of those who are logged in, such as `/account/close`."""
    return [
        next(examples(call.path, ["somebody"]))
        for call in calls()
        if call.method == "POST"
        and not call.path.startswith(("/api/", "/email"))  # this server sends no mail
        and viewer.signed_in in dependencies(call.route.dependant)
    ]


def test_each_form_of_visitors_is_known_here():
    taken = {
        call.path
        for call in calls()
        if call.method == "POST"
        and viewer.current_viewer in dependencies(call.route.dependant)
        and viewer.signed_in not in dependencies(call.route.dependant)
    }
    daily = {path for path in OF_VISITORS if path.startswith("/solitaire/daily/")}
    assert taken == (OF_VISITORS.keys() - daily) | OF_OTHERS | OF_ANYBODY | OF_NO_ACCOUNT


def key_on(visitor):
    """Return the key of the forms of a page that is drawn for a visitor."""
    page = visitor.http.get("/lobby")
    return re.search(r'name="once" value="([^"]+)"', page.text)[1]


def log_in_as(visitor, other):
    """Log in as another account, as in another tab of the browser."""
    answer = visitor.http.post("/login", data={"username": other.username, "password": PASSWORD})
    assert answer.status_code == 200


@pytest.fixture
def key(server, visitor):
    """Return the key of a page that was drawn for the visitor, who has logged in as somebody else since."""
    other = Visitor(server).register()
    other.http.post("/logout")
    visitor.register()
    drawn = key_on(visitor)
    visitor.http.post("/logout")
    log_in_as(visitor, other)
    return drawn


def test_who_has_logged_in_as_somebody_else_is_told_by_every_form(visitor, key):
    paths, from_teams = of_accounts(), {"Referer": f"{visitor.server.url}/teams"}
    assert len(paths) > 100
    answers = {path: visitor.http.post(path, data={"once": key}, headers=from_teams) for path in paths}
    assert {path: answer.status_code for path, answer in answers.items() if answer.status_code != 409} == {}
    for path, answer in answers.items():
        assert REFUSAL in answer.text, path
        assert re.search(r'href="/teams">\s*Open it again</a>', answer.text), path
    assert "data-account" in visitor.http.get("/lobby").text  # and is still logged in


def test_who_has_logged_in_as_somebody_else_is_told_by_forms_for_visitors(visitor, key):
    for path, fields in OF_VISITORS.items():
        refused = visitor.http.post(path, data={"once": key, **fields})
        assert (refused.status_code, REFUSAL in refused.text) == (409, True), path


def test_who_has_logged_out_does_not_become_a_guest_by_a_form(visitor):
    visitor.register()
    key = key_on(visitor)
    visitor.http.post("/logout")
    for path, fields in OF_VISITORS.items():
        refused = visitor.http.post(path, data={"once": key, **fields})
        assert (refused.status_code, REFUSAL in refused.text) == (409, True), path
    begun = visitor.http.post("/solitaire", data={"once": key_on(visitor), "game": "up_and_up"})
    assert begun.status_code == 200


def test_a_form_that_was_drawn_for_a_visitor_serves_who_has_registered_since(visitor):
    of_visitor = key_on(visitor)
    begin = {"game": "up_and_up"}
    assert visitor.http.post("/solitaire", data={"once": of_visitor, **begin}).status_code == 200
    of_guest = key_on(visitor)
    visitor.register()  # the guest's account
    assert visitor.http.post("/solitaire", data={"once": key_on(visitor), **begin}).status_code == 200
    assert visitor.http.post("/solitaire", data={"once": of_guest, **begin}).status_code == 200


def test_a_move_is_not_played_by_another_account_of_the_browser(server, visitor):
    black, white = visitor.register(), Visitor(server).register()
    moves = f"{begin_game(black, white)}/moves"

    def drawn(page):
        (once,) = re.findall(rf'action="{moves}"[^>]*><input type="hidden" name="once" value="([^"]+)"', page)
        return {"once": once, "move": "a1", **sent_by(page, moves)}

    form = drawn(white.http.get(moves.removesuffix("/moves")).text)
    white.http.post("/logout")
    log_in_as(white, black)
    refused = white.http.post(moves, data=form)
    assert (refused.status_code, REFUSAL in refused.text) == (409, True)
    played = white.http.post(moves, data=drawn(white.http.get(moves.removesuffix("/moves")).text))
    assert played.status_code == 200


@pytest.mark.parametrize("path", ["/lobby/live", "/account/live", "/home/live", "/tournaments/live"])
def test_a_page_gets_nothing_live_for_another_account_of_the_browser(server, visitor, path):
    visitor.register()
    drawn_for = re.search(r'data-account="(\d+)"', visitor.http.get("/lobby").text)[1]
    with visitor.live(f"{path}?account={drawn_for}") as page:
        assert page.recv(WITHIN)
    log_in_as(visitor, Visitor(server).register())
    with visitor.live(f"{path}?account={drawn_for}") as page, pytest.raises(ConnectionClosed) as closed:
        page.recv(WITHIN)
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4409, "other_account")
