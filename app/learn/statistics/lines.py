"""The first plies of a finished game, as the explorer counts them."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from app.learn.statistics.finished import FinishedGame
from engine import symmetry

EXPLORED_PLIES = 12
"""How many plies of each game the explorer knows: later positions hardly ever occur twice."""

RATED_ABOVE = (1400, 1600, 1800, 2000, 2200)
"""The ratings above which the explorer can look at games alone."""


class Explored(NamedTuple):
    """A move in a position, both as in the position's fold."""

    position: int
    move: str


def explored(game: FinishedGame) -> Iterator[Explored]:
    """Yield the moves of a game's first plies, without those of the game from which it went on."""
    plies = slice(game.first_ply, EXPLORED_PLIES)
    for position, move in zip(game.positions[plies], game.moves[plies], strict=False):
        fold = symmetry.fold(game.rules, position)
        yield Explored(fold.key, fold.folded(move))


def band_of(rating: float | None) -> int:
    """Return the band of a game: 0 if it was casual, and one more for each of RATED_ABOVE otherwise."""
    return 0 if rating is None else 1 + bisect_right(RATED_ABOVE, rating)


def lowest_band(above: int | None) -> int:
    """Return the lowest band of games rated above a number, all games if it is None."""
    return 0 if above is None else 2 + RATED_ABOVE.index(above)
