"""Solving one board: a beam search guided by estimates, completed by the endgame database."""

import threading
from dataclasses import dataclass
from functools import cache

import numpy as np

from engine.golden_nugget.board import MOVE_LIMIT
from engine.search.arrays import Array
from engine.search.nugget import kernels
from engine.search.nugget.endgame import Endgame
from engine.search.nugget.tables import (
    COLOURS_OF,
    HASHES,
    LINES,
    ORDERS,
    POWERS,
    UNIT,
    WEIGHTS,
)

_SLACK = 1  # extra moves that a solution may take, because it may leave a better start for the next board
_MOST_HITS = 300  # boards in the database whose solutions are looked up
_MOST_WAYS = 6  # solutions for each of them
_NOISE = UNIT  # of an estimate, so that the beam does not keep only boards of one kind


@dataclass(frozen=True, slots=True)
class Solution:
    """A solved board: the indices of the forces that lead to it, and its 49 blocks (bytes)."""

    forces: tuple[int, ...]
    blocks: bytes


@dataclass(frozen=True, slots=True)
class _Level:
    """The boards after a number of moves, each with its parent in the previous level and the force used."""

    blocks: Array
    colours: Array
    rows: Array
    columns: Array
    layouts: Array
    keys: Array
    parents: Array
    forces: Array


@cache
def _line_estimates() -> Array:
    table: Array = kernels.line_estimates(ORDERS, *WEIGHTS.values(), UNIT)
    return table


class Beam:
    """Solves boards with a beam of fixed width, one at a time. Reuses its memory from board to board."""

    def __init__(self, endgame: Endgame, width: int) -> None:
        self._endgame = endgame
        self._width = width
        self._solving = threading.Lock()  # held by the thread that uses the memory
        self._table = _line_estimates()
        room = 1 << max(16, (width * 28 * 48).bit_length())
        self._seen = np.zeros(room, np.uint64)
        self._marks = np.zeros(room, np.uint8)
        most = 28 * width
        self._children = (
            np.empty(most, np.int32),
            np.empty(most, np.uint8),
            np.empty(most, np.int16),
            np.empty(most, np.uint64),
        )

    def estimate(self, blocks: bytes, face: int) -> float:
        """Return the estimated moves to solve a board, given its blocks and the index of its face."""
        return float(self._start(blocks, face).layouts.min()) / UNIT

    def solve(self, blocks: bytes, face: int, seed: int) -> list[Solution]:
        """Return solutions with the fewest moves found and with one more; none if the beam is too narrow.

        Wait while another thread solves a board.
        """
        with self._solving:
            return self._solve(blocks, face, seed)

    def _solve(self, blocks: bytes, face: int, seed: int) -> list[Solution]:
        self._seen[:] = 0
        levels = [self._start(blocks, face)]
        mask = np.uint64(len(self._seen) - 1)
        kernels.put(self._seen, self._marks, mask, levels[0].keys[0], np.uint8(1))
        fewest, hits = MOVE_LIMIT + 1, []
        while len(levels[-1].blocks):
            made = len(levels) - 1
            depths = self._endgame.depths(levels[-1].colours)
            for board in np.flatnonzero(depths != kernels.NOT_FOUND):
                moves = made + int(depths[board])
                fewest = min(fewest, moves)
                hits.append((moves, made, int(board), int(depths[board])))
            if made >= min(fewest + _SLACK - 1, MOVE_LIMIT):
                break
            levels.append(self._next(levels[-1], mask, seed + made))
        good = sorted(hit for hit in hits if hit[0] <= min(fewest + _SLACK, MOVE_LIMIT))
        return self._solutions(levels, good[:_MOST_HITS])

    def _start(self, blocks: bytes, face: int) -> _Level:
        numbers = np.frombuffer(bytearray(blocks), np.uint8).reshape(1, 49)  # writable, as on the next levels
        colours = COLOURS_OF[face][numbers]
        rows, columns = np.empty((1, 7), np.int64), np.empty((1, 7), np.int64)
        layouts = np.empty((1, 240), np.int16)
        kernels.patterns(colours[0], POWERS, rows[0], columns[0])
        kernels.estimate(rows[0], columns[0], self._table, layouts[0])
        key = np.bitwise_xor.reduce(HASHES[np.arange(49), colours[0]]).reshape(1)
        none = np.empty(0, np.int64)
        return _Level(numbers, colours, rows, columns, layouts, key, none, none)

    def _next(self, level: _Level, mask: np.uint64, seed: int) -> _Level:
        count = kernels.expand(
            level.colours,
            level.rows,
            level.columns,
            level.layouts,
            level.keys,
            LINES,
            POWERS,
            self._table,
            HASHES,
            self._seen,
            self._marks,
            mask,
            *self._children,
        )
        parents, forces, estimates, keys = self._children
        chosen = kernels.select(estimates, count, self._width, _NOISE, seed)
        parents, forces, keys = parents[chosen], forces[chosen], keys[chosen]
        rows, columns = np.empty((len(chosen), 7), np.int64), np.empty((len(chosen), 7), np.int64)
        layouts = np.empty((len(chosen), 240), np.int16)
        blocks, colours = kernels.advance(
            level.blocks,
            level.colours,
            parents,
            forces,
            LINES,
            POWERS,
            self._table,
            rows,
            columns,
            layouts,
        )
        return _Level(blocks, colours, rows, columns, layouts, keys, parents, forces)

    def _solutions(self, levels: list[_Level], hits: list[tuple[int, int, int, int]]) -> list[Solution]:
        """Return the different solved boards that the hits lead to, each with its shortest solution."""
        solutions: dict[bytes, Solution] = {}
        for _, made, board, depth in hits:
            ends, tails = self._endgame.ways_down(
                levels[made].blocks[board], levels[made].colours[board], depth, _MOST_WAYS
            )
            head: tuple[int, ...] | None = None
            for end, tail in zip(ends, tails, strict=True):
                blocks = end.tobytes()
                if blocks not in solutions:
                    head = _path(levels, made, board) if head is None else head
                    solutions[blocks] = Solution((*head, *map(int, tail)), blocks)
        return list(solutions.values())


def _path(levels: list[_Level], made: int, board: int) -> tuple[int, ...]:
    forces = []
    for level in reversed(levels[1 : made + 1]):
        forces.append(int(level.forces[board]))
        board = int(level.parents[board])
    return tuple(reversed(forces))
