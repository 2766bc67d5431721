"""What decides the continuation of a round of Jumping Farther & Farther.

It is which empty squares jumps can still lead to, which of them the next number may go on, where it scores,
and where the number after it would. Other empty squares are like filled ones, and only ratios of distances
matter: a board with every second row and column filled plays like one of half the size.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.canonical import DEAD, Rows, least_image
from engine.number_grid import leading_to, queen_lines, queen_sets

_LATER = "-"


@dataclass(frozen=True, slots=True)
class Outlook:
    """The squares that are left in a round: those `free`, as a set (see `number_grid`), and the `next`.

    These are for the next number, each with its distance from the last one; it scores if that is greater than
    `last_jump`.
    """

    size: int
    free: int
    next: Mapping[int, int]
    last_jump: int

    @property
    def room(self) -> tuple[int, int]:
        """Return how many squares jumps can still lead to, and how many there are for the next number."""
        return sum(part.bit_count() for part in self._parts()), len(self.next)

    def rooms(self) -> dict[int, tuple[int, int]]:
        """Return the room after the next number, by the square of that number."""
        lines = queen_sets(self.size)
        return {
            square: (part.bit_count() - 1, (lines[square] & self.free).bit_count())
            for part in self._parts()
            for square in self.next
            if part >> square & 1
        }

    def form(self) -> Rows:
        """Return the canonical form of the round."""
        size, left = self.size, sum(self._parts())
        cells = [self._cell(square) if left >> square & 1 else DEAD for square in range(size**2)]
        return least_image(_shrunk([cells[start : start + size] for start in range(0, size**2, size)]))

    def _cell(self, square: int) -> str:
        far = self.next.get(square)
        if far is None:
            return _LATER
        farther = sum(
            following > far and self.free >> other & 1 for other, following in queen_lines(self.size)[square]
        )
        return f"{'s' if far > self.last_jump else 'n'}{farther}"

    def _parts(self) -> Iterator[int]:
        """Yield the sets of squares among which jumps can lead from each one to each other one."""
        waiting = sum(1 << square for square in self.next)
        while waiting:
            part = leading_to(waiting & -waiting, self.free, queen_sets(self.size))
            yield part
            waiting &= ~part


def _shrunk(rows: list[list[str]]) -> list[list[str]]:
    """Return rows in which the distances of living cells have no common divisor."""
    places = [
        (number, column) for number, row in enumerate(rows) for column, cell in enumerate(row) if cell != DEAD
    ]
    if not places:
        return []
    top, left = min(number for number, _ in places), min(column for _, column in places)
    step = math.gcd(*(number - top for number, _ in places), *(column - left for _, column in places)) or 1
    return [row[left::step] for row in rows[top::step]]
