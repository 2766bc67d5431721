"""An open page of a tournament, or of their lists, shows what a reload would show."""

import asyncio
import contextlib
import re
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from app.compete.tournaments import live
from app.compete.tournaments.presenter import ROWS
from app.core.realtime.hub import Hub
from app.live import pushing
from app.live.connections import Stream
from tests.support.players import Program, Visitor
from tests.support.tournaments import Cup, member
from tests.support.waiting import WITHIN, wait_until

_PARTS = ("name", "terms", "status", "own", "standings", "rounds")
_PARTS_OF_LISTS = ("yours", "lists")
_LONG = {"kind": "realtime", "limit": 3600, "increment": 0}
_PART = re.compile(r'<hx-partial hx-target="#tournament-(\w+)"[^>]*>(.*?)</hx-partial>', re.DOTALL)
_VOID = {"area", "br", "hr", "img", "input", "link", "meta", "use", "wbr"}
_COUNTED = re.compile(r"(<[^>]* data-(?:relative|left|deadline)\b[^>]*>)[^<]*")  # by scripts, on open pages


class _TextOf(HTMLParser):
    """The text in the element with an id, or in all of a part of a page."""

    def __init__(self, html, id_=None):
        super().__init__()
        self._id, self._depth, self._texts = id_, 1 if id_ is None else 0, []
        self.feed(_COUNTED.sub(r"\1", html))
        self.text = " ".join(" ".join(self._texts).split())

    def handle_starttag(self, tag, attributes):
        is_inside = self._depth or (self._id and dict(attributes).get("id") == self._id)
        if is_inside and tag not in _VOID:
            self._depth += 1

    def handle_endtag(self, tag):
        if self._depth and tag not in _VOID:
            self._depth -= 1

    def handle_data(self, data):
        if self._depth:
            self._texts.append(data)


class OpenPage:
    """A page of a tournament or of lists that somebody has opened, with what was pushed to its parts."""

    def __init__(self, visitor, path, opened, parts=_PARTS):
        self.visitor, self._path, self._parts = visitor, path, parts
        self._socket = opened.enter_context(visitor.live(f"{path}/live"))
        self._pushed = {}

    def outdated(self):
        """Receive what was pushed, and return the parts that differ from a new page: both texts by part."""
        with contextlib.suppress(TimeoutError):
            while True:
                self._pushed |= dict(_PART.findall(self._socket.recv(0.2)))
        reloaded = self.visitor.http.get(self._path).text
        texts = {
            part: (_TextOf(self._pushed.get(part, "")).text, _TextOf(reloaded, f"tournament-{part}").text)
            for part in self._parts
        }
        return {part: both for part, both in texts.items() if both[0] != both[1]}


@pytest.fixture
def watched(server, clock):
    """Return what makes a tournament, and opens its page for all kinds of readers, and the lists."""
    with contextlib.ExitStack() as opened:

        def make(kind, **members):
            cup = Cup(server, clock, 4, kind, **members)
            path = f"/tournaments/{cup.id}"
            player = member(server, next(iter(cup.programs)))
            organiser = member(server, cup.organiser.username)
            readers = (Visitor(server), Visitor(server).register(), player, organiser)
            pages = [OpenPage(reader, path, opened) for reader in readers]
            lists = [OpenPage(reader, "/tournaments", opened, _PARTS_OF_LISTS) for reader in readers[1:3]]
            return cup, [*pages, *lists]

        yield make


def check(pages):
    for page in pages:
        with contextlib.suppress(AssertionError):
            wait_until(lambda page=page: not page.outdated(), within=WITHIN)
        assert page.outdated() == {}


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        ("arena", {"minutes": 20, "time_control": _LONG}),
        ("swiss", {"rounds": 3, "max_players": 4}),
        ("round_robin", {"max_players": 4, "pause": 5}),
        ("knockout", {"max_players": 4, "pause": 5}),
    ],
)
def test_an_open_page_becomes_that_of_each_state_until_the_end(watched, kind, members):
    cup, pages = watched(kind, **members)
    check(pages)
    cup.start()
    while cup.shown["status"] == "started":
        wait_until(lambda: cup.running or cup.shown["status"] != "started")
        check(pages)
        if kind == "arena":
            cup.make_first_moves()
            cup.clock.advance(minutes=20)
            check(pages)
            assert "The time is up." in pages[0].visitor.http.get(f"/tournaments/{cup.id}").text
        if cup.running:
            cup.play_round()
        if cup.shown["pause_until"]:
            check(pages)
            cup.end_pause()
    check(pages)


def test_an_open_page_becomes_that_of_a_cancelled_tournament(watched):
    cup, pages = watched("swiss", rounds=3)
    cup.organiser.http.post(f"/tournaments/{cup.id}/cancel", json={"reason": "Too few have time."})
    cup.wait_for("cancelled")
    check(pages)


def test_an_open_page_becomes_that_of_a_full_tournament(watched, server):
    cup, pages = watched("knockout", max_players=5)
    cup.join(Program(server))
    check(pages)


def test_an_open_page_with_more_players_than_rows_is_that_of_its_reader(watched, server):
    cup, pages = watched("swiss", rounds=3, max_players=40)
    visitor, stranger, first, organiser, *_lists = (page.visitor for page in pages)
    for _ in range(ROWS - 3):
        cup.join(Program(server))
    check(pages)
    last = cup.standings[-1]["username"]
    reader = member(server, last)
    second_page = f"/tournaments/{cup.id}?number=2"
    assert "at=me" in reader.http.get(f"/tournaments/{cup.id}").text
    assert "at=me" not in reader.http.get(second_page).text
    for each in (visitor, stranger, organiser):
        assert "at=me" not in each.http.get(f"/tournaments/{cup.id}").text
    assert "at=me" in first.http.get(second_page).text


def test_an_open_page_shows_the_points_of_who_comes_late(watched, server):
    cup, pages = watched("swiss", rounds=3, max_players=9, time_control=_LONG)
    cup.start()
    wait_until(lambda: cup.running)
    late = Program(server)
    cup.join(late)
    wait_until(lambda: cup.points[late.username] == 0.5)
    check(pages)


async def test_what_could_not_be_sent_does_not_count_as_sent(monkeypatch):
    monkeypatch.setattr(pushing, "_RENDER_AGAIN_AFTER", 0.01)
    stream, failures = Stream(Hub(), None), [ConnectionRefusedError()]
    info = SimpleNamespace(terms=SimpleNamespace(is_realtime=False, chat=True))

    class Parts:
        @contextlib.asynccontextmanager
        async def page(self, _websocket):
            yield stream

        async def read(self, _id):
            return SimpleNamespace(info=info)

        async def conversations(self, _viewer, _info):
            if failures:
                raise failures.pop()
            return []

    async def pictured(_snapshot, _games):
        return SimpleNamespace(featured=None)

    async def look(*_):
        pass

    def update(drawing, *_):
        return "".join(drawing._parts.changed({"status": "status"}))

    monkeypatch.setattr(live.presenter, "pictured", pictured)
    monkeypatch.setattr(live.TournamentDrawing, "look", look)
    monkeypatch.setattr(live.TournamentDrawing, "update", update)
    monkeypatch.setattr(live.TournamentDrawing, "update_chat", lambda *_: " chat")
    parts = Parts()
    await live.live_tournament(None, "a", parts, parts, None, parts, None, live.LiveShown())
    async with asyncio.timeout(WITHIN):
        assert await anext(stream.lines()) == b"status chat\n"
    await stream.release()
