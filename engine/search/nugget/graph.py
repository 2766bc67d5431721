"""Everything that a search of Golden Nugget knows: positions between boards, and solved boards between them.

The best record of any length is then a shortest path with so many edges, found exactly. A record may pass
through a node more than once, so the graph also finds cycles that are worth repeating.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self
from zipfile import BadZipFile

import numpy as np

from engine.golden_nugget.board import START
from engine.search.arrays import Array
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
    """The least moves by the number of boards solved and the node, and the best path: its nodes in order."""

    from_start: Array
    path: list[int]

    @cached_property
    def path_costs(self) -> Array:
        """The moves from the start to each node of the path."""
        costs: Array = self.from_start[np.arange(len(self.path)), self.path]
        return costs


class Graph:
    """The nodes by number, 0 being the start, and the edges with their forces."""

    def __init__(self) -> None:
        self.nodes: list[bytes] = []
        self.estimates: list[float] = []
        self.efforts: list[int] = []
        """How hard each node's board was tried; 0: not yet."""
        self._numbers: dict[bytes, int] = {}
        self._edges: dict[tuple[int, int], bytes] = {}
        self._number(FIRST, estimate(FIRST, 0))

    def _number(self, node: bytes, estimated: float) -> int:
        number = self._numbers.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
            self.estimates.append(estimated)
            self.efforts.append(0)
        return number

    def add(self, number: int, effort: int, boards: Iterable[Solved]) -> None:
        """Add the boards that were solved from a node with some effort."""
        self.efforts[number] = max(effort, self.efforts[number])
        for board in boards:
            edge = number, self._number(board.node, board.estimate)
            if edge not in self._edges or len(self._edges[edge]) > len(board.forces):
                self._edges[edge] = board.forces

    def add_run(self, run: Run) -> None:
        """Add the boards of a run."""
        now, number = Run(), 0
        for forces in run.boards:
            face = len(now.boards) % 2
            then = after(now, forces)
            node = node_of(then.blocks, 1 - face)
            of_node = forces_of_node(now.blocks, face, forces)
            self.add(number, 0, [Solved(of_node, node, estimate(node, 0))])
            now, number = then, self._numbers[node]

    def edges(self) -> tuple[Array, Array, Array]:
        """Return the sources, the targets and the moves of all edges."""
        ends = np.array(list(self._edges), np.int32).reshape(-1, 2)
        moves = np.fromiter(map(len, self._edges.values()), np.int16, len(self._edges))
        return np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1]), moves

    def costs(self, boards: int) -> Costs:
        """Return the costs of records of up to so many boards, and the best of those with the most boards."""
        sources, targets, moves = self.edges()
        costs = path_kernels.costs_from_start(sources, targets, moves, len(self.nodes), boards)
        reached = int(np.flatnonzero((costs < path_kernels.FAR).any(axis=1))[-1])
        path = [int(costs[reached].argmin())]
        for board in range(reached, 0, -1):
            before = costs[board - 1, sources] + moves
            edge = np.flatnonzero((targets == path[-1]) & (before == costs[board, path[-1]]))[0]
            path.append(int(sources[edge]))
        return Costs(costs, path[::-1])

    def run(self, path: Iterable[int]) -> Run:
        """Return the run along a path from the start."""
        run, numbers = Run(), iter(path)
        before = next(numbers)
        for number in numbers:
            forces = self._edges[before, number]
            run = after(run, forces_of_board(run.blocks, len(run.boards) % 2, forces))
            before = number
        return run

    def save(self, file: Path) -> None:
        """Write the graph to a file, from which `load` continues."""
        sources, targets, moves = self.edges()
        with file.open("wb") as opened:
            np.savez_compressed(
                opened,
                nodes=np.frombuffer(b"".join(self.nodes), np.uint8),
                estimates=np.array(self.estimates, np.float32),
                efforts=np.array(self.efforts, np.uint8),
                sources=sources,
                targets=targets,
                moves=moves,
                forces=np.frombuffer(b"".join(self._edges.values()), np.uint8),
            )

    @classmethod
    def load(cls, file: Path) -> Self:
        """Return the graph of a file. Raise ValueError if the file has none, or OSError."""
        try:
            return cls._read(file)
        except (BadZipFile, EOFError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{file} is not a graph that a search has kept.") from error

    @classmethod
    def _read(cls, file: Path) -> Self:
        graph = cls()
        with file.open("rb") as opened, np.load(opened) as stored:
            nodes, forces = stored["nodes"].tobytes(), stored["forces"].tobytes()
            graph.nodes = [nodes[at : at + 49] for at in range(0, len(nodes), 49)]
            graph.estimates = stored["estimates"].tolist()
            graph.efforts = stored["efforts"].tolist()
            graph._numbers = {node: number for number, node in enumerate(graph.nodes)}
            ends = np.cumsum(stored["moves"], dtype=np.int64).tolist()
            edges = zip(stored["sources"].tolist(), stored["targets"].tolist(), strict=True)
            starts = [0, *ends]
            graph._edges = {
                edge: forces[start:end] for edge, start, end in zip(edges, starts, ends, strict=False)
            }
        return graph
