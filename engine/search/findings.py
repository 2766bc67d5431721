"""What searches proved or reached in the number games: the output of `gorrion records`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import squares
from engine.search import up_and_up
from engine.search.jumping import beam, solved


@dataclass(frozen=True, slots=True)
class Finding:
    """A figure: the score of a solitaire game, or the lead of the first side in a round with best play.

    `proof` is the reason why the figure is optimal: `full_board` (no board has more squares),
    `exhaustive_search`, or None if a better one may exist. `cells` are the squares of a game that reaches the
    figure, in the order of their numbers.
    """

    game: str
    players: int
    size: int
    value: int
    proof: str | None
    cells: tuple[str, ...]


def findings(largest: int) -> Iterator[Finding]:
    """Yield the findings for boards up to a size, game by game, as the searches end."""
    for size in range(1, largest + 1):
        yield _finding("up_and_up", 1, size, size**2, "full_board", up_and_up.fill(size))
    for size in range(2, largest + 1):
        if size > solved.LARGEST:
            line = beam.highest(size)
            yield _finding("jumping_farther", 1, size, line.value, None, line.cells)
            continue
        for players, solve in ((1, solved.best_solitaire), (2, solved.best_play)):
            line = solve(size)
            yield _finding("jumping_farther", players, size, line.value, "exhaustive_search", line.cells)


def _finding(
    game: str, players: int, size: int, value: int, proof: str | None, cells: Sequence[int]
) -> Finding:
    names = squares.names(size)
    return Finding(game, players, size, value, proof, tuple(names[cell] for cell in cells))
