"""People and programs that play through the same interfaces as users."""

import contextlib
import itertools
import secrets
import time
import uuid

from msgspec import json
from websockets.sync.client import connect

from engine.registry import GAMES
from tests.support import plain_http
from tests.support.database import execute
from tests.support.waiting import WITHIN

PASSWORD = "quite a long password"
_numbers = itertools.count(1)
_open = contextlib.ExitStack()


def client(**options):
    """Return an HTTP client that is closed at the end of the test."""
    opened = _open.enter_context(plain_http.Client(timeout=WITHIN, **options))
    opened.headers["Accept-Encoding"] = "identity"  # compressing takes a sixth of the time of a page
    return opened


def close_clients():
    """Close the clients and sockets that the test opened."""
    _open.close()


def keep_clients():
    """Keep what is open beyond the test, and return what closes it, a context manager."""
    return _open.pop_all()


def fresh_name(prefix="player"):
    return f"{prefix}-{secrets.token_hex(3)}{next(_numbers)}"


def make_old(database_url, *players):
    """Make the accounts of players two days older."""
    query = "UPDATE accounts SET created_at = created_at - interval '2 days' WHERE username = ANY($1)"
    execute(database_url, query, [player.username for player in players])


class Program:
    """A player with an API token."""

    def __init__(self, server, username=None):
        self.server = server
        self.username = username or fresh_name()
        self.http = client(base_url=f"{server.url}/api/v1")
        answer = self.http.post("/accounts", json={"username": self.username, "password": PASSWORD})
        assert answer.status_code == 201, answer.text
        self.token = answer.json()["token"]
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def challenge(self, **members):
        members = {"game": "jadejack", "options": {"size": 9}, **members}
        return self.http.post("/challenges", json=members)

    def begin(self, opponent, **terms):
        """Begin a game with another program, which accepts the challenge to it, and return its id."""
        made = self.challenge(opponent=opponent.username, **terms)
        assert made.status_code == 201, made.text
        accepted = opponent.http.post(f"/challenges/{made.json()['id']}/accept")
        assert accepted.status_code == 200, accepted.text
        return accepted.json()["game_id"]

    def move(self, game_id, move, ply, move_id=None):
        body = {"move": move, "ply": ply, "move_id": str(move_id or uuid.uuid4())}
        return self.http.post(f"/games/{game_id}/moves", json=body)

    def snapshot(self, game_id):
        return self.http.get(f"/games/{game_id}").json()

    def socket(self, game_id, server=None):
        return Socket((server or self.server).ws_url, game_id, self.token)


class Socket:
    """A JSON websocket that has received its snapshot; `receive` skips heartbeats."""

    def __init__(self, ws_url, game_id, token=None, **options):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.connection = _open.enter_context(
            connect(
                f"{ws_url}/api/v1/games/{game_id}/socket",
                additional_headers=headers,
                **{"open_timeout": WITHIN, **options},
            )
        )
        self.snapshot = self.receive()

    def receive(self, timeout=WITHIN):
        until = time.monotonic() + timeout  # heartbeats come all the time
        while True:
            message = json.decode(self.connection.recv(max(0, until - time.monotonic())))
            if message["type"] != "heartbeat":
                return message

    def receive_ply(self, ply):
        """Wait for the game after so many plies: by a move, or by a snapshot if the move was missed."""
        while self.receive().get("ply") != ply:
            pass

    def receive_until(self, kind):
        while (message := self.receive())["type"] != kind:
            pass
        return message

    def send_move(self, move, ply, move_id=None):
        move_id = str(move_id or uuid.uuid4())
        self.connection.send(
            json.encode({"type": "move", "move": move, "ply": ply, "move_id": move_id}).decode()
        )
        return move_id

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()


class LivePage:
    """A game page's live connection that has received its first update; `receive` returns the next one."""

    def __init__(self, server, game_id, language="en"):
        self.connection = _open.enter_context(
            connect(
                f"{server.ws_url}/games/{game_id}/live",
                origin=server.url,
                additional_headers={"Accept-Language": language},
                open_timeout=WITHIN,
            )
        )
        self.first = self.receive()

    def receive(self, timeout=WITHIN):
        until = time.monotonic() + timeout
        while True:
            message = self.connection.recv(max(0, until - time.monotonic()))
            if 'hx-target="#squares"' in message:
                return message

    def receive_until_closed(self, timeout=WITHIN):
        while True:
            self.connection.recv(timeout)


class PlayingPage:
    """The live connection of a player's page, which sends moves.

    What it sends returns the text of the updates before the answer, and the answer.
    """

    def __init__(self, player, game):
        self.connection = _open.enter_context(player.live(f"{game}/live"))

    def move(self, move, ply, move_id=None):
        move_id = move_id or uuid.uuid4()
        return self.send({"type": "move", "move": move, "ply": ply, "move_id": move_id.hex})

    def send(self, message):
        self.post(message)
        updates, answer = self.answer()
        assert answer["answers"] == (message.get("move_id") if isinstance(message, dict) else None)
        return updates, answer

    def post(self, message):
        self.connection.send(json.encode(message).decode())

    def answer(self):
        updates = []
        while not (received := self.connection.recv(WITHIN)).startswith('{"answers"'):
            updates.append(received)
        return "".join(updates), json.decode(received)


class Match:
    """A game of JadeJack between two programs."""

    def __init__(self, server, size=9, names=(None, None), **terms):
        self.black, self.white = (Program(server, name) for name in names)
        self.id = self.black.begin(self.white, side="black", options={"size": size}, **terms)
        self.size = size
        self.ply = 0

    @property
    def mover(self):
        return (self.black, self.white)[self.ply % 2]

    def play(self, *moves):
        """Play moves in turn, Black first, and return the last snapshot."""
        answer = None
        for move in moves:
            answer = self.mover.move(self.id, move, self.ply)
            assert answer.status_code == 200, answer.text
            self.ply = answer.json()["ply"]
        return answer.json()

    def position_after(self, moves):
        rules = GAMES["jadejack"]
        position = rules.initial({"size": self.size})
        for move in moves:
            position = rules.play(position, move)
        return position


class Visitor:
    """A browser without scripts: cookies, forms and an Origin header."""

    def __init__(self, server):
        self.server = server
        self.http = client(base_url=server.url, follow_redirects=True, headers={"Origin": server.url})

    def register(self, username=None):
        self.username = username or fresh_name()
        return self._enter("/register")

    def log_in(self, username):
        self.username = username
        return self._enter("/login")

    def _enter(self, path):
        form = {"username": self.username, "password": PASSWORD}
        # To draw the page that a browser would be sent to takes as long again.
        answer = self.http.post(path, data=form, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        return self

    def live(self, path):
        """Return the live connection of a page."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)
        url, origin = f"{self.server.ws_url}{path}", self.server.url
        return connect(url, origin=origin, additional_headers={"Cookie": cookies}, open_timeout=WITHIN)


def begin_game(maker, opponent, **terms):
    """Begin a game of JadeJack on 9×9 and return its path. By default, the visitor who offers it is Black."""
    offer = {"size": "9", "side": "black", "opponent_kind": "link", **terms}
    challenge = maker.http.post("/challenges", data=offer).url.path
    return opponent.http.post(f"{challenge}/accept").url.path
