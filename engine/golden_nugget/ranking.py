"""How runs and entries rank: by exact mean, then boards, then the last boards' moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import total_ordering

MIN_BOARDS = 20
MAX_BOARDS = 200


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Mean:
    """Moves per board as an exact fraction; 800 moves on 20 boards equal 8000 on 200."""

    moves: int
    boards: int

    @property
    def key(self) -> int:
        """Give an integer that orders means exactly and is the same for equal ones.

        Two different fractions with denominators up to 200 differ by at least 1/(200*199), so that multiplied
        by 200*200 they differ by more than one, and their whole parts differ.
        """
        return self.moves * MAX_BOARDS * MAX_BOARDS // self.boards

    @property
    def text(self) -> str:
        """Give the mean to two decimals, halves rounded up, reckoned in whole numbers."""
        hundredths = (200 * self.moves + self.boards) // (2 * self.boards)
        return f"{hundredths // 100}.{hundredths % 100:02}"

    def as_dict(self) -> dict[str, int | str]:
        """Give the mean as the API tells it."""
        return {"moves": self.moves, "boards": self.boards, "text": self.text}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mean) and self.moves * other.boards == other.moves * self.boards

    def __lt__(self, other: "Mean") -> bool:
        return self.moves * other.boards < other.moves * self.boards

    def __hash__(self) -> int:
        return hash(self.key)


def mean_of(counts: Sequence[int]) -> Mean:
    """Give the mean of the moves on each board. Raises ValueError when there is no board."""
    if not counts:
        raise ValueError("There is no mean of no boards.")
    return Mean(sum(counts), len(counts))


def ranking_key(counts: Sequence[int]) -> tuple[int, int, list[int]]:
    """Give what an entry ranks by, the smaller the better; `counts` are the moves on each board.

    The smaller mean is better, then more boards, then fewer moves on the last board, on the one before, …
    """
    return mean_of(counts).key, -len(counts), list(reversed(counts))


def best_prefix(counts: Sequence[int]) -> int | None:
    """Give how many of a run's first boards rank best as an entry, or None when there are fewer than 20."""
    lengths = range(MIN_BOARDS, min(len(counts), MAX_BOARDS) + 1)
    return min(lengths, key=lambda length: ranking_key(counts[:length]), default=None)
