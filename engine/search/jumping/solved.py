"""Rounds of Jumping Farther & Farther for two, solved on small boards by an alpha-beta search."""

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from threading import Thread
from typing import NamedTuple, Self

import numpy as np

from engine.number_grid import queen_lines
from engine.search.arrays import Array
from engine.search.jumping import solved_kernels
from engine.search.number_beam.best import Best
from engine.symmetry import turns

LARGEST = 6
"""The size of the largest board that can be solved."""

QUICK = 5
"""The size of the largest board that is solved in seconds; larger ones take hours and 4 GB."""

_TABLE_BITS = {6: 29}  # 4 GB
_USUAL_TABLE_BITS = 22
_CHUNK = 12  # squares that `solved_kernels` turns at once


class Board(NamedTuple):
    """What the kernels need to know about a board.

    `beyond` are by square and distance the squares on its lines that are so far away or farther, as sets, and
    `fars` the distances of squares. `turned` is by way to lay the board, number and content of a chunk of a
    set the set that it becomes, and `targets` by way and square the square to which it goes.
    """

    beyond: Array
    fars: Array
    turned: Array
    targets: Array

    @classmethod
    def of(cls, size: int) -> Self:
        """Return the board of a size."""
        area = size**2
        beyond = np.zeros((area, size + 2), np.uint64)
        fars = np.zeros((area, area), np.int64)
        for square, line in enumerate(queen_lines(size)):
            for target, far in line:
                beyond[square, : far + 1] |= np.uint64(1 << target)
                fars[square, target] = far
        targets = np.array([turn.targets for turn in turns(size)])
        turned = np.zeros((len(targets), -(-area // _CHUNK), 1 << _CHUNK), np.uint64)
        contents = np.arange(1 << _CHUNK)
        for way, goes_to in enumerate(targets):
            for square, target in enumerate(goes_to):
                chunk, bit = divmod(square, _CHUNK)
                turned[way, chunk, contents >> bit & 1 == 1] |= np.uint64(1 << target)
        return cls(beyond, fars, turned, targets)


@dataclass(frozen=True, slots=True)
class Bounds:
    """By how much the first side wins a round with best play; found by a search of so many positions."""

    least: int
    most: int
    positions: int


class Solver:
    """A search that solves the round on a board of a size, and remembers positions."""

    def __init__(self, size: int) -> None:
        """Raise ValueError if the board is too large."""
        if not 1 <= size <= LARGEST:
            raise ValueError(f"Boards up to {LARGEST}×{LARGEST} can be solved, not {size}×{size}.")
        self._size, self._area = size, size**2
        self._board = Board.of(size)
        self._table = np.zeros(1 << _TABLE_BITS.get(size, _USUAL_TABLE_BITS), np.uint64)

    def bounds(self) -> Iterator[Bounds]:
        """Yield closer and closer bounds; the last ones are equal.

        Two threads share what is known of positions, and each comes from one end of what is possible, since
        a bound is harder to find the closer it is.
        """
        least, most, positions = -(self._area // 2), self._area // 2, 0
        asked: dict[int, Future[tuple[bool, int]]] = {}
        while least < most:
            for lead in {least + 1, most} - asked.keys():
                asked[lead] = self._ask(lead)
            wait(asked.values(), return_when=FIRST_COMPLETED)
            for lead in [lead for lead, answer in asked.items() if answer.done()]:
                leads, searched = asked.pop(lead).result()
                positions += searched
                if leads:
                    least = max(least, lead)
                else:
                    most = min(most, lead - 1)
            yield Bounds(least, most, positions)

    def best_play(self, lead: int) -> list[int]:
        """Return the squares of a round with best play, which the first side wins by `lead`."""
        cells: list[int] = []
        choices = self._starts()
        while choices:
            # By so much the side to move wins the rest with the best choice, after what that scores.
            leads = [(square, lead - self._gain(cells, square)) for square in choices]
            square, rest = next(
                (square, rest) for square, rest in leads if self._leads([*cells, square], rest)[0]
            )
            cells.append(square)
            lead = -rest
            choices = [square for square, _ in queen_lines(self._size)[cells[-1]] if square not in cells]
        return cells

    def _ask(self, lead: int) -> Future[tuple[bool, int]]:
        """Begin to find out whether the first side wins by so much, for as long as the program runs."""
        answer: Future[tuple[bool, int]] = Future()

        def find() -> None:
            try:
                answer.set_result(self._first_leads(lead))
            except BaseException as error:
                answer.set_exception(error)
                raise

        Thread(target=find, daemon=True).start()
        return answer

    def _first_leads(self, lead: int) -> tuple[bool, int]:
        """Return whether the first side wins the round by so much, and how many positions were searched."""
        positions = 0
        for start in self._starts():
            leads, searched = self._leads([start], lead)
            positions += searched
            if leads:
                return True, positions
        return False, positions

    def _leads(self, cells: list[int], lead: int) -> tuple[bool, int]:
        """Return whether the side that wrote the last number wins the rest of the round by so much.

        Also return how many positions were searched.
        """
        taken = np.uint64(sum(1 << cell for cell in cells))
        others, searched = solved_kernels.wins(
            taken, cells[-1], self._jump(cells), 1 - lead, self._board, self._table
        )
        return not others, searched

    def _gain(self, cells: list[int], square: int) -> int:
        """Return the points of the next number."""
        return int(bool(cells) and self._board.fars[cells[-1], square] > self._jump(cells))

    def _jump(self, cells: list[int]) -> int:
        """Return the last jump. One of `size` before the second number keeps that from scoring."""
        return int(self._board.fars[cells[-2], cells[-1]]) if len(cells) > 1 else self._size

    def _starts(self) -> list[int]:
        """Return the squares for the first number, the innermost first; one of those that are alike."""
        least = {min(turn.targets[square] for turn in turns(self._size)) for square in range(self._area)}
        return sorted(least, reverse=True)


def best_play(size: int) -> Best:
    """Return the lead of the first side in a round if both sides play best, and such a round.

    Raise ValueError if the board is too large.
    """
    solver = Solver(size)
    lead = 0
    for bounds in solver.bounds():
        lead = bounds.least
    return Best(lead, solver.best_play(lead), is_proved=True)
