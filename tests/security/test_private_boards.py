"""The board of another player in a race: for everybody else there is no such game, whatever they ask."""

import re
import uuid
from datetime import timedelta

import pytest

from app.core.moments import utc_now
from tests.support import plain_http
from tests.support.answers import code
from tests.support.players import Program, Visitor
from tests.support.routes import calls
from tests.support.tournaments import BULLET
from tests.support.waiting import WITHIN

BOARD = re.compile(r"/games/\{game_id:id\}")
# The page of the race, which lists its boards, is for everybody.
CALLS = [
    call
    for call in calls()
    if BOARD.search(call.path) and not call.path.endswith("/race") and call.method != "HEAD"
]


@pytest.fixture(scope="module")
def player(server):
    """Return a player who takes part in a race."""
    return Program(server)


@pytest.fixture(scope="module")
def tournament(player):
    """Return the id of a tournament in which the player takes part, too."""
    terms = {"kind": "arena", "minutes": 20, "game": "jadejack", "time_control": BULLET}
    start = (utc_now() + timedelta(hours=1)).isoformat()
    made = player.http.post("/tournaments", json={"name": "Cup of racers", "starts_at": start, **terms})
    assert player.http.post(f"/tournaments/{made.json()['id']}/join").status_code == 200
    return made.json()["id"]


@pytest.fixture(scope="module")
def board(player):
    """Return the id of the player's board in a race that is under way."""
    race = player.http.post("/races", json={"game": "up_and_up", "options": {"size": 4}, "minutes": 20})
    game_id = player.http.post(f"/races/{race.json()['id']}/join").json()["game_id"]
    assert player.move(game_id, "b2", 0).status_code == 200
    return game_id


@pytest.fixture(scope="module")
def stranger(server):
    """Return a client with the cookie and the token of other players."""
    visitor, program = Visitor(server).register(), Program(server)
    headers = {"Origin": server.url, "Authorization": f"Bearer {program.token}"}
    with plain_http.Client(
        base_url=server.url, cookies=visitor.http.cookies, headers=headers, timeout=WITHIN
    ) as client:
        yield client


@pytest.mark.parametrize("call", CALLS, ids=str)
@pytest.mark.parametrize("ply", [0, 1])
def test_every_request_about_it_gets_the_same_404(stranger, board, tournament, call, ply):
    bodies = {
        "moves": {"move": "b3", "ply": ply, "move_id": str(uuid.uuid4())},
        "chat": {"room": "players", "text": "Hello"},
        "conditions": {"version": 0, "lines": [] if "/api/" in call.path else ""},
        "note": {"text": "Watch e5."},
        "play-on": {"ply": 0, "level": 1},
        "puzzle": {"ply": 0},
    }
    path = re.sub(r"\{square[^}]*\}", "b2", BOARD.sub(f"/games/{board}", call.path))
    path = path.replace("{tournament_id:id}", tournament)
    for action in ("resign", "abort", "takeback", "claim", "submit") if "{action" in path else ("",):
        filled = re.sub(r"\{action[^}]*\}", action, path)
        assert "{" not in filled
        kind = "json" if path.startswith("/api/v1") else "data"
        body = bodies.get(path.rpartition("/")[2]) if call.method != "GET" else None
        query = {"room": "players"} if path.endswith("/chat") else None
        answer = stranger.request(call.method, filled, params=query, **({kind: body} if body else {}))
        assert answer.status_code == 404, filled
        if kind == "json":
            assert code(answer) == (404, "not_found")


def test_it_is_a_404_for_visitors_too(server, board):
    assert Visitor(server).http.get(f"/games/{board}").status_code == 404
