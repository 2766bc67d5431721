"""Filling the whole board of Up And Up: a depth-first search that begins anew when it has gone astray."""

import random
from collections.abc import Iterator

from engine.number_grid import rook_lines

_NODES = 20_000  # squares tried before a search begins anew


def fill(size: int, seed: int = 1) -> list[int]:
    """Give the squares (as in `squares.names`) of a game that fills the board, in order.

    Searches until it has found one, always the same for a seed: at once up to 8 by 8, for seconds to minutes
    from there to 12 by 12.
    """
    generator = random.Random(seed)  # noqa: S311 - nothing secret
    while (path := _dive(size, generator)) is None:
        pass
    return path


def _dive(size: int, generator: random.Random) -> list[int] | None:
    """Search from one random square; None when the board was not filled within `_NODES` squares."""
    at = [[[] for _ in range(size + 1)] for _ in range(size**2)]  # type: list[list[list[int]]]
    for square, line in enumerate(rook_lines(size)):
        for other, far in line:
            at[square][far].append(other)
    is_free = [True] * size**2

    def choices(last: int, k: int) -> tuple[Iterator[int], int]:
        """Give the squares for the next number, the loneliest first, and the k that they are for."""
        free = [square for square in at[last][min(k, size)] if is_free[square]]
        if not free and k > 1:
            free, k = [square for square in at[last][1] if is_free[square]], 1
        # What has the fewest free neighbours is the hardest to come back to (Warnsdorff's rule).
        free.sort(key=lambda square: (sum(is_free[other] for other in at[square][1]), generator.random()))
        return iter(free), k

    path = [generator.randrange(size**2)]
    is_free[path[0]] = False
    levels = [choices(path[0], 1)]
    nodes = 0
    while levels and len(path) < size**2:
        squares, k = levels[-1]
        if (square := next(squares, -1)) < 0:
            levels.pop()
            is_free[path.pop()] = True
            continue
        nodes += 1
        if nodes > _NODES:
            return None
        is_free[square] = False
        path.append(square)
        levels.append(choices(square, k + 1))
    return path if len(path) == size**2 else None
