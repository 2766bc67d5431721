"""Long games of Up And Up: full boards with few resets, and ways to go on from a position."""

from functools import cache

from engine.number_grid import rook_lines
from engine.search.number_beam.beam import Board, Start, continuation, fewest_runs
from engine.search.number_beam.best import Best
from engine.up_and_up import Position


def fewest_resets(size: int, width: int, seed: int = 1) -> Best:
    """Return a game that fills a board, with the fewest resets that a beam of a width finds for a seed."""
    games, is_proved = fewest_runs(
        _board(size), width, seed, lambda games, _runs: len(games.layers) == size**2
    )
    # The first run begins without a reset.
    return Best(games.fewest_runs[-1] - 1, games.squares(size**2 - 1), is_proved)


def best_line(position: Position, seed: int = 1) -> list[str]:
    """Return the moves of the longest way to go on that a quick search finds from a position."""
    begin = Start(position.cells, position.k - 1)
    return continuation(_board(position.size), begin, seed, lambda games: len(games.layers) - 1)


@cache
def _board(size: int) -> Board:
    return Board(
        size,
        lines=rook_lines(size),
        next_jumps=[[[jump + 1], [1]] for jump in range(size)],
        marks=range(size),
        # Many games end because the squares beside the last number are taken.
        ties=[0, 3, *[1] * size][:size],
        isolation=32,
        reach=12,
    )
