"""Golden Nugget records to test with."""

import itertools
from collections import defaultdict

from app.settings import ROOT
from engine.golden_nugget.board import FORCES, START, Move, push, pushes, turn
from engine.golden_nugget.record import parse

SAMPLE = ROOT / "docs" / "samples" / "golden-nugget-20.txt"
_NAMES = "".join(FORCES)
_OPPOSITE = dict(zip(_NAMES, "NMLKJIH" + "UTSRQPO" + "7654321" + "GFEDCBA", strict=True))
_serial_numbers = defaultdict(itertools.count)


def sample_moves():
    """Return the sample's moves, a list for each board."""
    return [list(board.moves) for board in parse(SAMPLE.read_text()).record.boards]


def new_record(detours):
    """Return the moves of a record that no earlier call returned, a list for each board.

    It is the sample with a detour of two moves at the start of each of its first `detours` boards: a force
    that lifts the block on square 7, and the force on the other side, which undoes it. There are several such
    forces on each board, so there are many records of equal length.
    """
    serial_number = next(_serial_numbers[detours])
    board, boards = START, []
    for place, moves in enumerate(sample_moves()):
        if place < detours:
            forces = [move for move in pushes(board).values() if isinstance(move, Move) and move.lifted == 7]
            serial_number, choice = divmod(serial_number, len(forces))
            force = forces[choice]
            boards.append([str(force), f"{_OPPOSITE[force.force]}7", *moves])
        else:
            boards.append(moves)
        for move in moves:
            board, _ = push(board, move[0])
        board = turn(board)
    assert serial_number == 0, f"there are no more records with {detours} detours"
    return boards
