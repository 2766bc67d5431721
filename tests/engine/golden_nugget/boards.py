"""Golden Nugget boards for tests: arranged by hand, or drawn by Hypothesis."""

import random

from hypothesis import strategies as st

from engine.golden_nugget.blocks import COLOURS, Colour, Face
from engine.golden_nugget.board import FORCES, Board, IllegalPush, push

ROWS = "wwwwwww wyyyyyw wbbbbbw wpppppw wrrrrrw wgggggw wwwwwww"
COLUMNS = "wwwwwww wgrpbyw wgrpbyw wgrpbyw wgrpbyw wgrpbyw wwwwwww"


def arranged(letters, face=Face.A):
    """A board with these colours (w, y, b, p, r, g; rows separated by spaces), blocks in ascending order."""
    spare = {
        colour[0]: [block for block in COLOURS[face] if COLOURS[face][block] is colour] for colour in Colour
    }
    return Board(face, tuple(spare[letter].pop(0) for letter in letters.replace(" ", "")))


@st.composite
def any_boards(draw):
    """The 49 blocks in any order, with either face up."""
    return Board(draw(st.sampled_from(Face)), tuple(draw(st.permutations(range(1, 50)))))


def walk(board, count, generator):
    """The board after that many random legal pushes, and the moves."""
    moves = []
    while len(moves) < count:
        try:
            board, move = push(board, generator.choice(list(FORCES)))
        except IllegalPush:
            continue
        moves.append(move)
    return board, moves


@st.composite
def reached_boards(draw):
    """Boards after up to 60 random pushes from any arrangement, which bring colours together."""
    board, _ = walk(draw(any_boards()), draw(st.integers(0, 60)), random.Random(draw(st.integers(0, 2**32))))
    return board
