"""The number games once more, as slowly and plainly as the rules tell them: squares are (column, row)."""

from itertools import pairwise

from engine.squares import names


def squares_of(moves):
    return [(ord(move[0]) - ord("a"), int(move[1:]) - 1) for move in moves]


def distance(one, other):
    """King's steps between squares on one queen line, else None."""
    across, along = abs(one[0] - other[0]), abs(one[1] - other[1])
    on_line = one != other and (across in (along, 0) or along == 0)
    return max(across, along) if on_line else None


def empty(size, moves):
    return [name for name in names(size) if name not in moves]


def jumping_moves(size, moves):
    """Where the next number of Jumping Farther & Farther may go."""
    if not moves:
        return empty(size, moves)
    last = squares_of(moves)[-1]
    return [name for name in empty(size, moves) if distance(last, *squares_of([name]))]


def jumping_points(moves):
    """The points of the odd and of the even numbers."""
    jumps = [
        distance(one, other) for one, other in pairwise(squares_of(moves))
    ]  # from 1 to 2, from 2 to 3...
    scoring = [number for number, (before, jump) in enumerate(pairwise(jumps), 3) if jump > before]
    return sum(number % 2 for number in scoring), sum(1 - number % 2 for number in scoring)


def up_and_up(size, moves):
    """The next number's k, the squares that it allows, and the resets so far."""
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
