"""Puzzles of Golden Nugget: boards with a single shortest solution, proven by the endgame database."""

from collections.abc import Iterator
from functools import cache
from random import Random

import numpy as np

from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import START, Board, push, turn
from engine.puzzles.puzzle import Puzzle
from engine.puzzles.rules import ONE_BOARD
from engine.puzzles.themes import themes_of
from engine.search.nugget import endgame
from engine.search.nugget.beam import Beam
from engine.search.nugget.tables import COLOURS_OF, FORCE_NAMES

_DEPTH = 4  # of the database, which takes a moment to build
_WIDTH = 300
_BOARDS = 4  # of a run
_FEWEST, _MOST = 3, 6  # pushes


@cache
def _database() -> endgame.Endgame:
    return endgame.build(_DEPTH)


@cache
def _beam() -> Beam:
    return Beam(_WIDTH)


def game(seed: int) -> Iterator[Board]:
    """Yield the last boards before each solved one of a run of the solver."""
    generator = Random(seed)  # noqa: S311 - nothing secret
    board = START
    for _ in range(generator.randint(3, 8)):
        board, _move = push(board, generator.choice(ONE_BOARD.legal_moves(board)))
    for _ in range(_BOARDS):
        solutions = _beam().solve(bytes(board.cells), _index(board.face), generator.getrandbits(31))
        if not solutions:
            return
        on_way = [board]
        for force in generator.choice(solutions).forces:
            on_way.append(push(on_way[-1], FORCE_NAMES[force])[0])
        yield from on_way[-1 - _MOST : -_FEWEST]
        board = turn(on_way[-1])


def is_likely(board: Board) -> bool:
    """Return whether a board is not solved: the database decides about the others as fast."""
    return ONE_BOARD.side_to_move(board) is not None


def prove(board: Board) -> Puzzle | None:
    """Return the puzzle of a board, or None unless its shortest solution is the only one of its length."""
    for pushes in range(_MOST + 1):
        solutions = _solutions(board, pushes)
        if solutions:
            break
    else:
        return None
    if pushes < _FEWEST or len(solutions) > 1:
        return None
    text = ONE_BOARD.format(board)
    themes = themes_of("golden_nugget", text, solutions[0])
    return Puzzle("golden_nugget", text, solutions[0], themes, 600 + 250 * pushes)


def _solutions(board: Board, pushes: int) -> list[tuple[str, ...]]:
    """Return up to two solutions of a board in so many pushes, given that there is none in fewer."""
    if pushes <= _DEPTH:
        blocks = np.array(board.cells, np.uint8)
        colours = COLOURS_OF[_index(board.face)][blocks]
        if _database().depths(colours.reshape(1, 49))[0] != pushes:
            return []
        ways = _database().ways_down(blocks, colours, pushes, 2)[1]
        return [tuple(FORCE_NAMES[force] for force in way) for way in ways]
    solutions: list[tuple[str, ...]] = []
    for force in ONE_BOARD.legal_moves(board):
        solutions += [(force, *rest) for rest in _solutions(push(board, force)[0], pushes - 1)]
        if len(solutions) > 1:
            break
    return solutions


def _index(face: Face) -> int:
    return list(Face).index(face)
