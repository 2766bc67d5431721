"""The solitaire of Jumping Farther & Farther: how much can be scored on a board, or from a position on."""

from functools import cache

from engine.jumping_farther import Position
from engine.number_grid import distance, queen_lines
from engine.search.number_beam.beam import QUICK_WIDTH, Board, Games, Start, continuation, fewest_runs, search
from engine.search.number_beam.best import Best


def highest(size: int, width: int, seed: int = 1) -> Best:
    """Return the highest score that a beam of a width finds. It depends only on the seed."""

    def is_reached(games: Games, runs: int) -> bool:
        return _points(games, _most(games)) >= size**2 - 1 - runs

    board = _board(size)
    games, is_proved = fewest_runs(board, width, seed, is_reached)
    jumps = _most(games)
    points, cells = _points(games, jumps), games.squares(jumps)
    # What is left was not worth a run more, but a game ends only when no number can follow.
    last_jump = distance(*cells[-2:], size) if jumps else 0
    rest = search(board, [Start(cells, last_jump)], QUICK_WIDTH, seed)
    jumps = _most(rest)
    return Best(points + jumps + 1 - rest.fewest_runs[jumps], [*cells, *rest.squares(jumps)[1:]], is_proved)


def best_line(position: Position, seed: int = 1) -> list[str]:
    """Return the moves with which a quick search scores most from a position on."""
    round_ = position.current
    return continuation(_board(round_.size), Start(round_.cells, round_.last_jump), seed, _most)


def _most(games: Games) -> int:
    """Return after how many jumps the games have the most points, the largest such number."""
    return max(range(len(games.layers)), key=lambda jumps: (_points(games, jumps), jumps))


def _points(games: Games, jumps: int) -> int:
    """Return the points of the best game after some jumps: each scores but the first of a run."""
    return jumps - games.fewest_runs[jumps] if jumps else 0


@cache
def _board(size: int) -> Board:
    longest = max(1, size - 1)
    return Board(
        size,
        lines=queen_lines(size),
        next_jumps=[[range(1, size)]] * size,
        marks=[0] * size,
        # Squares that are far from each other are few, and each run needs some.
        ties=[1 + round(5 * (far / longest) ** 2) for far in range(size)],
        isolation=2,
        reach=16,
    )
