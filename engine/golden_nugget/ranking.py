"""The ranking of Golden Nugget entries by the number of moves on each board."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering

from engine.golden_nugget.board import MAX_BOARDS, MIN_BOARDS

LENGTHS = (20, 50, 100, 200)
"""The numbers of first boards over which there are records."""


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Mean:
    """The mean of moves per board, as two integers (at least 1 board) so that it compares exactly."""

    moves: int
    boards: int

    @property
    def exact(self) -> Fraction:
        """Return the mean as a fraction."""
        return Fraction(self.moves, self.boards)

    @property
    def text(self) -> str:
        """Return the mean rounded to two decimals, half up: 712 moves on 20 boards give `35.60`."""
        hundredths = (200 * self.moves + self.boards) // (2 * self.boards)
        return f"{hundredths // 100}.{hundredths % 100:02}"

    @property
    def key(self) -> int:
        """Return an integer that orders means exactly, the smaller the better.

        This is correct for up to MAX_BOARDS boards: different fractions with denominators b and d differ by
        at least 1/bd, so their multiples by MAX_BOARDS² differ by at least 1, and so do the integer parts.
        With at most 99 moves on a board, the key is below four million.
        """
        return self.moves * MAX_BOARDS**2 // self.boards

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mean) and self.exact == other.exact

    def __lt__(self, other: "Mean") -> bool:
        return self.exact < other.exact

    def __hash__(self) -> int:
        return hash(self.exact)

    def as_json(self) -> dict[str, int | str]:
        """Return the mean as the API gives it."""
        return {"moves": self.moves, "boards": self.boards, "text": self.text}


def means_of(fewest: Sequence[int]) -> list[Mean]:
    """Return the means over LENGTHS boards of the fewest moves over each, as far as there are so many."""
    return [Mean(moves, boards) for moves, boards in zip(fewest, LENGTHS, strict=False)]


def mean_of(counts: Sequence[int]) -> Mean:
    """Return the mean of the number of moves on each board. Raise ValueError unless there is a board."""
    if not counts:
        raise ValueError("A mean needs at least one board.")
    return Mean(sum(counts), len(counts))


def tie_break(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the key that ranks entries with equal means and as many boards: the last board first."""
    return tuple(reversed(counts))


def ranking_key(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the sort key of an entry, the best first. Entries with equal keys share a rank.

    The smaller mean is better, then more boards, then fewer moves on the last board, the one before it, and
    so on (rules page: An entry). `counts` has the number of moves on each board, for 1 to MAX_BOARDS boards.
    """
    return (mean_of(counts).key, -len(counts), *tie_break(counts))


def best_prefix(counts: Sequence[int]) -> int | None:
    """Return how many of the first boards of a run rank best as an entry, or None with fewer than 20."""
    lengths = range(MIN_BOARDS, min(len(counts), MAX_BOARDS) + 1)
    return min(lengths, key=lambda length: ranking_key(counts[:length]), default=None)
