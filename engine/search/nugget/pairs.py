"""Pairs of boards of which the second takes the first one back: cycles, found without solving a board.

A push of a whole line that lifts a block which is white on both faces is taken back by the push from the
other end of the line, whichever face is shown. Other pushes are often taken back together: one from each end
of a line, the first of which moves a part of the line only, undo the work of the same two. So a word, a
sequence of pushes, may solve a board after which the opposite pushes in reverse solve the next one, and bring
back the position before.

Whether a word can do so depends only on where it moves the blocks. Say that it moves a block from strip j of
the solved board before to strip i of the one after, both counted across. Then one block has to have the
colour of j on one face, and the colour of i on the other. 13 blocks are coloured on both faces, no two of
them alike, and they have to be just those that are asked for, with the colours in some order. Such a word
has one start, which can be written down.

No board takes fewer than 12 pushes, each of which brings in one of the 12 coloured blocks of the border. So
pairs of 12 and 12 are the best cycles that there are.
"""

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from engine.search.arrays import Array
from engine.search.nugget import kernels, pair_kernels
from engine.search.nugget.beam import estimate
from engine.search.nugget.graph import Solved
from engine.search.nugget.nodes import forces_of_node, node_of
from engine.search.nugget.tables import COLOURS_OF, LINES

PUSHES = 12
"""The pushes of each board of a pair."""

_ROOM = 1_000  # for the sequences of one search

_ON_BORDER: Array = np.array([row in {0, 6} or column in {0, 6} for row, column in np.ndindex(7, 7)])
_INNER: Array = np.flatnonzero([not all(squares) for squares in _ON_BORDER[LINES]])
_OPPOSITE: Array = np.array([LINES.tolist().index(line[::-1]) for line in LINES.tolist()])


def _blocks() -> dict[tuple[int, int], list[int]]:
    """Return the blocks by their two colours."""
    blocks: dict[tuple[int, int], list[int]] = {}
    for block in range(1, 50):
        blocks.setdefault((int(COLOURS_OF[0][block]), int(COLOURS_OF[1][block])), []).append(block)
    return blocks


_BLOCKS = _blocks()


def _columns() -> dict[tuple[int, ...], Array]:
    """Return for each order of the colours of face A which of them each colour of face B meets, as bits."""
    return {
        order: np.array(
            [
                sum(((front, back) in _BLOCKS) << strip for strip, front in enumerate(order))
                for back in range(1, 6)
            ]
        )
        for order in permutations(range(1, 6))
    }


_COLUMNS = _columns()
_CODES: Array = np.array([pair_kernels.code_of(columns) for columns in _COLUMNS.values()])


def pairs(tries: int, seed: int) -> Iterator[tuple[bytes, Solved]]:
    """Yield the nodes of pairs of boards, each with the board that leads to the other node.

    So many words are looked at. A million takes some two seconds, and finds a few pairs as a rule.
    """
    words, places = np.empty((_ROOM, PUSHES), np.int64), np.empty((_ROOM, PUSHES), np.int64)
    ways = np.empty(_ROOM, np.int64)
    found = pair_kernels.seek(_INNER, LINES, _OPPOSITE, _ON_BORDER, _CODES, tries, seed, words, places, ways)
    known: set[bytes] = set()
    for word, at, way in zip(words[:found], places[:found], ways[:found].tolist(), strict=True):
        for blocks in _starts(word, at, way):
            yield from _pair(blocks, tuple(word.tolist()), known)


def _starts(word: Array, places: Array, way: int) -> Iterator[Array]:
    """Yield the blocks from which a word solves face A, with face B solved before."""
    board, role = np.empty(49, np.int64), np.empty(49, np.int64)
    pair_kernels.push_all(word, places, LINES, _ON_BORDER, board, role)
    columns = np.empty(5, np.int64)
    pair_kernels.columns_of(board, _ON_BORDER, way & 1, way >> 1, columns)
    for fronts, met in _COLUMNS.items():
        if pair_kernels.code_of(met) != pair_kernels.code_of(columns):
            continue
        backs = [int(np.flatnonzero(met == column)[0]) + 1 for column in columns]
        blocks = np.zeros(49, np.uint8)
        left = {colours: iter(alike) for colours, alike in _BLOCKS.items()}
        for square, began in enumerate(board):
            front = 0 if _ON_BORDER[square] else fronts[(square // 7 if way >> 1 else square % 7) - 1]
            back = 0 if _ON_BORDER[began] else backs[(began // 7 if way & 1 else began % 7) - 1]
            blocks[began] = next(left[front, back])
        yield blocks


def _pair(blocks: Array, word: tuple[int, ...], known: set[bytes]) -> Iterator[tuple[bytes, Solved]]:
    """Yield both boards of a pair, unless it is known, or does not bring back the position before."""
    back = tuple(_OPPOSITE[list(reversed(word))].tolist())
    ends = [blocks.tobytes()]
    for face, forces in enumerate((word, back)):
        colours = COLOURS_OF[face][blocks]
        if not all(kernels.push(blocks, colours, LINES[force]) for force in forces):
            return  # of a line that shows no colour
        ends.append(blocks.tobytes())
    nodes = [node_of(end, number % 2) for number, end in enumerate(ends)]
    if nodes[0] in known or nodes[2] != nodes[0]:
        return
    known.update(nodes)
    for face, forces in enumerate((word, back)):
        of_node = forces_of_node(ends[face], face, forces)
        following = nodes[face + 1]
        yield nodes[face], Solved(of_node, following, estimate(following, 0))
