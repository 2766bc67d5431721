"""Golden Nugget boards to test with: arranged by hand, and drawn by Hypothesis."""

import random

from hypothesis import strategies as st

from engine.golden_nugget.blocks import COLOURS, Colour, Face
from engine.golden_nugget.board import FORCES, Board, IllegalPush, push

ROWS = "wwwwwww wyyyyyw wbbbbbw wpppppw wrrrrrw wgggggw wwwwwww"
COLUMNS = "wwwwwww wgrpbyw wgrpbyw wgrpbyw wgrpbyw wgrpbyw wwwwwww"


def arranged(letters, face=Face.A):
    """A board that shows these colours (w, y, b, p, r, g; rows apart by spaces), blocks in rising order."""
    spare = {
        colour[0]: [block for block in COLOURS[face] if COLOURS[face][block] is colour] for colour in Colour
    }
    return Board(face, tuple(spare[letter].pop(0) for letter in letters.replace(" ", "")))


@st.composite
def any_boards(draw):
    """The 49 blocks in any order, either face up."""
    return Board(draw(st.sampled_from(Face)), tuple(draw(st.permutations(range(1, 50)))))


def walk(board, count, generator):
    """The moves of so many random legal pushes, and where they lead."""
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
    """Boards reached from any arrangement by up to 60 random pushes, which crowd colours together."""
    board, _ = walk(draw(any_boards()), draw(st.integers(0, 60)), random.Random(draw(st.integers(0, 2**32))))
    return board
