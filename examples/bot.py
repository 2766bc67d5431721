"""A program that plays on Gorrion: it accepts every challenge and answers every move, until it is stopped.

    GORRION_TOKEN=… python examples/bot.py --url http://localhost:8000

It needs httpx, and a token that may play. `choose` is the place for something better than chance.
"""

import argparse
import json
import os
import random
import sys
import time
import uuid
from collections.abc import Iterator
from typing import Any

import httpx

_SILENCE = 45.0  # seconds; the server sends an empty line well before
_PATIENCE = (1.0, 2.0, 5.0, 10.0)  # seconds before each further try to connect


def choose(game: dict[str, Any]) -> str:
    """Choose one of the legal moves of a game that waits for us.

    `game` is a snapshot: see the API's description. This one plays anywhere; it passes only when it has to,
    or when that ends a game that it wins.
    """
    moves, me = game["legal_moves"], game["side_to_move"]
    leads = game["score"][me] == max(game["score"][side] for side in game["players"])
    if "pass" in moves and game["last_move"] == "pass" and leads:
        return "pass"
    return random.choice([move for move in moves if move != "pass"] or moves)  # noqa: S311 - a game


class Bot:
    """A player by the API."""

    def __init__(self, url: str, token: str) -> None:
        self._http = httpx.Client(
            base_url=f"{url.rstrip('/')}/api/v1",
            headers={"Authorization": f"Bearer {token}"},
            timeout=httpx.Timeout(10.0, read=_SILENCE),
        )

    def run(self) -> None:
        """Play until stopped; a lost connection is made anew, and what happened meanwhile is told again."""
        failures = 0
        while True:
            try:
                for event in self._events():
                    failures = 0
                    self._hear(event)
            except httpx.TransportError as error:
                _say(f"lost the server: {error!r}")
            time.sleep(_PATIENCE[min(failures, len(_PATIENCE) - 1)])
            failures += 1

    def _events(self) -> Iterator[dict[str, Any]]:
        """Return what concerns us as it happens, beginning with what waits already."""
        with self._http.stream("GET", "/events") as stream:
            if stream.status_code != httpx.codes.OK:
                stream.read()
                raise SystemExit(f"The server says: {stream.text}")
            for line in stream.iter_lines():
                if line:  # an empty line only says that the server is there
                    yield json.loads(line)

    def _hear(self, event: dict[str, Any]) -> None:
        match event["type"]:
            case "challenge":
                self._accept(event["challenge"])
            case "my_turn":
                self._play(event["game_id"])
            case "game_finished":
                game = event["game"]
                winner, why = game["result"]["winner"] or "nobody", game["result"]["termination"]
                _say(f"{game['id']} is over: {winner} wins by {why}")

    def _accept(self, challenge: dict[str, Any]) -> None:
        answer = self._http.post(f"/challenges/{challenge['id']}/accept")
        # Somebody may have taken it back meanwhile: that is no trouble.
        _say(f"{challenge['maker']} challenges: {answer.json().get('code', 'accepted')}")

    def _play(self, game_id: str) -> None:
        """Make our move in a game, if it is still our turn."""
        game = self._http.get(f"/games/{game_id}").json()
        if game["status"] != "started" or not game["legal_moves"]:
            return
        body = {"move": choose(game), "ply": game["ply"], "move_id": str(uuid.uuid4())}
        answer = self._http.post(f"/games/{game_id}/moves", json=body)
        if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
            time.sleep(answer.json()["retry_after"])
            self._http.post(f"/games/{game_id}/moves", json=body)
        elif answer.is_error:
            _say(f"{game_id}: {answer.json()['detail']}")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def main() -> None:
    """Read where to play and with which token, and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--url", default="http://localhost:8000")
    given = parser.parse_args()
    token = os.environ.get("GORRION_TOKEN")
    if not token:
        raise SystemExit("Set GORRION_TOKEN to a token that may play; the settings of an account make one.")
    Bot(given.url, token).run()


if __name__ == "__main__":
    main()
