"""A naive second implementation of the number games, as a model for tests. Squares are (column, row)."""

from itertools import pairwise

from engine.squares import names


def squares_of(moves):
    return [(ord(move[0]) - ord("a"), int(move[1:]) - 1) for move in moves]


def distance(start, end):
    """The distance between two squares on a queen line, else None."""
    across, along = abs(start[0] - end[0]), abs(start[1] - end[1])
    on_line = start != end and (across in (along, 0) or along == 0)
    return max(across, along) if on_line else None


def empty(size, moves):
    return [name for name in names(size) if name not in moves]


def jumping_moves(size, moves):
    """The squares for the next number of Jumping Farther & Farther."""
    if not moves:
        return empty(size, moves)
    last = squares_of(moves)[-1]
    return [name for name in empty(size, moves) if distance(last, *squares_of([name]))]


def jumping_points(moves):
    """The points of the odd numbers and of the even numbers."""
    jumps = [distance(start, end) for start, end in pairwise(squares_of(moves))]  # 1 to 2, 2 to 3, …
    scoring = [number for number, (before, jump) in enumerate(pairwise(jumps), 3) if jump > before]
    return sum(number % 2 for number in scoring), sum(1 - number % 2 for number in scoring)


def up_and_up(size, moves):
    """The k of the next number, the squares allowed for it, and the resets so far."""
    k, resets = 1, 0
    for number in range(1, len(moves) + 1):
        k, allowed, fell_back = _next(size, moves[:number], k)
        if number < len(moves):
            assert moves[number] in allowed
            resets += fell_back
            k += 1
    return (k, allowed, resets) if moves else (1, empty(size, moves), 0)


def _next(size, moves, k):
    (column, row) = squares_of(moves)[-1]

    def free(far):
        return [
            name
            for name in empty(size, moves)
            for c, r in squares_of([name])
            if (c == column and abs(r - row) == far) or (r == row and abs(c - column) == far)
        ]

    return (k, free(k), False) if free(k) or k == 1 else (1, free(1), True)
