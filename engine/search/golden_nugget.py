"""A beam search for Golden Nugget: board after board, the first solution that it finds.

`python -m engine.search.golden_nugget --boards 20 --width 300 --seed 1` writes a record to standard output.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from functools import cache

from engine.golden_nugget.board import LINES, MAX_MOVES, SIZE, START, Board, Push, is_solved, push, turn
from engine.golden_nugget.record import full_record

_LETTERS = b"YBPRG"
_STRIPS = range(1, SIZE - 1)
_FIELD = 8  # bits of one distance in a packed number

# A colour's distances to the ten strips (five rows, then five columns) are packed into one integer, so that
# moving a block changes all of them by one addition.


def _distances(cell: int) -> int:
    """Give the packed distances, in squares, of a cell to each of the ten strips."""
    row, column = divmod(cell, SIZE)
    packed = 0
    for direction, (along, across) in enumerate(((column, row), (row, column))):
        outside = along in (0, SIZE - 1)
        for place, strip in enumerate(_STRIPS):
            packed += (abs(across - strip) + outside) << _FIELD * (direction * len(_STRIPS) + place)
    return packed


_DISTANCES = [_distances(cell) for cell in range(SIZE * SIZE)]


def distance(colours: bytes) -> int:
    """Give how many squares the coloured blocks lie from their strips, in the best direction and order.

    It is 0 on solved boards and on no others.
    """
    sums = dict.fromkeys(_LETTERS, 0)
    for cell, letter in enumerate(colours):
        if letter in sums:
            sums[letter] += _DISTANCES[cell]
    return _best_order(tuple(sums.values()))


@cache
def _fields(packed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give the distances to the five rows and to the five columns."""
    fields = [packed >> _FIELD * place & (1 << _FIELD) - 1 for place in range(2 * len(_STRIPS))]
    return tuple(fields[: len(_STRIPS)]), tuple(fields[len(_STRIPS) :])


def _best_order(packed: Sequence[int]) -> int:
    """Give the smallest sum over both directions when each colour takes a strip of its own."""
    rows, columns = zip(*map(_fields, packed), strict=True)
    return min(_assign(rows), _assign(columns))


def _assign(costs: Sequence[Sequence[int]]) -> int:
    """Give the cheapest assignment of five colours to five strips, over the 32 sets of strips taken."""
    best = {0: 0}
    for row in costs:
        step: dict[int, int] = {}
        for taken, cost in best.items():
            for strip, price in enumerate(row):
                bit = 1 << strip
                if not taken & bit:
                    total = cost + price
                    if total < step.get(taken | bit, 1 << 30):
                        step[taken | bit] = total
        best = step
    return best[31]


def _pushed(colours: bytes) -> Iterator[tuple[str, bytes]]:
    """Give every legal push of a board of which only the colours are known, with the colours after it."""
    for force, line in LINES.items():
        letters = colours[line]
        lifted = letters.rfind(b"W")
        if lifted > 0 and letters[:lifted].strip(b"W"):
            after = bytearray(colours)
            after[line] = letters[lifted : lifted + 1] + letters[:lifted] + letters[lifted + 1 :]
            yield force, bytes(after)


def solve(board: Board, width: int, rng: random.Random) -> list[Push]:
    """Give moves that solve a board: the shortest that a beam of that width meets.

    Raises ValueError when it meets none within 99 moves.
    """
    start = board.colours
    beam = {start: ""}
    seen = {start}
    for _ in range(MAX_MOVES):
        found: list[tuple[float, bytes, str]] = []
        for colours, path in beam.items():
            for force, after in _pushed(colours):
                if after in seen:
                    continue
                seen.add(after)
                left = distance(after)
                if left == 0:
                    return _replay(board, path + force)
                found.append((left + rng.random(), after, path + force))
        found.sort()
        beam = {colours: path for _, colours, path in found[:width]}
    raise ValueError(f"A beam of width {width} does not solve this board.")


def _replay(board: Board, path: str) -> list[Push]:
    moves = []
    for force in path:
        board, made = push(board, force)
        moves.append(made)
    assert is_solved(board)
    return moves


def run(boards: int, width: int, seed: int) -> Iterator[list[Push]]:
    """Give solutions of boards 1, 2, 3, …; the same for the same width and seed."""
    rng, board = random.Random(seed), START  # noqa: S311 - for breaking ties
    for _ in range(boards):
        moves = solve(board, width, rng)
        yield moves
        for made in moves:
            board, _again = push(board, made.force)
        board = turn(board)


def main() -> None:
    """Write a record file that the search made."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--width", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    solved: list[list[Push]] = []
    for moves in run(arguments.boards, arguments.width, arguments.seed):
        solved.append(moves)
        mean = sum(map(len, solved)) / len(solved)
        sys.stderr.write(f"board {len(solved)}: {len(moves)} moves, mean {mean:.2f}\n")
    sys.stdout.write(
        f"# Made by a beam search of width {arguments.width}, seed {arguments.seed}.\n{full_record(solved)}"
    )


if __name__ == "__main__":
    main()
