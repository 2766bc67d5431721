"""Everything that a search of Golden Nugget knows: positions between boards, and solved boards between them.

The best record of any length is then a shortest path with so many edges, found exactly. A record may pass
through a node more than once, so the graph also finds cycles that are worth repeating.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Self

import numpy as np

from engine.golden_nugget.board import START
from engine.golden_nugget.ranking import LENGTHS
from engine.search.arrays import Array, read_arrays
from engine.search.nugget import path_kernels
from engine.search.nugget.beam import estimate
from engine.search.nugget.nodes import forces_of_board, forces_of_node, node_of
from engine.search.nugget.runs import Run, after

FIRST = node_of(bytes(START.cells), 0)
"""The node of the start of board 1."""


@dataclass(frozen=True, slots=True)
class Solved:
    """A board solved from a node: the forces by index, the node that follows, and its estimate in moves."""

    forces: bytes
    node: bytes
    estimate: float


@dataclass(frozen=True)
class Costs:
    """The least moves to nodes that were tried, by the number of boards solved before.

    Other nodes are only the ends of records, since no board of theirs is solved yet.
    """

    tried: Array
    """The numbers of these nodes: the columns of `from_start`."""
    from_start: Array
    path: list[int]
    """The nodes of the best record of most boards, in order."""
    path_costs: Array
    """The moves from the start to each node of the path."""
    fewest: Sequence[int]
    """The fewest moves of records of each of LENGTHS boards, as far as there is one."""


class Graph:
    """The nodes by number, 0 being the start, and the edges with their forces."""

    def __init__(self) -> None:
        self.nodes: list[bytes] = []
        self.estimates = array("f")
        self.efforts = array("b")
        """How hard each node's board was tried; 0: not yet."""
        self._numbers: dict[bytes, int] = {}
        self._sources, self._targets, self._moves = array("i"), array("i"), array("h")
        self._forces: list[bytes] = []
        self._edges: dict[tuple[int, int], int] = {}
        self.number(FIRST)

    def number(self, node: bytes, estimated: float | None = None) -> int:
        """Return the number of a node, which is added if it is new, with its estimate if that is known."""
        number = self._numbers.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
            self.estimates.append(estimate(node, 0) if estimated is None else estimated)
            self.efforts.append(0)
        return number

    def add(self, number: int, effort: int, boards: Iterable[Solved]) -> None:
        """Add the boards that were solved from a node with some effort, 1 or more."""
        self.efforts[number] = max(effort, self.efforts[number])
        for board in boards:
            target = self.number(board.node, board.estimate)
            edge = self._edges.setdefault((number, target), len(self._forces))
            if edge == len(self._forces):
                self._sources.append(number)
                self._targets.append(target)
                self._moves.append(len(board.forces))
                self._forces.append(board.forces)
            elif self._moves[edge] > len(board.forces):
                self._moves[edge] = len(board.forces)
                self._forces[edge] = board.forces

    @property
    def boards(self) -> int:
        """Return how many solved boards there are."""
        return len(self._forces)

    def add_run(self, run: Run) -> None:
        """Add the boards of a run."""
        now, number = Run(), 0
        for forces in run.boards:
            face = len(now.boards) % 2
            then = after(now, forces)
            node = node_of(then.blocks, 1 - face)
            of_node = forces_of_node(now.blocks, face, forces)
            self.add(number, 1, [Solved(of_node, node, estimate(node, 0))])
            now, number = then, self._numbers[node]

    def edges(self) -> tuple[Array, Array, Array]:
        """Return the sources, the targets and the moves of all edges."""
        return (
            np.array(self._sources, np.int32),
            np.array(self._targets, np.int32),
            np.array(self._moves, np.int16),
        )

    def costs(self, boards: int) -> Costs:
        """Return the costs of records of up to so many boards.

        The best record is the one of fewest moves among those of most boards.
        """
        sources, targets, moves = self.edges()
        tried = np.union1d(0, np.flatnonzero(np.array(self.efforts)))
        column_of = np.full(len(self.nodes), -1, np.int32)
        column_of[tried] = np.arange(len(tried))
        sources = column_of[sources]
        is_inner = column_of[targets] >= 0
        inner = sources[is_inner], column_of[targets][is_inner], moves[is_inner]
        from_start = path_kernels.costs_from_start(*inner, len(tried), boards - 1)
        if not len(sources):
            return Costs(tried, from_start[:1], [0], np.zeros(1, np.int64), [])
        last = int(np.flatnonzero(from_start[:, sources].min(axis=1) < path_kernels.FAR)[-1])

        def whole_after(board: int) -> Array:
            sums: Array = from_start[board, sources].astype(np.int32) + moves
            return sums

        whole = whole_after(last)
        edge = int(whole.argmin())
        column, path, path_costs = int(sources[edge]), [int(targets[edge])], [int(whole[edge])]
        for board in range(last, 0, -1):
            cost = from_start[board, column]
            path.append(int(tried[column]))
            path_costs.append(int(cost))
            is_way = (inner[1] == column) & (from_start[board - 1, inner[0]] + inner[2] == cost)
            column = int(inner[0][is_way.argmax()])
        fewest = [int(whole_after(length - 1).min()) for length in LENGTHS if length <= last + 1]
        return Costs(
            tried, from_start[: last + 1], [0, *path[::-1]], np.array([0, *path_costs[::-1]]), fewest
        )

    def run(self, path: Iterable[int]) -> Run:
        """Return the run along a path from the start."""
        run, numbers = Run(), iter(path)
        before = next(numbers)
        for number in numbers:
            forces = self._forces[self._edges[before, number]]
            run = after(run, forces_of_board(run.blocks, len(run.boards) % 2, forces))
            before = number
        return run

    def save(self, file: BinaryIO) -> None:
        """Write the graph to a file, from which `load` continues."""
        sources, targets, moves = self.edges()
        np.savez_compressed(
            file,
            nodes=np.frombuffer(b"".join(self.nodes), np.uint8),
            estimates=np.array(self.estimates, np.float32),
            efforts=np.array(self.efforts, np.uint8),
            sources=sources,
            targets=targets,
            moves=moves,
            forces=np.frombuffer(b"".join(self._forces), np.uint8),
        )

    @classmethod
    def load(cls, file: Path) -> Self:
        """Return the graph of a file. Raise ValueError if the file has none, or OSError."""
        try:
            return cls._of(read_arrays(file))
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise ValueError(f"{file} is not a graph that a search has kept.") from error

    @classmethod
    def _of(cls, stored: Mapping[str, Array]) -> Self:
        graph = cls()
        nodes, forces = stored["nodes"].tobytes(), stored["forces"].tobytes()
        graph.nodes = [nodes[at : at + 49] for at in range(0, len(nodes), 49)]
        graph.estimates = array("f", stored["estimates"].tolist())
        graph.efforts = array("b", stored["efforts"].tolist())
        graph._numbers = {node: number for number, node in enumerate(graph.nodes)}
        for stored_edges, name in zip(
            (graph._sources, graph._targets, graph._moves), ("sources", "targets", "moves"), strict=True
        ):
            stored_edges.extend(stored[name].tolist())
        ends = np.cumsum(stored["moves"], dtype=np.int64).tolist()
        graph._forces = [forces[start:end] for start, end in pairwise([0, *ends])]
        edges = zip(graph._sources, graph._targets, strict=True)
        graph._edges = {edge: number for number, edge in enumerate(edges)}
        return graph
