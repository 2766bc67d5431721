"""Fairness: how long a player waits for the computer while another account uses it as much as it can.

One worker serves both. The busy account plays as many games against level 8 as it may, answers each move at
once, and asks for evaluations of new positions all the time; the other plays level 1 at an even pace. Prints
how long the computer takes to answer the other, alone and beside the busy account.
"""

import argparse
import contextlib
import random
import statistics
import threading
import time
from collections.abc import Iterator

from benchmarks.serving import serving
from engine.registry import GAMES
from tests.support.players import Program
from tests.support.server import Server

_RULES = GAMES["jadejack"]
_PACE = 0.5  # seconds between the other's moves
_POLL = 0.01  # seconds
_MOST_GAMES = 5


def play_on(server: Server, stop: threading.Event) -> None:
    """Play one game after another against the strongest computer, without a pause."""
    player = Program(server)
    games: list[str] = []
    while not stop.is_set():
        while len(games) < _MOST_GAMES:
            games.append(player.challenge(opponent="Gorrion-8", side="white").json()["game_id"])
        for game_id in list(games):
            game = player.snapshot(game_id)
            if game["status"] != "started":
                games.remove(game_id)
            elif game["side_to_move"] == "white":
                player.move(game_id, random.choice(game["legal_moves"]), game["ply"])


def ask_on(server: Server, stop: threading.Event) -> None:
    """Ask for one evaluation after another, each of another position."""
    player = Program(server)
    while not stop.is_set():
        position = _RULES.initial({"size": 9})
        for _ in range(random.randrange(4, 30)):
            position = _RULES.play(position, random.choice(_RULES.legal_moves(position)[:-1]))
        body = {"game": "jadejack", "position": _RULES.format(position)}
        player.http.post("/evaluations", json=body)


@contextlib.contextmanager
def busy(server: Server) -> Iterator[None]:
    """Keep the computer busy within the context."""
    stop = threading.Event()
    threads = [threading.Thread(target=work, args=(server, stop)) for work in (play_on, ask_on, ask_on)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def answers(server: Server, count: int) -> list[float]:
    """Return the seconds that the computer takes to answer each of `count` moves."""
    player, seconds = Program(server), list[float]()
    while True:
        game_id = player.challenge(opponent="Gorrion-1", side="black").json()["game_id"]
        while (game := player.snapshot(game_id))["status"] == "started":
            time.sleep(_PACE)
            started = time.perf_counter()
            player.move(game_id, random.choice(game["legal_moves"]), game["ply"])
            while player.snapshot(game_id)["side_to_move"] == "white":
                time.sleep(_POLL)
            seconds.append(time.perf_counter() - started)
            if len(seconds) == count:
                return seconds


def summary(seconds: list[float]) -> str:
    return f"p50 {statistics.median(seconds):.2f} s, p95 {statistics.quantiles(seconds, n=20)[18]:.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=60)
    arguments = parser.parse_args()
    with serving(computers=1) as (server, _):
        print(f"alone: an answer {summary(answers(server, arguments.moves))}")
        with busy(server):
            print(f"beside a busy account: an answer {summary(answers(server, arguments.moves))}")


if __name__ == "__main__":
    main()
