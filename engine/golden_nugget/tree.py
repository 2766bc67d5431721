"""The open tree of Golden Nugget: positions between boards are nodes, and solved boards lead between them.

Positions that are images of each other are one node (engine.golden_nugget.positions): a solved board is known
by both faces of its blocks, and turning the blocks commutes with the symmetries.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from engine.golden_nugget.board import FORCES, START, Board, Move, turn
from engine.golden_nugget.positions import IMAGES, follow, looks
from engine.golden_nugget.record import Record

START_NODE = 0
"""The node at which all records begin; no other has this number, but for chance."""


@dataclass(frozen=True, slots=True)
class Step:
    """A solved board of a record: from which node it leads to which, and the blocks there.

    `moves` are those on this board, `reached` those on all boards up to this one.
    """

    node: int
    next: int
    blocks: bytes
    moves: int
    reached: int


def steps_of(record: Record) -> Iterator[Step]:
    """Yield the boards of a record as steps. Raise IllegalPush if one of its moves is illegal."""
    board, node, reached = START, START_NODE, 0
    for recorded in record.boards:
        way = follow(board, "".join(move[0] for move in recorded.moves))
        reached += len(recorded.moves)
        yield Step(node, way.keys[-1], bytes(way.end.cells), len(recorded.moves), reached)
        board, node = turn(way.end), way.keys[-1]


def carried(moves: Sequence[Move], there: Board, here: Board) -> tuple[Move, ...]:
    """Return the moves from a position as they are made from an image of it.

    Raise ValueError if the positions are not images of each other.
    """
    their_looks, our_looks = looks(there), looks(here)
    for image in IMAGES:
        laid = zip(image.targets, their_looks, strict=True)
        if all(our_looks[to] == image.look(look) for to, look in laid):
            forces = _forces(image.targets)
            return tuple(Move(forces[move.force], move.lifted) for move in moves)
    raise ValueError("These positions are not images of each other.")


@cache
def _forces(targets: tuple[int, ...]) -> dict[str, str]:
    """Return where each force is after the squares have gone to others."""
    by_line = {line: force for force, line in FORCES.items()}
    return {force: by_line[tuple(targets[square] for square in line)] for force, line in FORCES.items()}
