"""The time from asking for the review of a game of JadeJack to having it, by the number of workers."""

import argparse
import time

from benchmarks.serving import serving
from engine.jadejack import JADEJACK
from engine.search import plain
from tests.support.players import Match

_SIZE = 10


def moves(plies: int) -> list[str]:
    """Return the moves of a game of the plain player against itself that goes on for so many plies."""
    position, played = JADEJACK.initial({"size": _SIZE}), []
    while len(played) < plies - 2:
        choices = [move for move in JADEJACK.legal_moves(position) if move != "pass"]
        move = plain.choose(JADEJACK, position, len(played))
        played.append(move if move in choices else choices[0])
        position = JADEJACK.play(position, played[-1])
    return [*played, "pass", "pass"]


def measure(plies: int, workers: int) -> float:
    """Return the seconds that a review takes."""
    with serving(computers=workers, throttle="off") as (server, _url):
        match = Match(server, size=_SIZE)
        match.play(*moves(plies))
        path = f"/games/{match.id}/review"
        started = time.monotonic()
        match.black.http.post(path)
        while match.black.http.get(path).json()["status"] != "done":
            time.sleep(0.1)
        return time.monotonic() - started


def main() -> None:
    """Print the time with one worker and with two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", type=int, default=100)
    plies = parser.parse_args().plies
    for workers in (1, 2):
        print(f"{plies} plies, {workers} workers: {measure(plies, workers):.1f} s", flush=True)


if __name__ == "__main__":
    main()
