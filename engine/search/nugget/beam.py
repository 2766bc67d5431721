"""Solving one board: a beam search guided by estimates."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from engine.golden_nugget.board import MOVE_LIMIT
from engine.search.arrays import Array
from engine.search.nugget import kernels, strip_kernels
from engine.search.nugget.tables import (
    COLOURS_OF,
    FACTORS,
    KIND_FACTORS,
    KINDS,
    LINES,
    ORDERS,
    POWERS,
    TRANSPOSED,
    UNIT,
    WEIGHTS,
)

_LAYOUTS = 40  # the most promising of the 240, with which a search begins
_MOST_SOLUTIONS = 5_000  # of one level
_APART_BELOW = 48  # in units of the estimate, from which on boards are told apart by what they hide
_NOISE = UNIT  # of an estimate, so that the beam does not keep only boards of one kind
_SPARE = 10  # times the width of the beam: the boards kept until it is known which of them are alike
_LEVELS = 64  # for which there is room in the table of boards that were seen
_ACROSS = np.arange(49).reshape(7, 7).T.ravel()  # the squares when rows and columns are exchanged


@dataclass(frozen=True, slots=True)
class Solution:
    """A solved board: the indices of the forces that lead to it, and its 49 blocks (bytes)."""

    forces: tuple[int, ...]
    blocks: bytes


@dataclass(frozen=True, slots=True)
class _Level:
    """The boards after a number of moves: what they show, their blocks, columns and estimates."""

    cells: Array
    blocks: Array
    columns: Array
    estimates: Array


Way = tuple[Array, Array]
"""For each board of a level its parent in the previous one, and the force used."""


@cache
def column_estimates() -> Array:
    """Return the estimates of each column of a board in which colour r belongs to row r, by its pattern."""
    table: Array = kernels.line_estimates(*WEIGHTS.values(), UNIT)
    return table


def estimate(blocks: bytes, face: int) -> float:
    """Return the estimated moves to solve a board, given its blocks and the index of its face."""
    return float(_layouts(_colours(blocks, face)).min()) / UNIT


class Beam:
    """Solves boards with a beam of fixed width, one at a time. Reuses its memory from board to board.

    `slack` is the number of extra moves that a solution may take, because it may leave a better start for
    the next board.
    """

    def __init__(self, width: int, slack: int = 1) -> None:
        self._width = width
        self._slack = slack
        self._solving = threading.Lock()  # held by the thread that uses the memory
        room = 1 << max(16, (width * _LEVELS * 2).bit_length())
        self._seen = np.zeros(room, np.uint64)
        self._marks = np.zeros(room, np.uint8)
        most = 28 * max(width, _LAYOUTS)
        self._children = (
            np.empty(most, np.int32),
            np.empty(most, np.uint8),
            np.empty(most, np.int32),
            np.empty(most, np.uint64),
        )
        self._solved = np.empty((_MOST_SOLUTIONS, 2), np.int32)

    def solve(self, blocks: bytes, face: int, seed: int) -> list[Solution]:
        """Return solutions with the fewest moves found and with a few more; none if the beam is too narrow.

        Wait while another thread solves a board.
        """
        with self._solving:
            return self._solve(blocks, face, seed)

    def _solve(self, blocks: bytes, face: int, seed: int) -> list[Solution]:
        self._seen[:] = 0
        layouts, level = self._start(blocks, face)
        if not level.estimates.all():
            return [Solution((), blocks)]
        ways: list[Way] = []
        last = MOVE_LIMIT
        solutions: dict[bytes, Solution] = {}
        while len(level.cells) and len(ways) < last:
            following, way, solved = self._next(level, seed + len(ways) + 1)
            if len(solved):
                last = min(last, len(ways) + 1 + self._slack)
                for board, force in solved:
                    solution = _solution(layouts, level, ways, int(board), int(force))
                    solutions.setdefault(solution.blocks, solution)
            level = following
            ways.append(way)
        return list(solutions.values())

    def _start(self, blocks: bytes, face: int) -> tuple[Array, _Level]:
        """Return the layouts with which a search begins, and the board in each of them."""
        colours = _colours(blocks, face)
        estimates = _layouts(colours)
        layouts = np.argsort(estimates, kind="stable")[:_LAYOUTS]
        cells = np.empty((len(layouts), 49), np.uint8)
        turned = np.empty((len(layouts), 49), np.uint8)
        columns = np.empty((len(layouts), 7), np.int32)
        for place, layout in enumerate(layouts):
            squares = _ACROSS if layout >= 120 else np.arange(49)
            renamed = np.concatenate(([0], ORDERS[layout % 120])).astype(np.uint8)
            cells[place] = renamed[colours[squares]]
            turned[place] = np.frombuffer(blocks, np.uint8)[squares]
            kernels.column_patterns(cells[place], POWERS, columns[place])
        return layouts, _Level(cells, turned, columns, estimates[layouts].astype(np.int32))

    def _next(self, level: _Level, seed: int) -> tuple[_Level, Way, Array]:
        """Return the boards to go on with and the way to them, and parents and forces of solved ones."""
        count, ends = strip_kernels.expand(
            level.cells,
            level.blocks,
            level.columns,
            level.estimates,
            LINES,
            POWERS,
            column_estimates(),
            FACTORS,
            KINDS,
            KIND_FACTORS,
            _APART_BELOW,
            _SPARE * self._width,
            *self._children,
            self._solved,
        )
        parents, forces, costs, identities = self._children
        mask = np.uint64(len(self._seen) - 1)
        chosen = strip_kernels.choose(
            costs, identities, count, self._width, _NOISE, seed, self._seen, self._marks, mask
        )
        parents, forces = parents[chosen], forces[chosen]
        cells, blocks, columns = strip_kernels.advance(
            level.cells, level.blocks, parents, forces, LINES, POWERS
        )
        following = _Level(cells, blocks, columns, costs[chosen])
        return following, (parents, forces), self._solved[:ends].copy()


def _solution(layouts: Array, level: _Level, ways: list[Way], board: int, force: int) -> Solution:
    """Return the solved board after a push of a board of a level, given the ways to it from the start."""
    blocks, cells = level.blocks[board].copy(), level.cells[board].copy()
    kernels.push(blocks, cells, LINES[force])
    before, root = way_to(ways, board)
    used = [*before, force]
    if layouts[root] >= 120:
        blocks, used = blocks[_ACROSS], list(map(int, TRANSPOSED[used]))
    return Solution(tuple(used), blocks.tobytes())


def way_to(ways: Sequence[Way], board: int) -> tuple[list[int], int]:
    """Return the forces that lead to a board of the last level, and the board of the first level there."""
    used = []
    for parents, forces in reversed(ways):
        used.append(int(forces[board]))
        board = int(parents[board])
    return used[::-1], board


def _colours(blocks: bytes, face: int) -> Array:
    colours: Array = COLOURS_OF[face][np.frombuffer(blocks, np.uint8)]
    return colours


def _layouts(colours: Array) -> Array:
    """Return the estimates of the 240 layouts of a board."""
    layouts = np.empty(240, np.int16)
    kernels.estimate(colours, ORDERS, POWERS, column_estimates(), layouts)
    return layouts
