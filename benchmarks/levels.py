"""Matches between the computer players: each level against the one below, and the best against plain players.

    .venv/bin/python -m benchmarks.levels [--game jadejack] [--size 8] [--games 100] [--seconds 10]

Sides alternate, and each opening of two random plies is played from both sides. A draw is half a point.
"""

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from typing import Any, NamedTuple

from engine.registry import FOR_TWO
from engine.search import computer, plain
from engine.search.levels import BEST, LEVELS

_OPENING = 2  # random plies
_LONGEST = 2_000  # plies

Chooser = Callable[[Any, Any, int], str]


class Played(NamedTuple):
    """A game: the points (1, 0.5 or 0), seconds and moves of the first player, and the plies."""

    points: float
    plies: int
    seconds: float
    moves: int


def at_level(level: int, seconds: float, rules: Any, position: Any, seed: int) -> str:
    return computer.choose(rules, position, level=level, seed=seed, seconds=seconds).move


def one_ply(rules: Any, position: Any, seed: int) -> str:
    return plain.choose(rules, position, seed)


def two_plies(rules: Any, position: Any, seed: int) -> str:
    """Choose the move after whose best reply the side to move leads by most, at random among equals."""
    side, generator = rules.side_to_move(position), Random(seed)

    def worst(move: str) -> float:
        after = rules.play(position, move)
        following = [rules.play(after, reply) for reply in rules.legal_moves(after)] or [after]
        return min(plain.lead(rules, reached, side) for reached in following)

    return max(rules.legal_moves(position), key=lambda move: (worst(move), generator.random()))


def play(task: tuple[str, dict[str, int], Chooser, Chooser, int]) -> Played:
    """Play a game. The first player moves first in games with even numbers."""
    key, options, first, second, number = task
    rules, generator = FOR_TWO[key], Random(number // 2)
    position, seconds, moves = rules.initial(options), 0.0, 0
    ours = rules.sides[number % 2]
    for ply in range(_LONGEST):
        side = rules.side_to_move(position)
        if side is None:
            break
        if ply < _OPENING:
            squares = [move for move in rules.legal_moves(position) if move != "pass"]
            move = generator.choice(squares)
        elif side == ours:
            began = time.perf_counter()
            move = first(rules, position, 1_000 * number + ply)
            seconds, moves = seconds + time.perf_counter() - began, moves + 1
        else:
            move = second(rules, position, 1_000 * number + ply)
        position = rules.play(position, move)
    outcome = rules.outcome(position)
    assert outcome is not None
    points = 0.5 if outcome.winner is None else float(outcome.winner == ours)
    return Played(points, ply, seconds, moves)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", default="jadejack", choices=FOR_TWO)
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10, help="a move at most; 1 on a server")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--levels", default=f"2-{BEST}", help="which of them to try, such as 6-8")
    arguments = parser.parse_args()
    low, _, high = arguments.levels.partition("-")
    computer.get_ready()
    named = {level: partial(at_level, level, arguments.seconds) for level in LEVELS}
    options = FOR_TWO[arguments.game].initial({"size": arguments.size}) and {"size": arguments.size}
    pairs = [
        (f"level {n}", named[n], f"level {n - 1}", named[n - 1])
        for n in range(int(low), int(high or low) + 1)
    ]
    if int(high or low) == BEST:
        pairs += [(f"level {BEST}", named[BEST], "one ply, by score", one_ply)]
        pairs += [(f"level {BEST}", named[BEST], "two plies, by score", two_plies)]
    print(
        f"{arguments.game} {arguments.size}×{arguments.size}, {arguments.games} games each, "
        "with the seconds per move of the first player"
    )
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for name, chooser, other, opponent in pairs:
            tasks = [
                (arguments.game, options, chooser, opponent, number) for number in range(arguments.games)
            ]
            games = list(pool.map(play, tasks))
            won = sum(game.points for game in games) / len(games)
            pace = sum(game.seconds for game in games) / max(1, sum(game.moves for game in games))
            plies = sum(game.plies for game in games) / len(games)
            print(f"{name:8} against {other:20} {won:6.1%}   {plies:5.0f} plies   {pace:7.4f} s", flush=True)


if __name__ == "__main__":
    main()
