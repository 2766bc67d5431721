"""Solved boards as nodes of a graph: one for all that are alike in what can follow.

What can follow a board depends on the two colours of each block, not on its number; it is the same for the 8
symmetries of the board. It is also the same when all blocks are turned over and their colours exchanged,
yellow with green and blue with red: that maps the set of blocks to itself. So a node is a board that shows
face A, and the start of the next board of any record has one.
"""

import numpy as np

from engine.search.arrays import Array
from engine.search.nugget.tables import COLOURS_OF, LINES, SYMMETRIES

EXCHANGED: Array = np.array([0, 5, 4, 3, 2, 1])
"""The colour with which each one is exchanged when all blocks are turned over."""


def _first_alike(front: Array, back: Array) -> Array:
    """Return for each block the first one whose face A shows its colour in `front`, and B that in `back`."""
    kinds = [tuple(kind) for kind in COLOURS_OF.T.tolist()]
    wanted = zip(front.tolist(), back.tolist(), strict=True)
    return np.array([kinds.index(kind, 1) if place else 0 for place, kind in enumerate(wanted)], np.uint8)


_ALIKE = np.stack([_first_alike(*COLOURS_OF), _first_alike(*EXCHANGED[COLOURS_OF[::-1]])])
"""The block that stands for each block in nodes, by the face that is shown."""


def _forces() -> Array:
    lines = [tuple(line) for line in LINES.tolist()]
    return np.array(
        [[lines.index(tuple(squares[line])) for line in LINES] for squares in SYMMETRIES], np.uint8
    )


_FORCES = _forces()


def node_of(blocks: bytes, face: int) -> bytes:
    """Return the node of a board, given its 49 blocks and the index of the face that they show."""
    return _node(blocks, face)[0]


def forces_of_board(blocks: bytes, face: int, forces: bytes) -> tuple[int, ...]:
    """Return the forces to apply to a board for what the given ones are to its node, all by index."""
    _, symmetry = _node(blocks, face)
    return tuple(_FORCES[symmetry][list(forces)].tolist())


def forces_of_node(blocks: bytes, face: int, forces: tuple[int, ...]) -> bytes:
    """Return the forces to apply to the node of a board for what the given ones are to the board."""
    _, symmetry = _node(blocks, face)
    return bytes(_FORCES[symmetry].argsort()[list(forces)].tolist())


def _node(blocks: bytes, face: int) -> tuple[bytes, int]:
    alike = _ALIKE[face][np.frombuffer(blocks, np.uint8)]
    return min((alike[squares].tobytes(), symmetry) for symmetry, squares in enumerate(SYMMETRIES))
