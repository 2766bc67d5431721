"""What search finds out about the number games: the figures of `gorrion records`, each with its evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import squares
from engine.search import up_and_up
from engine.search.jumping import beam, solved


@dataclass(frozen=True, slots=True)
class Finding:
    """A figure: the score of a solitaire, or the first side's lead in a round under best play.

    `proof` says why it is the best: `full_board` (no board has more squares) or `exhaustive_search`; it is
    None where a better one may be found. `cells` are the squares of a game that reaches the figure, in the
    order of their numbers.
    """

    game: str
    players: int
    size: int
    value: int
    proof: str | None
    cells: tuple[str, ...]


def findings(largest: int) -> Iterator[Finding]:
    """Give what is found for boards up to a size, game by game, as it is found."""
    for size in range(1, largest + 1):
        yield _finding("up_and_up", 1, size, size**2, "full_board", up_and_up.fill(size))
    for size in range(2, largest + 1):
        if size > solved.LARGEST:
            found = beam.best_found(size)
            yield _finding("jumping_farther", 1, size, found.value, None, found.cells)
            continue
        for players, solve in ((1, solved.best_solitaire), (2, solved.best_play)):
            found = solve(size)
            yield _finding("jumping_farther", players, size, found.value, "exhaustive_search", found.cells)


def _finding(
    game: str, players: int, size: int, value: int, proof: str | None, cells: Sequence[int]
) -> Finding:
    names = squares.names(size)
    return Finding(game, players, size, value, proof, tuple(names[cell] for cell in cells))
