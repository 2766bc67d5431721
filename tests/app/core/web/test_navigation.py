"""The marked link of the navigation."""

import re

import pytest

from app.core.web.navigation import navigation_mark
from tests.support.players import Visitor

NAVIGATION = re.compile(r'<nav [^>]*id="menu".*?</nav>', re.DOTALL)
MARKED = re.compile(r'<a href="([^"]+)" aria-current="(page|true)">')


@pytest.mark.parametrize(
    ("path", "link", "marked_as"),
    [
        ("/lobby", "/lobby", "page"),
        ("/nugget/daily", "/nugget", "true"),
        ("/nugget", "/nugget", "page"),
        ("/records", "/leaderboards", "true"),
        ("/rules", "/learn", "true"),
        ("/solitaire", "/solitaire", "page"),
        ("/nuggets", "", ""),
        ("/", "", ""),
    ],
)
def test_a_page_marks_the_link_of_its_section(path, link, marked_as):
    assert navigation_mark(path) == (link, marked_as)


def test_readers_see_the_mark_of_their_own_page(server):
    visitor, player = Visitor(server), Visitor(server)
    player.register()
    for path in ("/lobby", "/watch", "/nugget", "/lobby"):
        for reader in (visitor, player):
            (navigation,) = NAVIGATION.findall(reader.http.get(path).text)
            assert MARKED.findall(navigation) == [(path, "page")]
    assert player.username in player.http.get("/lobby").text
    assert player.username not in visitor.http.get("/lobby").text
