"""A beam search for games in which a player writes numbers on a grid alone.

After each number it keeps the positions that cost least. What a position costs is first its *slack*: how many
jumps its increasing runs are behind runs of all lengths from 1 to the side of the board less one. A game with
few runs has little slack all along, and each jump that is not one longer than the one before adds to it. To
that comes the isolation of the empty squares, since games are over too early when some cannot be reached.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from engine import number_grid, squares
from engine.search.arrays import Array, line_arrays
from engine.search.number_beam import kernels
from engine.symmetry import turns

QUICK_WIDTH = 1_000
"""The width of searches whose results somebody waits for."""

UNLIMITED = 1 << 30
"""A slack that no game exceeds."""

_SPARE = 1_000  # entries of the buffers beyond twice the width
_NOISE = 0.1  # the most that chance adds to a cost, so that the beam does not keep positions of one kind only


@dataclass(frozen=True)
class Board:
    """A board of a game, as the kernels expect it.

    `lines` has the squares that jumps lead to from each square, with their distances. `next_jumps` has by the
    last jump (0 at the first number) the lengths that the next one may have, in groups: those of a group
    only if none of the groups before is possible. `marks` has by the last jump a number; positions that
    differ in jumps of equal marks only are compared by their runs and jumps, and the better one is kept.
    `ties` has by the distance how much two empty squares on a line are linked. An empty square costs
    `isolation` × e^(-links / `reach`).
    """

    size: int
    lines: Sequence[Sequence[tuple[int, int]]]
    next_jumps: Sequence[Sequence[Sequence[int]]]
    marks: Sequence[int]
    ties: Sequence[int]
    isolation: float
    reach: float
    tables: "_Tables" = field(init=False)

    def __post_init__(self) -> None:
        """Make the tables of the kernels."""
        object.__setattr__(self, "tables", _tables(self))


class Start(NamedTuple):
    """A position to go on from: its squares, in the order of their numbers, and its last jump."""

    cells: Sequence[int]
    jump: int = 0


class _Tables(NamedTuple):
    """The arrays of a board that the kernels use."""

    targets: Array
    fars: Array
    reaches: Array
    next_jumps: Array
    ties: Array
    costs: Array
    square_keys: Array
    last_keys: Array
    jump_keys: Array


class _Layer(NamedTuple):
    """The positions with the same number of jumps, each with its place among those of the layer before."""

    before: Array
    lasts: Array
    runs: Array


@dataclass(frozen=True, slots=True)
class Games:
    """The games that a search found. `is_complete` says whether it dropped no position for want of width."""

    layers: Sequence[_Layer]
    is_complete: bool

    @property
    def fewest_runs(self) -> list[int]:
        """Return the fewest runs of a game by the number of jumps since the start, from 0 on."""
        return [int(layer.runs.min()) for layer in self.layers]

    def squares(self, jumps: int) -> list[int]:
        """Return the squares, from the last one of the start, of a game with the fewest runs."""
        place, squares = int(self.layers[jumps].runs.argmin()), []
        for layer in self.layers[jumps::-1]:
            squares.append(int(layer.lasts[place]))
            place = int(layer.before[place])
        return squares[::-1]


def starts(size: int) -> list[Start]:
    """Return the boards with a first number, one of those that are alike but for turning the board."""
    images = {min(turn.targets[square] for turn in turns(size)) for square in range(size**2)}
    return [Start((square,)) for square in sorted(images)]


def search(board: Board, begin: Sequence[Start], width: int, seed: int, most_slack: int = UNLIMITED) -> Games:
    """Return the games that a beam finds from positions with equally many numbers, all in their first run.

    Each number adds at most `width` positions, which take some 500 bytes each on a large board. Positions
    with a slack of more than `most_slack` are left out. The result depends only on the seed.
    """
    tables = board.tables
    links, hashes = _written(board, begin)
    lasts = np.array([start.cells[-1] for start in begin], np.uint8)
    jumps = np.array([start.jump for start in begin], np.uint8)
    runs = np.ones(len(begin), np.uint8)
    isolation = np.array([tables.costs[row[row != kernels.TAKEN]].sum() for row in links], np.float32)
    buffers = _buffers(width)
    layers, is_complete = [_Layer(np.zeros(len(begin), np.int32), lasts, runs)], True
    for number in range(1, board.size**2 - len(begin[0].cells) + 1):
        position = (links, lasts, jumps, runs, isolation, hashes)
        limits = (number, most_slack, width, np.uint64(seed), _NOISE)
        count, has_dropped = kernels.follow(*position, *limits, *tables, *buffers)
        is_complete &= not has_dropped
        if not count:
            break
        before, lasts, jumps, runs, isolation = (buffer[:count].copy() for buffer in buffers[:5])
        links, hashes = _with_numbers(tables, links, hashes, before, lasts)
        layers.append(_Layer(before, lasts, runs))
    return Games(layers, is_complete)


def continuation(board: Board, begin: Start, seed: int, jumps_of: Callable[[Games], int]) -> list[str]:
    """Return the moves of the best way to go on from a position that a quick search finds.

    It is the one after so many jumps as `jumps_of` says of the games that were found.
    """
    games = search(board, [begin] if begin.cells else starts(board.size), QUICK_WIDTH, seed)
    line = games.squares(jumps_of(games))
    names = squares.names(board.size)
    return [names[square] for square in (line[1:] if begin.cells else line)]


def _written(board: Board, begin: Sequence[Start]) -> tuple[Array, Array]:
    """Return the links and hashes of positions."""
    empty = [sum(board.ties[far] for _, far in line) for line in board.lines]
    links, hashes = np.tile(np.array(empty, np.uint8), (len(begin), 1)), np.zeros((len(begin), 8), np.uint64)
    same = np.arange(len(begin), dtype=np.int32)
    for numbers in zip(*(start.cells for start in begin), strict=True):
        links, hashes = _with_numbers(board.tables, links, hashes, same, np.array(numbers, np.uint8))
    return links, hashes


def _with_numbers(
    tables: _Tables, links: Array, hashes: Array, before: Array, lasts: Array
) -> tuple[Array, Array]:
    lines = (tables.targets, tables.fars, tables.reaches)
    new_links, new_hashes = kernels.written(
        links, hashes, before, lasts, *lines, tables.ties, tables.square_keys
    )
    return new_links, new_hashes


def _tables(board: Board) -> _Tables:
    area, turned = board.size**2, turns(board.size)
    keys = np.random.default_rng(1).integers(0, 1 << 64, (3, area), np.uint64, endpoint=False)
    return _Tables(
        *line_arrays(board.lines),
        np.array([[sum(1 << far for far in choice) for choice in choices] for choices in board.next_jumps]),
        np.array(board.ties, np.uint8),
        (board.isolation * np.exp(-np.arange(kernels.TAKEN + 1) / board.reach)).astype(np.float32),
        np.array([keys[0][list(turn.targets)] for turn in turned]),
        np.array([keys[1][list(turn.targets)] for turn in turned]),
        keys[2][list(board.marks)],
    )


def _buffers(width: int) -> tuple[Array, ...]:
    """Return the buffers of `kernels.follow`."""
    size = 2 * width + _SPARE
    kinds = (np.int32, np.uint8, np.uint8, np.uint8, np.float32, np.uint64, np.uint16)
    return *(np.empty(size, kind) for kind in kinds), np.empty(1 << (2 * size).bit_length(), np.int32)


def fewest_runs(
    board: Board, width: int, seed: int, is_reached: Callable[[Games, int], bool]
) -> tuple[Games, bool]:
    """Return games from the empty board on, and whether it is proved that none has fewer runs.

    They are allowed one run more in each search, from the fewest that a full board may have, until
    `is_reached` says of the games and the runs that this is enough. A width that never is gets doubled.
    """
    area, is_proved = board.size**2, True
    for doubled in itertools.count():
        for runs in range(number_grid.fewest_runs(board.size), area + 1):
            most_slack = (board.size - 1) * runs - (area - 1)
            games = search(board, starts(board.size), width << doubled, seed, most_slack)
            if is_reached(games, runs):
                return games, is_proved
            is_proved &= games.is_complete
    raise AssertionError
