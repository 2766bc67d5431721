"""The rematch of a finished game, as the pages of its players show it."""

import re

import pytest

from tests.support.games import post
from tests.support.players import Match, Program
from tests.support.tournaments import member
from tests.support.waiting import WITHIN

HTMX = {"HX-Request": "true", "HX-Request-Type": "partial"}


@pytest.fixture
def match(server):
    match = Match(server)
    post(match.black, f"/games/{match.id}/abort")
    return match


@pytest.fixture
def pages(server, match):
    """Return the browsers of both players, first of whom offers the rematch."""
    return [member(server, program.username) for program in (match.black, match.white)]


def offer(match):
    return post(match.black, f"/games/{match.id}/rematch").json()["challenge_id"]


def nothing(_match, _offer):
    pass


def cancel(match, challenge):
    post(match.black, f"/challenges/{challenge}/cancel")


def decline(match, challenge):
    post(match.white, f"/challenges/{challenge}/decline", reason="later")


def accept(match, challenge):
    post(match.white, f"/challenges/{challenge}/accept")


def offer_again(match, challenge):
    decline(match, challenge)
    offer(match)


def shown(html):
    """Return the texts that tell of the rematch, in a page or an update."""
    [part] = re.findall(r'(?s)<div id="rematch".*?</div>|hx-target="#rematch".*?</hx-partial>', html)
    texts = "Rematch offered", ">Cancel<", ">Accept the rematch<", ">Rematch<", "It was declined"
    return [text for text in texts if text in re.sub(r">\s+", ">", part)]


OFFERED, TO_ACCEPT, NONE = ["Rematch offered", ">Cancel<"], [">Accept the rematch<"], [">Rematch<"]
STATES = {
    nothing: (OFFERED, TO_ACCEPT),
    cancel: (NONE, NONE),
    decline: ([*NONE, "It was declined"], NONE),
    accept: (NONE, NONE),
    offer_again: (OFFERED, TO_ACCEPT),
}


@pytest.mark.parametrize(("happens", "expected"), STATES.items())
def test_pages_and_sockets_show_how_far_it_has_come(match, pages, happens, expected):
    path = f"/games/{match.id}"
    live = [page.live(f"{path}/live") for page in pages]
    challenge = offer(match)
    happens(match, challenge)
    for page, socket, texts in zip(pages, live, expected, strict=True):
        assert shown(page.http.get(path).text) == texts
        with socket:
            while True:
                update = socket.recv(WITHIN)
                if 'hx-target="#rematch"' in update and shown(update) == texts:
                    break


def test_a_game_offers_only_its_own_rematch(server, match, pages):
    other = Match(server)
    post(other.black, f"/games/{other.id}/abort")
    stranger = Program(server)
    elsewhere = stranger.begin(match.white)
    post(stranger, f"/games/{elsewhere}/abort")
    post(stranger, f"/games/{elsewhere}/rematch")
    visitor = pages[1]
    assert shown(visitor.http.get(f"/games/{elsewhere}").text) == TO_ACCEPT
    assert shown(visitor.http.get(f"/games/{match.id}").text) == NONE


def test_who_offers_one_is_told_so_and_stays_when_it_is_cancelled(match, pages):
    maker = pages[0].http
    answer = maker.post(f"/games/{match.id}/rematch", headers=HTMX)
    assert "Your opponent has been asked." in answer.text
    assert shown(answer.text) == OFFERED
    path = re.search(r'action="(/challenges/\w+/cancel)"', answer.text)[1]
    cancelled = maker.post(path, headers=HTMX)
    assert (cancelled.status_code, cancelled.headers.get("HX-Redirect")) == (204, None)


def test_a_page_that_was_open_at_the_end_shows_offers(server):
    match = Match(server)
    visitor = member(server, match.black.username)
    with visitor.live(f"/games/{match.id}/live") as page:
        page.recv(WITHIN)
        post(match.white, f"/games/{match.id}/abort")
        post(match.white, f"/games/{match.id}/rematch")
        while not ('hx-target="#rematch"' in (update := page.recv(WITHIN)) and shown(update) == TO_ACCEPT):
            pass
