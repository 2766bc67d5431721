"""Finding puzzles of any game. Importing this module is slow, so only workers and commands do."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, cast

from engine.puzzles.puzzle import Puzzle
from engine.search.puzzles import golden_nugget, jadejack, jumping, up_and_up


class Finder(Protocol):
    """What finds the puzzles of a game."""

    def game(self, seed: int) -> Iterator[Any]:
        """Yield the positions of a game that the computer makes up; it depends only on the seed."""

    def is_likely(self, position: Any) -> bool:
        """Return whether a short search finds a position worth proving."""

    def prove(self, position: Any) -> Puzzle | None:
        """Return the puzzle of a position, or None if a deep search finds no single best line."""


FINDERS: Mapping[str, Finder] = {
    "jadejack": cast("Finder", jadejack),
    "golden_nugget": cast("Finder", golden_nugget),
    "jumping_farther": cast("Finder", jumping),
    "up_and_up": cast("Finder", up_and_up),
}
"""The finder of each game, by the key of the game."""

APART = 8
"""Plies between two puzzles of one game."""


def puzzles_in(game: str, seed: int) -> Iterator[Puzzle]:
    """Yield the puzzles in a game of the computer against itself, no two close to each other."""
    finder = FINDERS[game]
    wait = 0
    for position in finder.game(seed):
        wait -= 1
        if wait <= 0 and finder.is_likely(position):
            puzzle = finder.prove(position)
            if puzzle is not None:
                wait = APART
                yield puzzle


def is_proven(puzzle: Puzzle) -> bool:
    """Return whether a deep search finds that the solution of a puzzle is the only best line."""
    proven = FINDERS[puzzle.game].prove(puzzle.start)
    return proven is not None and proven.solution == puzzle.solution
