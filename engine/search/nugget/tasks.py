"""What the processes of a search do: each task finds solved boards, and says from which nodes."""

import signal
from dataclasses import dataclass
from functools import cache
from multiprocessing.synchronize import Event
from typing import Protocol

from engine.search.nugget.approach import Approach, Goals
from engine.search.nugget.beam import Beam, estimate
from engine.search.nugget.graph import FIRST, Solved
from engine.search.nugget.nodes import node_of
from engine.search.nugget.pairs import pairs

NEXT_WORTH = 0.85
"""Moves for each move of the estimate of the next board."""

_TRIES = 1_000_000  # of a search for pairs, which takes some two seconds


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard a board is tried: by a beam of some width, which finds solutions with so many extra moves.

    `most` is the number of solutions that are kept, and `seconds` is what the longest board takes.
    """

    width: int
    slack: int
    most: int
    seconds: float


EFFORTS = (
    Effort(500, 2, 20, 0.1),
    Effort(3_000, 3, 40, 0.5),
    Effort(15_000, 3, 80, 3.0),
    Effort(60_000, 3, 120, 12.0),
)


@dataclass(frozen=True, slots=True)
class Found:
    """The boards that were solved from a node with some effort, the number in EFFORTS and 1."""

    node: bytes
    effort: int
    boards: list[Solved]


class Task(Protocol):
    """Something to do in a process of its own."""

    def run(self, stop: Event, /) -> list[Found]:
        """Return what is found, early if `stop` is set."""


@dataclass(frozen=True, slots=True)
class Solve:
    """Solve the board at a node."""

    node: bytes
    effort: int

    def run(self, _stop: Event, /) -> list[Found]:
        """Return the best solutions."""
        following: dict[bytes, Solved] = {}
        for solution in _beam(self.effort).solve(self.node, 0, seed=1):
            node = node_of(solution.blocks, 1)
            known = following.get(node)
            if known is None or len(known.forces) > len(solution.forces):
                following[node] = Solved(bytes(solution.forces), node, estimate(node, 0))
        ranked = sorted(
            following.values(), key=lambda solved: len(solved.forces) + NEXT_WORTH * solved.estimate
        )
        return [Found(self.node, self.effort, ranked[: EFFORTS[self.effort - 1].most])]


@dataclass(frozen=True, slots=True)
class SeekPairs:
    """Seek pairs of boards that take each other back."""

    seed: int

    def run(self, _stop: Event, /) -> list[Found]:
        """Return both boards of each pair."""
        return [Found(node, 1, [solved]) for node, solved in pairs(_TRIES, self.seed)]


@dataclass(frozen=True, slots=True)
class Approaching:
    """Solve the first board so that it ends in one of some nodes."""

    nodes: tuple[bytes, ...]
    width: int
    seed: int

    def run(self, stop: Event, /) -> list[Found]:
        """Return the way found."""
        ways = Approach(Goals(self.nodes), self.width).solve(FIRST, self.seed, stop.is_set)
        return [Found(FIRST, 1, [way]) for way in ways]


@cache
def _beam(effort: int) -> Beam:
    return Beam(EFFORTS[effort - 1].width, EFFORTS[effort - 1].slack)


def begin(stop: Event) -> None:
    """Prepare a process of the pool."""
    global _stop  # noqa: PLW0603 - an event reaches the processes of a pool only when they begin
    _stop = stop
    # Only the parent process handles an interrupt; it ends the others, by SIGTERM if one of them is killed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


_stop: Event


def run(task: Task) -> list[Found]:
    """Return what a task finds, in a process of the pool."""
    return task.run(_stop)
