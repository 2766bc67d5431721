"""A program that plays on Gorrion: it accepts every challenge that it may, and answers every move.

    GORRION_TOKEN=… python examples/bot.py --url http://localhost:8000

It needs httpx and a token with the scope `play`. Replace `choose` to play better than at random.
"""

import argparse
import itertools
import json
import os
import random
import sys
import time
import uuid
from collections.abc import Iterator
from typing import Any

import httpx

_SILENCE = 45.0  # seconds; the server sends an empty line more often than that
_RETRY_AFTER = (1.0, 2.0, 5.0, 10.0)  # seconds before each further attempt, unless the server says how long
_LATER = (429, 502, 503, 504)  # the server is busy or away for a while


def choose(game: dict[str, Any]) -> str:
    """Return one of the legal moves of a game in which it is our turn.

    `game` is a snapshot, as the API describes it. The move is random; it is a pass only if there is no other
    move, or if passing wins the game.
    """
    moves, me = game["legal_moves"], game["side_to_move"]
    leads = game["score"][me] == max(game["score"][side] for side in game["players"])
    if "pass" in moves and game["last_move"] == "pass" and leads:
        return "pass"
    return random.choice([move for move in moves if move != "pass"] or moves)  # noqa: S311 - a game


class Bot:
    """A player that uses the API."""

    def __init__(self, url: str, token: str) -> None:
        self._http = httpx.Client(
            base_url=f"{url.rstrip('/')}/api/v1",
            headers={"Authorization": f"Bearer {token}"},
            timeout=httpx.Timeout(10.0, read=_SILENCE),
        )

    def run(self) -> None:
        """Play until stopped, and reconnect when the connection is lost. Pending events are sent again."""
        failures = 0
        while True:
            retry_after = _usual_pause(failures)
            failures += 1
            try:
                for event in self._events():
                    failures, retry_after = 0, event.get("retry_after", _RETRY_AFTER[0])
                    self._handle(event)
            except httpx.TransportError as error:
                _log(f"connection lost: {error!r}")
            except httpx.HTTPStatusError as error:
                _log(f"no connection: {error}")
                retry_after = _pause(error.response, retry_after)
            time.sleep(retry_after)

    def _events(self) -> Iterator[dict[str, Any]]:
        """Yield the events of our account, starting with pending challenges and games."""
        with self._http.stream("GET", "/events") as stream:
            if stream.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
                stream.read()
                raise SystemExit(f"The server refused the connection: {stream.text}")
            stream.raise_for_status()
            for line in stream.iter_lines():
                if line:  # an empty line is a heartbeat
                    yield json.loads(line)

    def _handle(self, event: dict[str, Any]) -> None:
        match event["type"]:
            case "challenge":
                self._accept(event["challenge"])
            case "my_turn":
                self._play(event["game_id"])
            case "game_finished":
                game = event["game"]
                winner, termination = game["result"]["winner"], game["result"]["termination"]
                result = f"{winner} wins" if winner else "no winner"
                _log(f"{game['id']} is over: {result} ({termination})")

    def _accept(self, challenge: dict[str, Any]) -> None:
        """Accept a challenge, with any side if we are to choose one. Decline it if it is refused to us."""
        path = f"/challenges/{challenge['id']}"
        body = {"side": self._any_side(challenge["game"])} if challenge["side"] == "choice" else None
        answer = self._ask("POST", f"{path}/accept", json=body)
        _log(f"{challenge['maker']} challenges: {_problem(answer) if answer.is_error else 'accepted'}")
        if answer.is_error:
            # 409 is about the moment, such as too many games. The challenge may also have been cancelled
            # meanwhile: then there is nothing to decline, which is not a problem.
            reason = "later" if answer.status_code == httpx.codes.CONFLICT else "no"
            self._ask("POST", f"{path}/decline", json={"reason": reason})

    def _any_side(self, game: str) -> str:
        kinds = self._ask("GET", "/games/kinds").raise_for_status().json()
        side: str = next(random.choice(kind["sides"]) for kind in kinds if kind["key"] == game)  # noqa: S311
        return side

    def _play(self, game_id: str) -> None:
        """Make a move in a game if it is still our turn."""
        answer = self._ask("GET", f"/games/{game_id}")
        if answer.is_success:
            game = answer.json()
            if game["status"] != "started" or not game["legal_moves"]:
                return
            body = {"move": choose(game), "ply": game["ply"], "move_id": str(uuid.uuid4())}
            answer = self._ask("POST", f"/games/{game_id}/moves", json=body)
        if answer.is_error:
            _log(f"{game_id}: {_problem(answer)}")

    def _ask(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        """Send a request, and the same again while the server is busy or away; return its answer."""
        for failures in itertools.count():
            answer = self._http.request(method, path, **arguments)
            if answer.status_code not in _LATER:
                break
            time.sleep(_pause(answer, _usual_pause(failures)))
        return answer


def _usual_pause(failures: int) -> float:
    """Return the seconds to wait after so many failures before this one."""
    return _RETRY_AFTER[min(failures, len(_RETRY_AFTER) - 1)]


def _pause(answer: httpx.Response, usual: float) -> float:
    """Return the seconds to wait before asking again: as many as the server says, or else the usual ones."""
    seconds = answer.headers.get("Retry-After", "")
    return float(seconds) if seconds.isdecimal() else usual


def _problem(answer: httpx.Response) -> str:
    """Return what an answer says is wrong; a proxy's answer is no JSON."""
    is_problem = answer.headers.get("Content-Type", "") == "application/problem+json"
    return answer.json()["detail"] if is_problem else f"status {answer.status_code}"


def _log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def main() -> None:
    """Read the options and the token, and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--url", default="http://localhost:8000")
    arguments = parser.parse_args()
    token = os.environ.get("GORRION_TOKEN")
    if not token:
        raise SystemExit(
            "Set GORRION_TOKEN to a token with the scope play. Create one in the settings of an account."
        )
    Bot(arguments.url, token).run()


if __name__ == "__main__":
    main()
