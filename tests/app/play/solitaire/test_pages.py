"""Solitaire games by forms."""

import html
import re
import uuid

import httpx
import pytest

from engine.registry import SOLITAIRE
from tests.support.players import PASSWORD, fresh_name
from tests.support.solitaire import random_games


@pytest.mark.parametrize("game", SOLITAIRE)
def test_a_visitor_plays_by_one_click_as_a_guest(visitor, game):
    assert f'value="{game}"' in visitor.http.get("/").text
    page = visitor.http.post("/solitaire", data={"game": game})
    assert page.url.path.startswith("/games/")
    assert "Your move" in page.text
    again = visitor.http.post("/solitaire", data={"game": game})
    assert again.url == page.url  # the game without a move yet
    assert page.url.path in visitor.http.get("/solitaire").text
    wrong = visitor.http.post("/solitaire", data={"game": game, "size": "99"})
    assert wrong.status_code == 422


def test_a_game_continues_where_it_was_left(visitor, server):
    visitor.register()
    game = visitor.http.post("/solitaire", data={"game": "up_and_up", "size": "4"}).url.path
    move = {"move": "b2", "ply": "0", "move_id": str(uuid.uuid4())}
    assert "k is 1: 2 goes next to 1" in visitor.http.post(f"{game}/moves", data=move).text
    page = visitor.http.get("/").text
    assert game in page
    assert "Your turn" not in page
    profile = visitor.http.get(f"/players/{visitor.username}").text
    assert game in profile


def test_a_guest_submits_after_registering(visitor, server):
    moves = next(iter(random_games("up_and_up", 4).values()))
    game = visitor.http.post("/solitaire", data={"game": "up_and_up", "size": "4"}).url.path
    for ply, move in enumerate(moves):
        form = {"move": move, "ply": str(ply), "move_id": str(uuid.uuid4())}
        page = visitor.http.post(f"{game}/moves", data=form)
    assert "Submit the score" in page.text
    refused = visitor.http.post(f"{game}/submit", headers={"Referer": str(page.url)})
    assert refused.status_code == 403
    back = html.unescape(re.search(r'href="(/register\?[^"]+)"', refused.text).group(1))
    form = {"username": fresh_name(), "password": PASSWORD, "next": httpx.URL(back).params["next"]}
    assert visitor.http.post("/register", data=form).url.path == game
    visitor.username = form["username"]
    accepted = visitor.http.post(f"{game}/submit")
    assert "It is listed among the" in accepted.text
    scores = visitor.http.get("/scores/up_and_up/4").text
    assert visitor.username in scores
    assert f"{game}?ply=0" in scores
    assert visitor.username in visitor.http.get("/records/up_and_up").text
    assert "Undo" not in accepted.text
