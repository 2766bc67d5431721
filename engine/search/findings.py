"""What searches proved or reached in the number games: the output of `gorrion records`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import squares
from engine.jumping_farther import JUMPING_SOLITAIRE, most_points
from engine.search import up_and_up
from engine.search.jumping import solitaire, solved
from engine.search.number_beam.best import Best
from engine.up_and_up import UP_AND_UP

BOUND = "bound"
EXHAUSTIVE_SEARCH = "exhaustive_search"

SMALLEST = {UP_AND_UP.key: 1, JUMPING_SOLITAIRE.key: 2}
"""The games in which there is something to find, each with the smallest board."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A figure: the score of a solitaire game, or the lead of the first side in a round with best play.

    `cells` are the squares of a game that reaches it, in the order of their numbers. `proof` is why there is
    nothing better: `bound` (the rules allow no more), `exhaustive_search`, or None if it was not proved. In
    a game with a tie-break, `tie_break` is the smallest one that was found with that score, and
    `tie_break_proof` why there is no smaller one.
    """

    game: str
    players: int
    size: int
    value: int
    proof: str | None
    cells: tuple[str, ...]
    tie_break: int | None = None
    tie_break_proof: str | None = None


def findings(games: Sequence[str], sizes: range, width: int, seed: int) -> Iterator[Finding]:
    """Yield the findings of games for boards of some sizes, game by game, as the searches end."""
    for game in games:
        for size in sizes:
            if size >= SMALLEST[game]:
                yield from _FINDERS[game](size, width, seed)


def _up_and_up(size: int, width: int, seed: int) -> Iterator[Finding]:
    best = up_and_up.fewest_resets(size, width, seed)
    least = UP_AND_UP.least_tie_break({"size": size})
    proof = _proof(best, best.value == least)
    yield Finding(UP_AND_UP.key, 1, size, size**2, BOUND, _names(size, best), best.value, proof)


def _jumping(size: int, width: int, seed: int) -> Iterator[Finding]:
    best = solitaire.highest(size, width, seed)
    proof = _proof(best, best.value == most_points(size))
    yield Finding(JUMPING_SOLITAIRE.key, 1, size, best.value, proof, _names(size, best))
    if size <= solved.QUICK:
        best = solved.best_play(size)
        yield Finding(JUMPING_SOLITAIRE.key, 2, size, best.value, EXHAUSTIVE_SEARCH, _names(size, best))


_FINDERS = {UP_AND_UP.key: _up_and_up, JUMPING_SOLITAIRE.key: _jumping}


def _proof(best: Best, is_bound: bool) -> str | None:
    return BOUND if is_bound else EXHAUSTIVE_SEARCH if best.is_proved else None


def _names(size: int, best: Best) -> tuple[str, ...]:
    names = squares.names(size)
    return tuple(names[cell] for cell in best.cells)
