"""The speed of the rules of JadeJack: playing a move and listing the legal moves in the games of the vectors.

The baseline plays the same moves but recomputes all strengths. Run as `python -m benchmarks.engine`.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from engine.game import Side
from engine.jadejack import JADEJACK, PASS, Position, position_of
from engine.squares import indices

VECTORS = Path(__file__).parents[1] / "tests" / "vectors" / "jadejack.json"
ROUNDS = 20

Turn = tuple[Position, str]


def turns_by_size() -> dict[int, list[Turn]]:
    """Return every position of the vectors with the move played in it, by board size."""
    turns = defaultdict(list)
    for game in json.loads(VECTORS.read_text(encoding="utf-8"))["games"]:
        position = JADEJACK.initial({"size": game["size"]})
        for move in game["moves"]:
            turns[game["size"]].append((position, move))
            position = JADEJACK.play(position, move)
    return dict(sorted(turns.items()))


def incremental(position: Position, move: str) -> None:
    JADEJACK.legal_moves(JADEJACK.play(position, move))


def from_nothing(position: Position, move: str) -> None:
    stacks, side = position.stacks, position.side
    if move != PASS:
        square = indices(position.size)[move]
        stacks = (*stacks[:square], stacks[square] + side.letter, *stacks[square + 1 :])
    other = Side.WHITE if side is Side.BLACK else Side.BLACK
    JADEJACK.legal_moves(position_of(position.size, stacks, other))


def seconds(step: Callable[[Position, str], None], turns: list[Turn]) -> float:
    """Return the time for all turns: the minimum of several rounds, because noise only adds time."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for position, move in turns:
            step(position, move)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    total, fast, slow = 0, 0.0, 0.0
    print(f"{'size':>4} {'positions/s':>12} {'recomputed/s':>13} {'ratio':>6}")

    def row(label: object, count: int, fast: float, slow: float) -> None:
        print(f"{label:>4} {count / fast:>12,.0f} {count / slow:>13,.0f} {slow / fast:>6.1f}")

    for size, turns in turns_by_size().items():
        fast_here, slow_here = seconds(incremental, turns), seconds(from_nothing, turns)
        row(size, len(turns), fast_here, slow_here)
        total, fast, slow = total + len(turns), fast + fast_here, slow + slow_here
    row("all", total, fast, slow)


if __name__ == "__main__":
    main()
