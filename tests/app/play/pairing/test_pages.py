"""The page on which a player looks for any of several games."""

import re

from app.play.pairing import schemas
from app.play.pairing.schemas import BOARDS_OF
from app.play.pairing.searches import MOST_WANTED
from app.play.pairing.store import delete_old_searches
from tests.support.database import fetch, on_database
from tests.support.players import Visitor

CLOCKS = {"clock 5+3": "yes", "clock 30+20": "yes"}


def begin(visitor, *fields, **limits):
    return visitor.http.post("/pairing", data={**CLOCKS, **dict.fromkeys(fields, "yes"), **limits})


def test_two_visitors_who_want_the_same_play_as_guests(server):
    one, other = Visitor(server), Visitor(server)
    waiting = begin(one, "board jadejack 8", "board jumping_farther 8")
    assert waiting.url.path == "/pairing"
    assert "Looking for an opponent" in waiting.text
    for shown in ("<dt>JadeJack</dt><dd>8×8</dd>", "<dd>5+3, 30+20</dd>"):
        assert shown in waiting.text
    playing = begin(other, "board jadejack 9", "board jumping_farther 8")
    assert re.fullmatch(r"/games/\w+", playing.url.path)
    assert "Find an opponent" in one.http.get("/pairing").text


def test_correspondence_games_are_found_as_others_are(server):
    one, other = Visitor(server).register(), Visitor(server).register()
    fields = {"board jadejack 8": "yes", "clock 3 days a move": "yes"}
    assert 'name="clock 3 days a move"' in one.http.get("/pairing").text
    assert "3 days per move" in one.http.post("/pairing", data=fields).text
    playing = other.http.post("/pairing", data={**fields, "clock 5+3": "yes"})
    assert re.fullmatch(r"/games/\w+", playing.url.path)
    assert "3 days per move" in playing.text


def test_programs_may_want_all_that_the_form_offers():
    boards = sum(len(boards) for boards in BOARDS_OF.values())
    assert boards * len(schemas.CLOCKS) <= MOST_WANTED


def test_the_form_keeps_what_was_chosen(server):
    visitor = Visitor(server).register()
    for fields, limits, message in (
        ((), {}, "Choose at least one board."),
        (("board jadejack 12",), {"rating_min": "1600"}, "Your rating (1500) must lie within the range."),
        (("board jadejack 12",), {"rating_min": "high"}, "Enter a whole number."),
    ):
        answer = begin(visitor, *fields, **limits)
        assert answer.status_code == 422
        assert message in answer.text
        assert 'name="clock 30+20" value="yes" checked' in answer.text
    assert (
        "Choose at least one clock." in visitor.http.post("/pairing", data={"board jadejack 8": "yes"}).text
    )
    begin(visitor, "board jadejack 12", rating_min="1400")
    ended = visitor.http.post("/pairing/cancel")
    for shown in ('name="board jadejack 12" value="yes" checked', 'value="1400"'):
        assert shown in ended.text
    assert 'name="board jadejack 10" value="yes" checked' not in ended.text


def test_the_computer_is_offered_after_20_seconds(server, clock):
    visitor = Visitor(server).register()
    hidden = 'data-after="20" hidden'
    assert hidden in begin(visitor, "board jadejack 13").text
    clock.advance(seconds=10)
    assert hidden in visitor.http.get("/pairing").text
    clock.advance(seconds=10)
    offered = visitor.http.get("/pairing").text
    assert hidden not in offered
    assert "You can play the computer instead" in offered
    playing = visitor.http.post("/challenges/computer", data={"game": "jadejack", "level": "1"})
    assert playing.url.path.startswith("/games/")
    assert "Looking for an opponent" not in visitor.http.get("/pairing").text


def test_old_searches_are_forgotten(server, database_url, clock):
    visitor = Visitor(server).register()
    begin(visitor, "board jadejack 13")
    own = f"SELECT 1 FROM searches JOIN accounts ON id = account_id WHERE username = '{visitor.username}'"
    on_database(database_url, delete_old_searches)
    assert fetch(database_url, own)
    clock.advance(days=1, minutes=2)
    on_database(database_url, delete_old_searches)
    assert not fetch(database_url, own)
