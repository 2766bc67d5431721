"""Pages that wait for a game: which they are, and for which game they are left."""

import contextlib
import re

import pytest

from tests.support.games import BLITZ, post
from tests.support.players import Match, Program, Visitor
from tests.support.solitaire import begin
from tests.support.tournaments import BULLET, Cup, member
from tests.support.waiting import WITHIN

DAYS = {"kind": "correspondence", "days": 3}


def finished_game(server, **terms):
    match = Match(server, **terms)
    assert post(match.black, f"/games/{match.id}/abort").is_success
    return member(server, match.black.username), f"/games/{match.id}"


def cup(server, clock, control):
    cup = Cup(server, clock, 2, "swiss", rounds=3, time_control=control)
    return member(server, next(iter(cup.programs))), f"/tournaments/{cup.id}"


def race(server):
    visitor = Visitor(server)
    return visitor, visitor.http.post(
        "/races", data={"game": "up_and_up", "size": "4", "minutes": "5"}
    ).url.path


def running_race(server):
    visitor, path = race(server)
    visitor.http.post(f"{path}/start")
    return visitor, path


def challenge(server):
    visitor = Visitor(server)
    return visitor, visitor.http.post("/challenges", data={"clock": "realtime"}).url.path


def search(server):
    visitor = Visitor(server)
    fields = {"clock 5+3": "yes", "board jumping_farther 11": "yes"}
    return visitor, visitor.http.post("/pairing", data=fields).url.path


def solitaire(server):
    program = Program(server)
    return member(server, program.username), f"/games/{begin(program)}"


# What makes a page, from the server and its clock, and whether it waits.
PAGES = {
    "the lobby": (lambda server, _: (Visitor(server).register(), "/lobby"), True),
    "a challenge": (lambda server, _: challenge(server), True),
    "a search": (lambda server, _: search(server), True),
    "a tournament": (lambda server, clock: cup(server, clock, BULLET), True),
    "a race": (lambda server, _: race(server), True),
    "a finished game": (lambda server, _: finished_game(server), True),
    "a finished game by correspondence": (lambda server, _: finished_game(server, time_control=DAYS), True),
    "the home page": (lambda server, _: (Visitor(server).register(), "/"), False),
    "the form of a search": (lambda server, _: (Visitor(server).register(), "/pairing"), False),
    "a tournament by correspondence": (lambda server, clock: cup(server, clock, DAYS), False),
    "a race under way": (lambda server, _: running_race(server), False),
    "a game for one": (lambda server, _: solitaire(server), False),
}


@pytest.mark.parametrize(("make", "waits"), PAGES.values(), ids=PAGES)
def test_a_page_keeps_its_connections_while_it_is_hidden_if_it_waits_for_a_game(server, clock, make, waits):
    visitor, path = make(server, clock)
    page = visitor.http.get(path).text
    assert ("data-waits" in page, '"pauseOnBackground": false' in page) == (waits, waits)


def heard(socket, until):
    """Return the messages of a page up to one with a text."""
    messages = []
    while until not in "".join(messages):
        messages.append(socket.recv(WITHIN))
    return messages


@pytest.mark.parametrize(("control", "leads"), [(BLITZ, True), (DAYS, False), (None, False)])
def test_a_page_is_left_for_a_game_in_real_time_only(server, control, leads):
    maker, other = Program(server), Program(server)
    made = maker.challenge(time_control=control).json()["id"]
    with member(server, maker.username).live("/account/live") as page:
        page.recv(WITHIN)
        game = post(other, f"/challenges/{made}/accept").json()["game_id"]
        last = other.challenge(opponent=maker.username).json()["id"]
        assert (f'{{"visit":"/games/{game}"}}' in heard(page, last)) is leads


@pytest.mark.parametrize("control", [BLITZ, DAYS, None])
def test_the_page_of_a_challenge_is_left_for_its_game_whatever_the_clock(server, control):
    maker, other = Program(server), Program(server)
    made = maker.challenge(time_control=control).json()["id"]
    with member(server, maker.username).live(f"/challenges/{made}/live") as page:
        page.recv(WITHIN)
        game = post(other, f"/challenges/{made}/accept").json()["game_id"]
        heard(page, f'{{"visit":"/games/{game}"}}')


def address_in(page, pattern):
    return re.search(rf'data-hx-ws-connect="({pattern}[^"]*)"', page)[1].replace("&amp;", "&")


def rematch(server):
    """Return the visitor's page of a finished game, and what begins its rematch and returns that game."""
    match = Match(server, time_control=DAYS)
    post(match.black, f"/games/{match.id}/abort")
    post(match.black, f"/games/{match.id}/rematch")
    path = f"/games/{match.id}"
    return (
        member(server, match.black.username),
        path,
        lambda: post(match.white, f"{path}/rematch").json()["game_id"],
    )


def race_to_start(server):
    visitor, path = race(server)
    return visitor, path, lambda: visitor.http.post(f"{path}/start").url.path.rpartition("/")[2]


def challenge_to_accept(server):
    visitor, path = challenge(server)
    accept = f"{path}/accept"
    return visitor, path, lambda: post(Program(server), accept).json()["game_id"]


@pytest.mark.parametrize("make", [rematch, race_to_start, challenge_to_accept])
def test_a_page_that_learns_late_of_its_game_goes_there(server, make):
    visitor, path, begin_game = make(server)
    address = address_in(visitor.http.get(path).text, path)
    game = begin_game()
    with visitor.live(address) as page:
        heard(page, f'{{"visit":"/games/{game}"}}')


def test_a_page_that_knows_the_rematch_is_not_left_for_it(server):
    visitor, path, begin_game = rematch(server)
    begin_game()
    with visitor.live(address_in(visitor.http.get(path).text, path)) as page:
        assert "visit" not in "".join(heard(page, 'hx-target="#rematch"'))
        with contextlib.suppress(TimeoutError):
            assert "visit" not in page.recv(0.5)


def test_a_page_whose_reader_joins_elsewhere_waits_from_then_on(server, clock):
    running = Cup(server, clock, 3, "swiss", rounds=3)  # of four then: nobody has a bye
    program = Program(server)
    page, sentence = member(server, program.username), "Keep this page open: your first game opens here."
    before = page.http.get(f"/tournaments/{running.id}").text
    assert ("data-waits" in before, '"pauseOnBackground": false' in before) == (False, True)
    with page.live(address_in(before, f"/tournaments/{running.id}")) as socket:
        assert "data-waits" not in "".join(heard(socket, "Join"))
        running.join(program)
        (own,) = [message for message in heard(socket, sentence) if sentence in message]
        assert "data-waits" in own
        running.start()
        heard(socket, '{"visit":"/games/')
