"""Puzzles of Up And Up: positions from which a single line reaches the highest score, found by trying all."""

from collections.abc import Iterator
from random import Random

from engine import squares
from engine.number_grid import rook_squares
from engine.puzzles.puzzle import Puzzle
from engine.puzzles.themes import themes_of
from engine.up_and_up import UP_AND_UP, Position

_FEWEST, _MOST = 5, 10  # numbers to write
_FEWEST_CHOICES = 3  # numbers of the line that could go elsewhere
_BUDGET = 20_000  # numbers to try

_SIZES = (5, 6, 7)


def game(seed: int) -> Iterator[Position]:
    """Yield the positions of a game of chance."""
    generator = Random(seed)  # noqa: S311 - nothing secret
    position = UP_AND_UP.initial({"size": generator.choice(_SIZES)})
    while moves := UP_AND_UP.legal_moves(position):
        position = UP_AND_UP.play(position, generator.choice(moves))
        yield position


def is_likely(position: Position) -> bool:
    """Return whether there is a choice, and room for a line that is long enough."""
    return len(position.reach()) > 1 and position.size**2 - len(position.cells) >= _FEWEST


def prove(position: Position) -> Puzzle | None:
    """Return the puzzle of a position, or None if several lines reach the highest score."""
    search = _Search(position)
    if search.best is None or not _FEWEST <= len(search.best) <= _MOST:
        return None
    names = squares.names(position.size)
    solution = tuple(names[square] for square in search.best)
    choices, after = 0, position
    for move in solution:
        choices += len(after.reach()) > 1
        after = UP_AND_UP.play(after, move)
    if choices < _FEWEST_CHOICES:
        return None
    text = UP_AND_UP.format(position)
    rating = 800 + 100 * choices + 50 * search.tried.bit_length()
    return Puzzle("up_and_up", text, solution, themes_of("up_and_up", text, solution), rating)


class _Search:
    """All lines from a position: `best` is the longest, None if others are as long or there are too many."""

    def __init__(self, position: Position) -> None:
        self.tried = 0
        self.best: tuple[int, ...] | None = None
        self._longest = 0
        self._lines = rook_squares(position.size)
        self._follow(position.cells[-1], position.k, position.taken, ())
        if self.tried >= _BUDGET:
            self.best = None

    def _follow(self, last: int, k: int, taken: int, line: tuple[int, ...]) -> None:
        self.tried += 1
        if self.tried >= _BUDGET:
            return
        step = k
        free = self._free(last, step, taken)
        if not free:
            step = 1
            free = self._free(last, step, taken)
        if not free and len(line) >= self._longest:
            self.best = line if len(line) > self._longest else None
            self._longest = len(line)
        for square in free:
            self._follow(square, step + 1, taken | 1 << square, (*line, square))

    def _free(self, last: int, far: int, taken: int) -> list[int]:
        at_distance = self._lines[last][far] if far < len(self._lines[last]) else ()
        return [square for square in at_distance if not taken >> square & 1]
