"""Rounds of Jumping Farther & Farther for two, solved on small boards from the last positions to the first.

The rest of a round depends only on the set of squares taken, the last square and the last jump. On 5 × 5
there are 25 × 2^24, that is 419,430,400, sets with a last square. Their values take 840 MB and some minutes;
on 6 × 6 there are three thousand times as many.
"""

from engine.number_grid import queen_lines
from engine.search.arrays import line_arrays
from engine.search.jumping import solved_kernels
from engine.search.number_beam.best import Best

LARGEST = 5
"""The size of the largest board that can be solved."""


def best_play(size: int) -> Best:
    """Return the lead of the first side in a round if both sides play best.

    Raise ValueError if the board is too large.
    """
    if not 1 <= size <= LARGEST:
        raise ValueError(f"Boards up to {LARGEST}×{LARGEST} can be solved, not {size}×{size}.")
    area = size**2
    values = solved_kernels.solve(area, *line_arrays(queen_lines(size)))

    def value(taken: int, last: int, jump: int) -> int:
        """Return the lead of the side that has just written a number in the rest of the round."""
        packed = int(values[taken * area + last])
        return 16 - (packed >> 3) - (jump < (packed & 7))

    # A jump of `size` squares before the first number keeps the second number from scoring.
    cells, jump = [max(range(area), key=lambda start: value(1 << start, start, size))], size
    taken = 1 << cells[0]
    lead = value(taken, cells[0], size)
    while reach := [(square, far) for square, far in queen_lines(size)[cells[-1]] if not taken >> square & 1]:
        gains = [(far > jump) + value(taken | 1 << square, square, far) for square, far in reach]
        square, jump = reach[gains.index(max(gains))]
        cells.append(square)
        taken |= 1 << square
    return Best(lead, cells, is_proved=True)
