"""Golden Nugget records to test with."""

from app.settings import ROOT
from engine.golden_nugget.board import FORCES, START, Move, push, pushes, turn
from engine.golden_nugget.record import parse

SAMPLE = ROOT / "docs" / "samples" / "golden-nugget-20.txt"
_NAMES = "".join(FORCES)
_OPPOSITE = dict(zip(_NAMES, "NMLKJIH" + "UTSRQPO" + "7654321" + "GFEDCBA", strict=True))


def sample_moves():
    """Give the sample's moves, a list a board."""
    return [list(board.moves) for board in parse(SAMPLE.read_text()).record.boards]


def detours(number, variant=0):
    """Give the sample's moves with a detour of two moves at the start of each of its first `number` boards.

    A force that lifts the block on square 7 is undone by the force on the other side. `variant` tells which
    of such forces makes the first detour, so that there are different records of equal length. No record is
    taken twice, so each pair of `number` and `variant` belongs to one test.
    """
    board, boards = START, []
    for place, moves in enumerate(sample_moves()):
        ways = [move for move in pushes(board).values() if isinstance(move, Move) and move.lifted == 7]
        way = ways[variant if place == 0 else 0]
        boards.append([str(way), f"{_OPPOSITE[way.force]}7", *moves] if place < number else moves)
        for move in moves:
            board, _ = push(board, move[0])
        board = turn(board)
    return boards
