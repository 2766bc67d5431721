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


def bound_of(board: Board, certified: int | None) -> int:
    """Return the greatest bound of a board that is proven; `certified` is that of its stored certificate."""
    return start_bound() if board == START else max(border_bound(board), certified or 0)
