"""Following and playing a game over sockets and streams that are cut and opened again."""

import random
import uuid

import pytest
from msgspec import json
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from engine.registry import GAMES
from tests.support import plain_http
from tests.support.players import LivePage, Match, Program, Socket
from tests.support.waiting import WITHIN

RULES = GAMES["jadejack"]


@pytest.fixture
def match(server):
    return Match(server)


def closed_with(url, **options):
    """Return the code with which the server closes a socket."""
    with connect(url, **options) as socket, pytest.raises(ConnectionClosed):
        while True:
            socket.recv(WITHIN)
    return socket.close_code


def test_a_socket_opened_at_any_ply_starts_with_the_position(match):
    rng, position = random.Random(5), RULES.initial({"size": 9})
    for ply in range(20):
        with match.white.socket(match.id) as socket:
            snapshot = socket.snapshot
            assert snapshot["type"] == "snapshot"
            assert (snapshot["ply"], snapshot["position"]) == (ply, RULES.format(position))
            move = rng.choice(RULES.legal_moves(position)[:-1])
            match.play(move)
            position = RULES.play(position, move)
            event = socket.receive()
            assert (event["type"], event["ply"], event["move"]) == ("move", ply + 1, move)
            assert event["position"] == RULES.format(position)
            assert event["legal_moves"] == RULES.legal_moves(position)
            assert event["score"] == RULES.score(position)


@pytest.mark.parametrize(
    "control",
    [
        None,
        {"kind": "realtime", "limit": 300, "increment": 5},
        {"kind": "byoyomi", "limit": 0, "periods": 3, "period": 30},
        {"kind": "per_move", "seconds": 60},
        {"kind": "correspondence", "days": 3, "weekends_off": True},
        {"kind": "days_bank", "days": 3, "increment": 1, "most": 7},
    ],
    ids=lambda control: control["kind"] if control else "no clock",
)
def test_what_a_move_changes_follows_from_its_message(server, control):
    match = Match(server, time_control=control)
    with match.white.socket(match.id) as socket:
        known = socket.snapshot
        for move in ("c4", "g6", "d4", "f6", "pass", "pass"):
            if move == "f6":
                assert match.black.http.post(f"/games/{match.id}/takeback").is_success
                known = socket.receive_until("snapshot")
                assert known["takeback"] == "black"
            now = match.play(move)
            known = after(known, socket.receive_until("move"))
            if now["result"]:
                known |= {"status": "finished", "result": socket.receive_until("finished")["result"]}
            assert_same_game(known, now)


def after(known, event):
    """Return the snapshot that follows from one and the message of a move."""
    told = {name: event[name] for name in event.keys() & known.keys()}
    listed = {"moves": "move", "spent": "spent", "played_at": "played_at"}
    ended = dict.fromkeys(("takeback", "takeback_to", "pause", "paused_until"))
    lists = {name: [*known[name], event[member]] for name, member in listed.items()}
    return {**known, **told, **lists, **ended, "last_move": event["move"]}


def assert_same_game(known, now):
    """Check that two snapshots are the same but for the time that has run since the first one."""
    side = now["side_to_move"]
    if now["clock"] and side:
        assert now["clock"][side] <= known["clock"][side]
        now["clock"][side] = known["clock"][side]
    assert {**known, "type": None} == {**now, "type": None}


@pytest.mark.parametrize("form", [str, str.upper, lambda text: text.replace("-", ""), "{{{}}}".format])
def test_answers_repeat_the_identifier_of_a_move_as_it_was_sent(match, form):
    move_id = form(str(uuid.uuid4()))
    with match.black.socket(match.id) as socket:
        for move, kind in (("zz", "error"), ("c4", "ack"), ("d4", "error")):
            socket.send_move(move, 0, move_id)
            assert socket.receive_until(kind)["move_id"] == move_id


def test_playing_over_sockets_with_acknowledgements(match):
    with match.black.socket(match.id) as black, match.white.socket(match.id) as white:
        move_id = black.send_move("c4", 0)
        assert black.receive_until("ack") == {"type": "ack", "version": 1, "move_id": move_id, "ply": 1}
        assert match.black.snapshot(match.id)["moves"] == ["c4"]
        assert white.receive_until("move")["move"] == "c4"
        black.send_move("c4", 0, move_id)
        assert black.receive_until("ack")["ply"] == 1  # a retry
        for socket, move, ply, code in (
            (black, "d4", 1, "not_your_turn"),
            (black, "d4", 0, "stale_ply"),
            (white, "zz", 1, "move_syntax"),
            (white, "k9", 1, "illegal_move"),
        ):
            move_id = socket.send_move(move, ply)
            error = socket.receive_until("error")
            assert (error["code"], error["move_id"]) == (code, move_id)
        for nonsense in ("", "{", "[]", '{"type":"move"}', '{"type":"dance"}', "\x00"):
            white.connection.send(nonsense)
            assert white.receive_until("error")["code"] == "invalid_request"
        white.send_move("pass", 1)
        black.receive_until("move")
        black.send_move("pass", 2)
        assert white.receive_until("finished")["result"]["termination"] == "passes"


def test_a_spectator_sees_and_cannot_move(match):
    with Socket(match.black.server.ws_url, match.id) as spectator:
        match.play("c4")
        assert spectator.receive_until("move")["move"] == "c4"
        spectator.send_move("g6", 1)
        assert spectator.receive_until("error")["code"] == "not_a_player"


def test_refused_sockets_are_closed_with_their_codes(server, match):
    socket, page = (f"{server.ws_url}{path}" for path in ("/api/v1/games/%s/socket", "/games/%s/live"))
    evil = {"origin": "https://evil.example"}
    assert closed_with(socket % "nosuchgame") == 4404
    assert closed_with(socket % match.id, **evil) == 4403
    assert closed_with(socket % match.id, additional_headers={"Authorization": "Bearer no"}) == 4401
    assert closed_with(page % "nosuchgame", origin=server.url) == 4404
    assert closed_with(page % match.id, **evil) == 4403
    assert closed_with(page % match.id) == 4403
    assert closed_with(f"{server.ws_url}/lobby/live", **evil) == 4403


def test_revoking_its_token_closes_a_socket(match):
    with match.black.socket(match.id) as socket:
        match.black.http.delete("/tokens/current")
        with pytest.raises(ConnectionClosed):
            socket.receive()
        assert socket.connection.close_code == 4401


def test_a_page_receives_every_ply(server, match):
    page = LivePage(server, match.id)
    match.play("c4")
    assert "Black c4" in page.receive()


def test_the_stream_sends_the_same_messages_as_lines(server, match):
    with plain_http.stream("GET", f"{server.url}/api/v1/games/{match.id}/stream", timeout=WITHIN) as stream:
        lines = (json.decode(line) for line in stream.iter_lines() if line)
        assert next(lines)["type"] == "snapshot"
        match.play("c4")
        assert next(lines)["move"] == "c4"
        match.black.http.post(f"/games/{match.id}/resign")
        assert next(lines)["result"]["winner"] == "white"


def test_a_message_that_is_too_large_closes_the_socket(server, match):
    with match.black.socket(match.id) as socket:
        socket.connection.send("x" * 1_000_000)
        with pytest.raises(ConnectionClosed):
            while True:
                socket.receive()
    assert Program(server).snapshot(match.id)["ply"] == 0
