"""A beam search that solves Golden Nugget board after board.

    python -m engine.search.golden_nugget --boards 20 --width 300 --seed 1

prints a record file. From the boards reached in so many moves it keeps the `width` nearest to a solution, and
pushes each of them by every force. Boards that show the same colours count as one, as only colours matter
until the board is turned. All solutions found in the same number of moves start the next board together.

How near a board is: the five strips can be laid out in 240 ways (rows or columns, in 120 orders of colours),
and for each way all coloured blocks together are so many steps away from their strips. The least of these
distances counts. A move changes none of them by more than 6, as it moves 6 coloured blocks at most.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from heapq import nsmallest
from itertools import permutations

from engine.golden_nugget.blocks import COLOURS, Colour
from engine.golden_nugget.board import FORCES, MOVE_LIMIT, SPANS, START, Board, Move, push, turn
from engine.golden_nugget.record import Record, RecordedBoard, to_text

_WHITE = 0  # a colour in the search is its number in the order of Colour, which has white first
_NUMBERS = {
    face: bytes(list(Colour).index(colours.get(block, Colour.WHITE)) for block in range(256))
    for face, colours in COLOURS.items()
}
_LAYOUTS = [(by_row, strips) for by_row in (True, False) for strips in permutations(range(1, 6))]


class NoSolutionError(Exception):
    """The beam found no solution of a board within MOVE_LIMIT moves; a wider one may."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The moves of the boards solved so far, and the next board before its first move."""

    board: Board = START
    boards: tuple[tuple[Move, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class _Path:
    """The moves made on a board, the last one first."""

    move: Move
    before: "_Path | None"

    def moves(self) -> tuple[Move, ...]:
        moves = []
        path: _Path | None = self
        while path:
            moves.append(path.move)
            path = path.before
        return tuple(reversed(moves))


@dataclass(frozen=True, slots=True)
class _Node:
    """A board in the beam: how it was reached, the colours it shows and its 240 distances packed in bytes."""

    solved: Solved
    path: _Path | None
    board: Board
    colours: bytes
    distances: int


def _least(distances: int) -> int:
    """Give the distance that counts."""
    return min(distances.to_bytes(len(_LAYOUTS), "little"))


def _steps(colour: int, square: int) -> int:
    """Give how far a block of that colour on a square is from its strip, for all layouts packed in bytes."""
    if colour == _WHITE:
        return 0
    steps = []
    for by_row, strips in _LAYOUTS:
        across, along = divmod(square, 7) if by_row else reversed(divmod(square, 7))
        steps.append(abs(across - strips[colour - 1]) + (along in (0, 6)))
    return int.from_bytes(bytes(steps), "little")


_STEPS = [[_steps(colour, square) for square in range(49)] for colour in range(6)]


def _start(solved: Solved) -> _Node:
    """Give the beam's view of a board before its first move."""
    board = solved.board
    colours = bytes(board.cells).translate(_NUMBERS[board.face])
    distances = sum(_STEPS[colour][square] for square, colour in enumerate(colours))
    return _Node(solved, None, board, colours, distances)


def distance(board: Board) -> int:
    """Give how many steps the coloured blocks are away from the nearest layout of strips; 0 if solved."""
    return _least(_start(Solved(board)).distances)


class _Effects(dict[bytes, tuple[bytes, int] | None]):
    """What a force does to a line of seven colours: the line after it and the change of the distances."""

    def __init__(self, force: str) -> None:
        super().__init__()
        self.line = FORCES[force]

    def __missing__(self, before: bytes) -> tuple[bytes, int] | None:
        lifted = before.rfind(_WHITE)
        effect = None
        if any(before[: max(lifted, 0)]):
            after = bytes([_WHITE]) + before[:lifted] + before[lifted + 1 :]
            change = sum(
                _STEPS[new][square] - _STEPS[old][square]
                for new, old, square in zip(after, before, self.line, strict=True)
            )
            effect = after, change
        self[before] = effect
        return effect


_PUSHES = [(force, span, _Effects(force)) for force, span in SPANS.items()]


def solve(starts: Sequence[Solved], width: int, generator: random.Random) -> list[Solved]:
    """Solve the board that all of these have come to, and give those that do it in the fewest moves found.

    Raises NoSolutionError.
    """
    level = [_start(solved) for solved in starts]
    seen = {node.colours for node in level}
    for _ in range(MOVE_LIMIT):
        children, solutions = _children(level, seen, generator)
        if solutions:
            return _solved(solutions)
        level = [_pushed(*child[2:]) for child in nsmallest(width, children, key=lambda child: child[:2])]
        seen.update(node.colours for node in level)
    raise NoSolutionError


_Child = tuple[int, float, _Node, str, bytes, int]
"""A board before it is made: its distance, a tie-break, its parent, the force, its colours and distances."""


def _children(
    level: Sequence[_Node], seen: AbstractSet[bytes], generator: random.Random
) -> tuple[list[_Child], list[_Child]]:
    """Give a child for each pattern of colours not seen yet, and one for each push that solves the board."""
    found: dict[bytes, _Child] = {}
    solutions = []
    for node in level:
        for force, line, effects in _PUSHES:
            effect = effects[node.colours[line]]
            if effect is None:
                continue
            after, change = effect
            changed = bytearray(node.colours)
            changed[line] = after
            colours = bytes(changed)
            if colours in seen:
                continue
            if colours not in found:
                distances = node.distances + change
                found[colours] = _least(distances), generator.random(), node, force, colours, distances
            if found[colours][0] == 0:
                solutions.append((0, 0.0, node, force, colours, found[colours][-1]))
    return list(found.values()), solutions


def _pushed(parent: _Node, force: str, colours: bytes, distances: int) -> _Node:
    board, move = push(parent.board, force)
    return _Node(parent.solved, _Path(move, parent.path), board, colours, distances)


def _solved(solutions: Sequence[_Child]) -> list[Solved]:
    """Give the different boards that these pushes leave solved, turned over."""
    found: dict[Board, Solved] = {}
    for child in solutions:
        node = _pushed(*child[2:])
        assert node.path
        boards = (*node.solved.boards, node.path.moves())
        found.setdefault(node.board, Solved(turn(node.board), boards))
    return list(found.values())


def search(boards: int, width: int, seed: int) -> Record:
    """Give the full record of so many boards, solved with a beam of that width; the same for the same seed.

    Raises NoSolutionError.
    """
    generator = random.Random(seed)  # noqa: S311 - it breaks ties and keeps no secret
    beam = [Solved()]
    for _ in range(boards):
        beam = nsmallest(width, solve(beam, width, generator), key=lambda solved: distance(solved.board))
    return _record(beam[0].boards)


def _record(boards: Sequence[Sequence[Move]]) -> Record:
    """Give the full record of these boards with the position that each one ends in."""
    recorded, board = [], START
    for moves in boards:
        for move in moves:
            board, _ = push(board, move.force)
        recorded.append(RecordedBoard(tuple(map(str, moves)), board.cells))
        board = turn(board)
    return Record(tuple(recorded))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the record of a run that the search makes."""
    parser = argparse.ArgumentParser(prog="python -m engine.search.golden_nugget", description=__doc__)
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--width", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    record = search(chosen.boards, chosen.width, chosen.seed)
    command = f"--boards {chosen.boards} --width {chosen.width} --seed {chosen.seed}"
    sys.stdout.write(f"# Made by: python -m engine.search.golden_nugget {command}\n{to_text(record)}")


if __name__ == "__main__":
    main()
