"""What reviews say of the games of each level of the computer against itself, and what leads are worth.

    .venv/bin/python -m benchmarks.accuracy [--game jadejack] [--size 8] [--games 20] [--levels 1-10]

The scales of `engine/review.py` come from it.
"""

import math
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from typing import NamedTuple

from benchmarks.levels import parser_of
from engine.registry import FOR_TWO
from engine.review import Review, review
from engine.search import computer
from engine.search.match import chooser, opening_move

_OPENING = 4  # random plies, so that no two games are alike
_TRIED = [step / 4 for step in range(4, 81)]  # points


class Game(NamedTuple):
    """A reviewed game, and its result for the first side: 1, 0 or -1."""

    review: Review
    result: int


def play(game: str, size: int, seconds: float, level: int, seed: int) -> Game:
    """Return a game of a level against itself, each position evaluated for so many seconds."""
    rules, generator, choose = FOR_TWO[game], Random(seed), chooser(game, str(level))
    seeds = {side: generator.getrandbits(32) for side in rules.sides}
    positions, moves = [rules.initial({"size": size})], []
    while (side := rules.side_to_move(positions[-1])) is not None:
        if len(moves) < _OPENING:
            moves.append(opening_move(rules, positions[-1], generator))
        else:
            moves.append(choose(positions[-1], seeds[side]))
        positions.append(rules.play(positions[-1], moves[-1]))
    evaluated = {
        ply: computer.evaluate(rules, position, move, seconds=seconds)
        for ply, (position, move) in enumerate(zip(positions, moves, strict=False))
        if ply >= _OPENING
    }
    first, second = rules.score(positions[-1]).values()
    return Game(review(rules, positions, moves, evaluated, _OPENING), (first > second) - (first < second))


def certain_lead(games: Iterable[Game]) -> float:
    """Return the lead with which a side wins about seven games of eight: the likeliest one by the results."""
    won = [move.lead * game.result for game in games if game.result for move in game.review.moves]

    def surprise(certain: float) -> float:
        return sum(math.log1p(math.exp(-2 * lead / certain)) for lead in won)

    return min(_TRIED, key=surprise)


def main() -> None:
    """Print a line for each level, and the certain lead of all games."""
    parser = parser_of(__doc__, games=20)
    parser.add_argument("--seconds", type=float, default=0.1, help="for evaluating a position")
    arguments = parser.parse_args()
    everything: list[Game] = []
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for level in arguments.levels:
            one = partial(play, arguments.game, arguments.size, arguments.seconds, level)
            games = list(pool.map(one, range(arguments.games)))
            everything += games
            moves = [move for game in games for move in game.review.moves]
            loss = sum(move.loss for move in moves) / len(moves)
            lost = sum(move.chance_lost for move in moves) / len(moves)
            sides = FOR_TWO[arguments.game].sides
            accuracies = [game.review.accuracy(side) for game in games for side in sides]
            known = [accuracy for accuracy in accuracies if accuracy is not None]
            accuracy = sum(known) / len(known)
            print(
                f"level {level:2}: accuracy {accuracy:5.1f}, {loss:5.2f} points and {lost:5.2f} % a move",
                flush=True,
            )
    print(f"A side wins about seven games of eight with a lead of {certain_lead(everything):.2f} points.")


if __name__ == "__main__":
    main()
