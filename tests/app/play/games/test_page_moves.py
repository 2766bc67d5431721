"""Moves that a page sends over its live connection, and what it is answered."""

import uuid
from types import SimpleNamespace

import pytest
from websockets.exceptions import ConnectionClosedError

from app.core import json
from app.core.web.throttle import Limit, PostgresCounts, Throttle
from app.people.identity.service import Identity
from app.play.games.moves_by_socket import MoveReceiver, PageAnswers, ProgramAnswers
from app.play.games.schemas import SocketMove
from tests.support.database import fetch
from tests.support.games import coached_game
from tests.support.players import PlayingPage, Visitor, begin_game
from tests.support.waiting import WITHIN


@pytest.fixture
def players(server):
    return Visitor(server).register(), Visitor(server)


@pytest.fixture
def game(players):
    return begin_game(*players)


def has_ply(ply, text):
    return f'data-ply="{ply}"' in text


def test_a_move_shows_on_all_pages_before_it_is_answered(players, game):
    black, white = (PlayingPage(player, game) for player in players)
    updates, answer = black.move("c4", 0)
    assert answer["played"]
    assert has_ply(1, updates)
    while not has_ply(1, white.connection.recv(WITHIN)):
        pass
    updates, answer = white.move("g6", 1)
    assert answer["played"]
    assert has_ply(2, updates)


def test_a_move_that_is_sent_again_is_played_once(players, game, database_url):
    page, move_id = PlayingPage(players[0], game), uuid.uuid4()
    answers = [page.move("c4", 0, move_id)[1], PlayingPage(players[0], game).move("c4", 0, move_id)[1]]
    again = players[0].http.post(f"{game}/moves", data={"move": "c4", "ply": 0, "move_id": move_id.hex})
    assert [answer["played"] for answer in answers] == [True, True]
    assert again.is_success
    stored = "SELECT count(*) FROM moves WHERE game_id = $1"
    assert fetch(database_url, stored, game.rsplit("/", 1)[1])["count"] == 1


def test_what_the_game_refuses_is_answered_with_the_game_as_it_is(players, game):
    black, white = players
    assert PlayingPage(black, game).move("c4", 0)[1]["played"]
    _, answer = PlayingPage(black, game).move("d4", 0)
    assert not answer["played"]
    assert "Your move (d4) was not played." in answer["html"]
    assert has_ply(1, answer["html"])
    assert 'data-turn=""' in answer["html"]
    assert PlayingPage(white, game).move("g6", 1)[1]["played"]


@pytest.mark.parametrize(
    "message",
    [
        {"type": "move", "move": "zz", "ply": 0, "move_id": uuid.uuid4().hex},
        {"type": "move", "move": "c4", "ply": -1, "move_id": uuid.uuid4().hex},
        {"type": "move", "move": "c4", "move_id": uuid.uuid4().hex},
        {"move": "c4"},
        ["move"],
    ],
    ids=["no square", "no ply", "ply missing", "only a move", "a list"],
)
def test_anything_else_is_left_to_the_form(players, game, message):
    page = PlayingPage(players[0], game)
    _, answer = page.send(message)
    assert not answer["played"]
    assert "html" not in answer
    assert page.move("c4", 0)[1]["played"]


def test_the_opponent_cannot_move_out_of_turn(players, game):
    _, answer = PlayingPage(players[1], game).move("c4", 0)
    assert not answer["played"]


def test_messages_of_spectators_are_left_to_the_form_at_once(server, players, game):
    for visitor in (Visitor(server).register(), Visitor(server)):
        _, answer = PlayingPage(visitor, game).move("c4", 0)
        assert not answer["played"]
        assert "html" not in answer
    assert PlayingPage(players[0], game).move("c4", 0)[1]["played"]


@pytest.mark.parametrize("is_ended", [False, True])
def test_a_page_whose_connection_ended_meanwhile_sends_its_form_for_the_position(is_ended):
    answers = PageAnswers(SimpleNamespace(is_ended=is_ended), None, "game", None)
    request = SocketMove(type="move", move="c4", ply=0, move_id=uuid.uuid4())
    assert answers.played(request, request.move_id.hex)["played"] is not is_ended


async def test_every_message_counts_for_the_limit_of_moves():
    sent = []
    player = Identity(1, "wren", False, b"", frozenset({"play"}))
    connection = SimpleNamespace(
        identity=player, answer=lambda message: sent.append(json.decode(message.text))
    )
    proofs = SimpleNamespace(is_confirmed=lambda _connection: True)
    throttle = Throttle(PostgresCounts(None), enabled=True)
    receiver = MoveReceiver(connection, proofs, None, None, throttle, "game", ProgramAnswers())
    for _ in range(Limit.MOVE.most + 1):
        await receiver.receive("no move")
    assert [answer["status"] for answer in sent] == [422] * Limit.MOVE.most + [429]


def test_a_page_whose_session_is_over_moves_no_more(players, game):
    page = PlayingPage(players[0], game)
    assert players[0].http.post("/logout").is_success
    with pytest.raises(ConnectionClosedError) as closed:
        page.move("c4", 0)
    assert closed.value.rcvd.code == 4401


def test_the_coach_warns_before_the_move(server, database_url):
    visitor, game_id = coached_game(server, database_url)
    page = PlayingPage(visitor, f"/games/{game_id}")
    _, answer = page.move("pass", 0)
    assert "data-warning" in answer["html"]
    assert not answer["played"]
    assert page.move("pass", 0)[1]["played"]
