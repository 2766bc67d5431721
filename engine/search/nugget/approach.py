"""A board solved so that it ends in a given position: a beam search for the shortest way into a cycle.

Not only what is shown has to come to its place, but also what is hidden. That takes about twice the moves of
any other solution, but a dozen long boards are saved.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from engine.golden_nugget.board import MOVE_LIMIT
from engine.search.arrays import Array
from engine.search.nugget import approach_kernels, kernels, strip_kernels
from engine.search.nugget.beam import Way, estimate, way_to
from engine.search.nugget.graph import Solved
from engine.search.nugget.nodes import EXCHANGED, node_of
from engine.search.nugget.tables import COLOURS_OF, KINDS, LINES, SYMMETRIES

_UNIT = 16  # of an estimate, for a move
_REACH = 16
_STEPS = 5
_INWARDS = 4  # for a coloured block on the border
_OUTWARDS = 12  # for a white block that has to get to its side of the border; twice for a corner
_NOISE = 24
_ORDERS = 4  # ways to say which of equal blocks goes where, for each goal
_SPREAD = 1.0  # steps by which these ways differ
_NEAR = 5  # moves
_NEAR_ROOM = 1 << 24  # for three nodes
_MOST_BEFORE = 24  # boards from which one push leads to a board, on average

_ANYWHERE = 49
_ROWS = [[7 * row + column for column in range(7)] for row in range(7)]
_ACROSS: Array = np.array([*zip(*_ROWS, strict=True), *_ROWS], np.int64)
"""The squares of the columns, from the top, and of the rows, from the left."""

_HASHES: Array = np.random.default_rng(20_031_112).integers(1, 2**63 - 1, (49, 36)).astype(np.uint64)
_HASHES[:, 0] = 0  # blocks that are white on both faces do not contribute


def _is_end(line: int) -> bool:
    return line in {0, 6}


def _tables() -> tuple[Array, Array, Array]:
    """Return by place whether its block shows white, its steps along columns and rows, and the rest."""
    is_white = np.ones(50, np.bool_)
    steps = np.zeros((2, 50, 7), np.int64)
    extra = np.zeros((49, 50), np.int64)
    for place in range(49):
        row, column = divmod(place, 7)
        is_white[place] = _is_end(row) or _is_end(column)
        # A white block gets to its side of the border by one push, from any place of its line.
        if not _is_end(row) and (_is_end(column) or not is_white[place]):
            steps[0, place] = row - np.arange(7)
        if not _is_end(column) and (_is_end(row) or not is_white[place]):
            steps[1, place] = column - np.arange(7)
        for square in range(49):
            at_row, at_column = divmod(square, 7)
            if not is_white[place]:
                extra[square, place] = _INWARDS * (_is_end(at_row) or _is_end(at_column))
            else:
                off = _is_end(row) * (at_row != row) + _is_end(column) * (at_column != column)
                extra[square, place] = _OUTWARDS * off * (1 + (_is_end(row) and _is_end(column)))
    return is_white, steps, extra


_IS_WHITE, _STEPS_OF, _EXTRA = _tables()

SHAPE = (_ACROSS, _IS_WHITE, _STEPS_OF, _EXTRA, _REACH, _STEPS)
"""What the kernels know of the board, and of what it takes to bring blocks to their places."""


@dataclass(frozen=True, slots=True)
class _Goal:
    """A solved board that leads to a node: the kinds of its blocks, and what they add to keys.

    `hashes` has the number for each kind on each square. It makes the key of a board the same as that of the
    board turned as the node is.
    """

    kinds: Array
    hashes: Array


def _goals(node: bytes) -> list[_Goal]:
    """Return the solved boards that show face A and lead to a node. The first is as the node is."""
    front, back = EXCHANGED[COLOURS_OF[::-1]][:, np.frombuffer(node, np.uint8)]
    kinds = (6 * front + back).astype(np.uint8)
    return [_Goal(kinds[squares], _HASHES[squares]) for squares in SYMMETRIES]


class Goals:
    """Nodes in which a board has to end, and a table of the boards that are so many moves from them at most.

    Building the table takes some seconds.
    """

    def __init__(self, nodes: Iterable[bytes], near: int = _NEAR) -> None:
        by_node = [_goals(node) for node in nodes]
        self.all = [goal for goals in by_node for goal in goals]
        self.tables: Array = np.array([goal.hashes[:, np.append(goal.kinds, 0)] for goal in self.all])
        """What a block that belongs to each place adds to the key of a board, by goal and square."""
        self.mask = np.uint64(_NEAR_ROOM - 1)
        self.near_keys, self.near_moves = np.zeros(_NEAR_ROOM, np.uint64), np.zeros(_NEAR_ROOM, np.uint8)
        boards = np.array([goals[0].kinds for goals in by_node])
        for kinds in boards:
            key = approach_kernels.key_of(kinds, _HASHES)
            kernels.put(self.near_keys, self.near_moves, self.mask, key, 0)
        for moves in range(1, near + 1):
            room = _MOST_BEFORE * len(boards) if moves < near else 0
            added = np.empty((room, 49), np.uint8)
            count = approach_kernels.boards_before(
                boards, LINES, _HASHES, self.near_keys, self.near_moves, self.mask, moves, added
            )
            boards = added[:count]

    def moves(self, blocks: Array, goal: _Goal) -> int:
        """Return the moves from a board to a goal, 255 unless it is near one."""
        key = approach_kernels.key_of(KINDS[blocks], goal.hashes)
        return int(kernels.get(self.near_keys, self.near_moves, self.mask, key))


class Approach:
    """Solves boards so that they end in some nodes, by a beam of fixed width."""

    def __init__(self, goals: Goals, width: int) -> None:
        self._goals = goals
        self._width = width
        room = 1 << (2 * width * MOVE_LIMIT).bit_length()
        self._seen, self._marks = np.zeros(room, np.uint64), np.zeros(room, np.uint8)
        self._children = (
            np.empty(28 * width, np.int32),
            np.empty(28 * width, np.uint8),
            np.empty(28 * width, np.int32),
            np.empty(28 * width, np.uint64),
        )

    def solve(self, node: bytes, seed: int, is_stopped: Callable[[], bool]) -> Iterator[Solved]:
        """Yield shorter and shorter ways from a node to the goals, as far as the beam finds any.

        End early when `is_stopped` returns true.
        """
        self._seen[:] = 0
        goals = self._goals
        boards, first_goals = self._start(node, np.random.default_rng(seed))
        goal_of = first_goals
        keys = np.bitwise_xor.reduce(goals.tables[goal_of[:, None], np.arange(49), boards], axis=1)
        ways: list[Way] = []
        fewest = MOVE_LIMIT + 1
        while len(boards) and len(ways) + 1 < fewest and not is_stopped():
            count, moves, nearest = approach_kernels.expand(
                boards, goal_of, keys, LINES, *SHAPE, goals.tables,
                goals.near_keys, goals.near_moves, goals.mask, *self._children,
            )  # fmt: skip
            parents, forces, costs, identities = self._children
            if nearest >= 0 and len(ways) + 1 + moves < fewest:
                fewest = len(ways) + 1 + int(moves)
                before, root = way_to(ways, int(parents[nearest]))
                yield self._ended(node, [*before, int(forces[nearest])], goals.all[first_goals[root]])
            chosen = strip_kernels.choose(
                costs, identities, count, self._width, _NOISE, seed + len(ways), self._seen, self._marks,
                np.uint64(len(self._seen) - 1),
            )  # fmt: skip
            way = parents[chosen], forces[chosen]
            boards = approach_kernels.advance(boards, *way, LINES, _IS_WHITE)
            goal_of, keys = goal_of[way[0]], identities[chosen]
            ways.append(way)

    def _start(self, node: bytes, chance: np.random.Generator) -> tuple[Array, Array]:
        """Return the board at a node, written for the nearest goals, and the numbers of the goals."""
        starts = [
            (*_start(node, goal, chance, _SPREAD), number)
            for number, goal in enumerate(self._goals.all)
            for _ in range(_ORDERS)
        ]
        starts = sorted(starts)[: self._width]
        boards = np.array([list(places) for _, places, _ in starts], np.uint8)
        return boards, np.array([number for *_, number in starts], np.int32)

    def _ended(self, node: bytes, forces: list[int], goal: _Goal) -> Solved:
        """Return the board at a node that some forces bring near a goal, when it has been solved."""
        blocks = np.frombuffer(node, np.uint8)
        for force in forces:
            blocks = _pushed(blocks, force)
        moves = self._goals.moves(blocks, goal)
        while moves:
            moves -= 1
            force = next(
                force
                for force in range(len(LINES))
                if self._goals.moves(_pushed(blocks, force), goal) == moves
            )
            blocks = _pushed(blocks, force)
            forces.append(force)
        following = node_of(blocks.tobytes(), 1)
        return Solved(bytes(forces), following, estimate(following, 0))


def _pushed(blocks: Array, force: int) -> Array:
    """Return the blocks of a board that shows face A after a push, or as they are if it is illegal."""
    pushed = blocks.copy()
    kernels.push(pushed, COLOURS_OF[0][blocks], LINES[force])
    return pushed


def distance(node: bytes, goal: bytes) -> float:
    """Return the estimated moves to solve the board at a node so that it ends in a goal."""
    return min(_start(node, one, np.random.default_rng(), 0)[0] for one in _goals(goal)) / _UNIT


def _start(node: bytes, goal: _Goal, chance: np.random.Generator, spread: float) -> tuple[int, bytes]:
    """Return the estimate of the board at a node, and the places where its blocks have to end."""
    places = _places(KINDS[np.frombuffer(node, np.uint8)], goal.kinds, chance, spread)
    costs = np.zeros(14, np.int64)
    estimated = approach_kernels.estimate(places, _ACROSS, _STEPS_OF, _EXTRA, _REACH, _STEPS, costs)
    return estimated, places.tobytes()


def _places(kinds: Array, wanted: Array, chance: np.random.Generator, spread: float) -> Array:
    """Return for each square where its block has to end, so that blocks of each kind end where one is wanted.

    Equal blocks are assigned so that their steps are fewest, with noise whose mean is `spread` steps.
    """
    places = np.full(49, _ANYWHERE, np.uint8)
    for kind in set(kinds.tolist()) - {0}:
        squares, ends = np.flatnonzero(kinds == kind), np.flatnonzero(wanted == kind)
        ways = np.array(list(permutations(ends.tolist())))
        far = _far(squares, ways).sum(axis=1) + chance.exponential(spread, len(ways))
        places[squares] = ways[far.argmin()]
    return places


def _far(squares: Array, ends: Array) -> Array:
    """Return the estimated steps from squares to the places on which blocks have to end."""
    rows, columns = _STEPS_OF[0][ends, squares // 7], _STEPS_OF[1][ends, squares % 7]
    far: Array = abs(rows) + abs(columns) + _EXTRA[squares, ends] / _UNIT
    return far
