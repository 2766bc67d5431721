"""Which Golden Nugget entry is better, from the moves that each of its boards took."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering

from engine.golden_nugget.board import MAX_BOARDS, MIN_BOARDS


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Mean:
    """The mean of moves per board, kept as the two whole numbers (boards at least 1) and compared exactly."""

    moves: int
    boards: int

    @property
    def exact(self) -> Fraction:
        """Give the mean itself."""
        return Fraction(self.moves, self.boards)

    @property
    def text(self) -> str:
        """Give the mean rounded to two decimals, half up: 712 moves on 20 boards are `35.60`."""
        hundredths = (200 * self.moves + self.boards) // (2 * self.boards)
        return f"{hundredths // 100}.{hundredths % 100:02}"

    @property
    def key(self) -> int:
        """Give a whole number that orders means as they are: the smaller is the better, equal is equal.

        It is right for up to MAX_BOARDS boards: different fractions with such denominators b and d are at
        least 1/bd apart, so these multiples of them at least 1, and then their whole parts differ. With at
        most 99 moves a board it stays under four million.
        """
        return self.moves * MAX_BOARDS**2 // self.boards

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mean) and self.exact == other.exact

    def __lt__(self, other: "Mean") -> bool:
        return self.exact < other.exact

    def __hash__(self) -> int:
        return hash(self.exact)

    def as_json(self) -> dict[str, int | str]:
        """Give the mean as the API shows it."""
        return {"moves": self.moves, "boards": self.boards, "text": self.text}


def mean_of(counts: Sequence[int]) -> Mean:
    """Give the mean of the boards' counts of moves, of which there must be one at least."""
    return Mean(sum(counts), len(counts))


def tie_break(counts: Sequence[int]) -> tuple[int, ...]:
    """Give what decides between entries of equal means and as many boards: the last board's moves first."""
    return tuple(reversed(counts))


def ranking_key(counts: Sequence[int]) -> tuple[int, ...]:
    """Give the key by which entries are sorted, the best first; entries of equal keys share a rank.

    The smaller mean is better, then more boards, then fewer moves on the last board, the last but one, and so
    on (rules page: An entry). `counts` has the moves of each board, for 1 to MAX_BOARDS boards.
    """
    return (mean_of(counts).key, -len(counts), *tie_break(counts))


def best_prefix(counts: Sequence[int]) -> int | None:
    """Give how many of a run's first boards rank best as an entry, or None when there are fewer than 20."""
    lengths = range(MIN_BOARDS, min(len(counts), MAX_BOARDS) + 1)
    return min(lengths, key=lambda length: ranking_key(counts[:length]), default=None)
