"""Solving one board in a second or two."""

from functools import cache

from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import START, Board
from engine.search.nugget.beam import Beam, estimate
from engine.search.nugget.runs import NoSolutionError
from engine.search.nugget.tables import FORCE_NAMES

_FACES = list(Face)
_WIDTH = 4_000
_NARROW = 100  # wide enough for a solution, which runs all of the code


@cache
def _beam() -> Beam:
    return Beam(_WIDTH)


def solve(board: Board, seed: int = 1) -> tuple[str, ...]:
    """Return the forces that solve a board, none if it is solved. The result depends only on the seed.

    Of the shortest solutions found, it is the one that leaves the best start for the next board. Raises
    NoSolutionError.
    """
    face = _FACES.index(board.face)
    solutions = _beam().solve(bytes(board.cells), face, seed)
    if not solutions:
        raise NoSolutionError
    fewest = min(len(solution.forces) for solution in solutions)
    best = min(
        (solution for solution in solutions if len(solution.forces) == fewest),
        key=lambda solution: estimate(solution.blocks, 1 - face),
    )
    return tuple(FORCE_NAMES[force] for force in best.forces)


def get_ready() -> None:
    """Compile the search. This takes about ten seconds the first time, half a second later."""
    Beam(_NARROW).solve(bytes(START.cells), _FACES.index(START.face), seed=1)
