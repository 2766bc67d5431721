"""The solver of Golden Nugget: the mean over 20 boards by search time, and the speed of its beam."""

import argparse
import time

from engine.golden_nugget.board import START
from engine.search.nugget.beam import Beam
from engine.search.nugget.graph import Graph
from engine.search.nugget.search import search

_BOARDS, _WIDTH = 20, 500


def speed() -> tuple[float, int]:
    """Return the seconds that a beam of the usual width takes for board 1, and the moves of its solution."""
    beam = Beam(_WIDTH)
    beam.solve(bytes(START.cells), 0, 1)  # compiles
    began = time.perf_counter()
    moves = min(len(solution.forces) for solution in beam.solve(bytes(START.cells), 0, 1))
    return time.perf_counter() - began, moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "seconds", type=float, nargs="*", default=[30, 120, 600], help="of the searches (30 120 600)"
    )
    arguments = parser.parse_args()
    taken, moves = speed()
    print(f"a beam of width {_WIDTH}: board 1 in {moves} moves after {taken:.2f} s")
    first = None
    for seconds in arguments.seconds:
        began = time.perf_counter()
        *_, last = search(Graph(), _BOARDS, seconds, seed=1, jobs=2)
        mean = last.best.moves / len(last.best.boards)
        first = first or mean
        took = time.perf_counter() - began
        ratio = mean / first
        print(f"{seconds:>6.0f} s asked, {took:>6.0f} s taken: mean {mean:.2f} ({ratio:.3f} times)")


if __name__ == "__main__":
    main()
