"""The game of two computers that the home page shows while nobody plays."""

from functools import cache

from app.play.games.boards.jadejack_film import film
from app.play.games.boards.jadejack_picture import picture
from engine.record import GameRecord
from engine.variations import Tree

_MOVES = """
    e4 d6 e4 d3 e6 d7 b6 e3 c6 d5 b3 d4 f4 c7 c5 c4 h3 c3 b2 g6 f6 h6 f7 c8 b5 g8 g3 f8 g3 e2 e9 e8 f9 e7 g5
    g8 f7 g7 h5 f7 b4 f2 h2 f3 f5 e6 h9 c1 b1 d1 h8 e4 a7 b8 i5 a8 i6 h7 a7 h8
"""
_RECORD = GameRecord("jadejack", {"size": 9}, Tree.of_moves(_MOVES.split()))


@cache
def sample_film() -> str:
    """Return the game as an animated SVG document."""
    return film(_RECORD)


@cache
def sample_picture() -> str:
    """Return the last position as an SVG document."""
    return picture(_RECORD.positions()[-1], _RECORD.moves[-1])
