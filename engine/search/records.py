"""What search can prove of the number games: the figures of `gorrion records`, each with its evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import squares
from engine.search import jumping_farther, up_and_up


@dataclass(frozen=True, slots=True)
class Finding:
    """A proved figure: the highest score of a solitaire, or the first side's lead under best play.

    `proof` is `full_board` (no board has more squares) or `exhaustive_search`; `cells` are the squares of a
    game that reaches the figure, in the order of their numbers.
    """

    game: str
    players: int
    size: int
    value: int
    proof: str
    cells: tuple[str, ...]


def findings(largest: int) -> Iterator[Finding]:
    """Give what can be proved for boards up to a size, game by game, as it is found."""
    for size in range(1, largest + 1):
        yield _finding("up_and_up", 1, size, size**2, "full_board", up_and_up.fill(size))
    for size in range(2, min(largest, jumping_farther.LARGEST) + 1):
        for players, solve in ((1, jumping_farther.best_solitaire), (2, jumping_farther.best_play)):
            solved = solve(size)
            yield _finding("jumping_farther", players, size, solved.value, "exhaustive_search", solved.cells)


def _finding(game: str, players: int, size: int, value: int, proof: str, cells: Sequence[int]) -> Finding:
    names = squares.names(size)
    return Finding(game, players, size, value, proof, tuple(names[cell] for cell in cells))
