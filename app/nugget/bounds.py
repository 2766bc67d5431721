"""What is proven about boards: how few moves none of their solutions has."""

from functools import cache

from app.core.settings import FILES
from engine.golden_nugget.board import START, Board
from engine.golden_nugget.bounds import border_bound, parse

CERTIFICATE = FILES / "docs" / "samples" / "golden-nugget-board-1-bound.json"
"""The proof of the bound of board 1."""


@cache
def start_bound() -> int:
    """Return the number of moves below which board 1 has no solution."""
    return parse(CERTIFICATE.read_bytes()).bound


def bound_of(board: Board) -> int:
    """Return a number of moves below which a board has no solution: the best one that is proven."""
    return start_bound() if board == START else border_bound(board)
