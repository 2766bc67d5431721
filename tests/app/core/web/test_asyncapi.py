"""Sockets and streams send what the AsyncAPI says."""

import pytest
from jsonschema_rs import validator_for
from msgspec import json

from tests.support import plain_http
from tests.support.descriptions import closed
from tests.support.players import Match
from tests.support.waiting import WITHIN


@pytest.fixture(scope="module")
def description(server):
    return closed(plain_http.get(f"{server.url}/api/v1/asyncapi.json", timeout=WITHIN).json())


@pytest.fixture
def check(description):
    """Return a function that checks a message of a channel in a direction, and returns its type."""

    def look(channel, action, message):
        [operation] = [
            each
            for each in description["operations"].values()
            if each["action"] == action and each["channel"]["$ref"] == f"#/channels/{channel}"
        ]
        kinds = [reference["$ref"].rpartition("/")[2] for reference in operation["messages"]]
        payloads = [description["components"]["messages"][kind]["payload"] for kind in kinds]
        rules = {"oneOf": payloads, "components": description["components"]}
        assert [error.message for error in validator_for(rules).iter_errors(message)] == [], message
        return message["type"]

    return look


def resolved(description, part):
    if isinstance(part, dict):
        if "$ref" in part:
            found = description
            for name in part["$ref"].removeprefix("#/").split("/"):
                found = found[name]
        for each in part.values():
            resolved(description, each)
    elif isinstance(part, list):
        for each in part:
            resolved(description, each)


def test_the_description_is_whole(description):
    assert description["asyncapi"].startswith("3.")
    resolved(description, description)
    addresses = {channel["address"] for channel in description["channels"].values()}
    assert addresses == {
        "/api/v1/games/{game_id}/socket",
        "/api/v1/games/{game_id}/stream",
        "/api/v1/events",
    }


def test_a_game_over_its_socket_is_as_described(server, check):
    match = Match(server)
    black, white = match.black.socket(match.id), match.white.socket(match.id)
    seen = {check("game_socket", "send", black.snapshot)}
    for ply, (socket, move) in enumerate(((black, "c4"), (white, "c4"), (white, "f6"), (black, "pass"))):
        socket.send_move(move, ply - (ply > 1))  # the second one is refused
        while (kind := check("game_socket", "send", socket.receive())) not in ("ack", "error"):
            seen.add(kind)
        seen.add(kind)
    white.send_move("pass", 3)
    while (kind := check("game_socket", "send", black.receive())) != "finished":
        seen.add(kind)
    assert {"snapshot", "move", "ack", "error"} <= seen
    command = {"type": "move", "move": "e5", "ply": 3, "move_id": "5f0c8a6e-6f3b-4bb4-9a39-0c7a3c7f5a11"}
    check("game_socket", "receive", command)


def test_streams_are_as_described(server, check):
    match = Match(server)
    seen = set()
    match.play("c4")
    game_stream = (f"/games/{match.id}/stream", "game_stream", "snapshot")
    for path, channel, last in (("/events", "events", "my_turn"), game_stream):
        with match.white.http.stream("GET", path) as stream:
            for line in stream.iter_lines():
                if line:
                    seen.add(check(channel, "send", json.decode(line)))
                if last in seen:
                    break
    assert {"game_started", "my_turn", "snapshot"} <= seen
