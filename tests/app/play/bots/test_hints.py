"""A hint belongs to the version of the game for which it was asked."""

import re
import uuid
from html import unescape

import pytest

from engine.registry import FOR_TWO
from tests.support.games import know, stand_against_computer
from tests.support.players import Match, Visitor

RULES = FOR_TWO["jadejack"]


@pytest.fixture
def player(server, database_url):
    """Return a player whose turn it is in a game against the computer, in which e4 is good."""
    visitor = Visitor(server).register()
    know(database_url, RULES, RULES.initial({"size": 9}), [["e4", 1, ["d5"]]])
    visitor.game = f"/games/{stand_against_computer(database_url, visitor.username, [])}"
    return visitor


def test_without_scripts_a_hint_is_on_the_page_of_the_game_as_long_as_its_version_lasts(player):
    page = player.http.post(f"{player.game}/hint")
    assert page.url.path == player.game
    assert "Hint: try <b>e4</b>" in page.text
    assert f'name="next" value="{page.url.raw_path.decode()}"' in unescape(page.text)
    assert "Hint:" in player.http.get(str(page.url)).text
    move = {"move": "d4", "ply": 0, "move_id": uuid.uuid4().hex}
    assert player.http.post(f"{player.game}/moves", data=move).is_success
    assert "Hint:" not in player.http.get(str(page.url)).text


def test_with_scripts_a_hint_says_for_which_version_it_is(player):
    version = re.search(r'id="version"[^>]*data-version="(\d+)"', player.http.get(player.game).text)[1]
    hint = player.http.post(f"{player.game}/hint", headers={"HX-Request": "true"})
    assert f'data-hint="e4" data-version="{version}"' in hint.text


@pytest.mark.parametrize("query", ["hint=e4", "hint=e4&version=99", "hint=z9&version=0", "hint=&version=0"])
def test_what_is_no_hint_at_this_version_is_not_shown(player, query):
    assert "Hint:" in player.http.get(f"{player.game}?hint=e4&version=0").text
    assert "Hint:" not in player.http.get(f"{player.game}?{query}").text


def test_only_who_may_ask_is_shown_a_hint(server, player):
    assert "Hint:" not in Visitor(server).http.get(f"{player.game}?hint=e4&version=0").text
    match = Match(server)
    black = Visitor(server).log_in(match.black.username)
    assert "Hint:" not in black.http.get(f"/games/{match.id}?hint=e4&version=0").text
