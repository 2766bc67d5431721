"""Hypothesis strategies for JadeJack positions.

Boards are filled from a drawn random seed, which is much faster than drawing each move or disk.
"""

import random

from hypothesis import strategies as st

from engine.jadejack import JADEJACK, Placement, placement_kind, position_of
from engine.squares import indices

sizes = st.integers(8, 13)
generators = st.integers(0, 2**32).map(random.Random)


@st.composite
def reached_positions(draw):
    """Positions that are reachable by play.

    The playouts stay in a corner of the board (which may be all of it) and prefer hijacks, so that there are
    high stacks.
    """
    size, corner, generator = draw(sizes), draw(st.integers(2, 13)), draw(generators)
    plies = draw(st.sampled_from(range(151)))
    position = JADEJACK.initial({"size": size})
    for _ in range(plies):
        position = JADEJACK.play(position, _move(position, corner, generator))
        if JADEJACK.side_to_move(position) is None:
            break
    return position


def _move(position, corner, generator):
    *placements, _ = JADEJACK.legal_moves(position)
    square = indices(position.size)
    inside = [move for move in placements if max(divmod(square[move], position.size)) < corner]
    hijacks = [
        move
        for move in inside
        if placement_kind(position.stacks[square[move]], position.side) is Placement.HIJACK
    ]
    hijacks.sort(key=lambda move: len(position.stacks[square[move]]), reverse=True)
    candidates = hijacks[:2] if hijacks and generator.random() < 0.7 else inside or placements
    return generator.choice(candidates) if candidates and generator.random() > 0.005 else "pass"


@st.composite
def any_positions(draw):
    """Positions that a string can describe: most are not reachable by play, and some stacks are very high."""
    size, generator = draw(sizes), draw(generators)
    heights = (0,) * draw(st.integers(0, 4)) + (1, 2, 3, 5, 20)
    stacks = tuple("".join(generator.choices("bw", k=generator.choice(heights))) for _ in range(size**2))
    return position_of(size, stacks, draw(st.sampled_from(JADEJACK.sides)), draw(st.integers(0, 2)))
