"""What the rules of JadeJack see of a position: all that decides its continuation, and nothing else.

They see who holds a stack, its height, and whether its holder may still reinforce it; not the other disks in
it, and not which side is called Black: the komi is added to whatever is won. A stack is settled when it is
reinforced and so high that it can never be hijacked. It is a part of the board then: only the strength counts
that it gives on squares that are not settled.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine import symmetry
from engine.canonical import DEAD, Rows, least_image
from engine.jadejack_strength import first_gap, geometry

_EMPTY = "."
_SETTLED, _TO_REINFORCE = "s", "u"
_SAFE = (DEAD, _SETTLED, _TO_REINFORCE)
_LOWEST_SETTLED = 4
"""No stack is settled below this height unless a neighbour is: even a corner has three neighbours."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the rules see: a cell for each square, and the settled strength on squares that are not settled.

    The strength is that of the side to move, less the opposing one.
    """

    cells: tuple[str, ...]
    strength: tuple[int, ...]


def form(size: int, stacks: tuple[str, ...], own: str) -> Rows:
    """Return the canonical form of the stacks on a board. The side with the letter `own` moves next."""
    seen = _seen(size, stacks, own)
    pairs = zip(seen.cells, seen.strength, strict=True)
    cells = [f"{cell}{lead:+}" if lead else cell for cell, lead in pairs]
    return least_image(cells[start : start + size] for start in range(0, size**2, size))


def changed(
    size: int, stacks: tuple[str, ...], own: str, target: tuple[str, ...], mover: str, most: int
) -> set[int] | None:
    """Return the squares on which disks may be placed between two positions with these letters to move.

    They are those of all ways to lay `target` so that it differs by at most that many placements; None if
    there is no such way.
    """
    gaps = stacks.count("") - target.count("")
    if len(target) != len(stacks) or not 0 <= gaps <= most:
        return None
    later = _seen(size, target, mover).cells
    found = None
    for letter in (own, "w" if own == "b" else "b"):
        cells = _seen(size, stacks, letter).cells
        for turn in symmetry.turns(size):
            differing = _differing(cells, [later[source] for source in turn.sources], most)
            if differing is not None:
                found = (found or set()).union(differing)
    return found


def _differing(cells: Sequence[str], later: Sequence[str], most: int) -> list[int] | None:
    """Return the squares with other cells later; None if more than that many of them are not safe then.

    Safe ones look different as soon as they are safe, without a placement.
    """
    differing, placed = [], 0
    for square, (cell, after) in enumerate(zip(cells, later, strict=True)):
        if cell != after:
            differing.append(square)
            placed += after[-1] not in _SAFE
            if placed > most:
                return None
    return differing


@lru_cache(maxsize=2048)  # more than the positions of a tree, each of which is compared several times
def _seen(size: int, stacks: tuple[str, ...], own: str) -> _Seen:
    settled = _settled(size, stacks)
    strength = [0] * size**2
    for square in settled:
        unit = 1 if stacks[square][-1] == own else -1
        for neighbour in _strengthened_neighbours(size, stacks, square):
            if neighbour not in settled:
                strength[neighbour] += unit
    cells = tuple(_cell(size, stacks, square, own, settled) for square in range(size**2))
    return _Seen(cells, tuple(strength))


def _cell(size: int, stacks: Sequence[str], square: int, own: str, settled: Collection[int]) -> str:
    stack = stacks[square]
    if not stack:
        return _EMPTY
    holder = "o" if stack[-1] == own else "x"
    height = len(stack)
    if square in settled:
        least = _least_alike(size, stacks, square, (height,), settled)
        return f"{holder}{least}{_SETTLED}" if least else DEAD
    if _is_reinforced(stack):
        return f"{holder}{height}r"
    if (settled or height >= _LOWEST_SETTLED) and height > _most_lead(size, stacks, square, settled):
        # It can only be reinforced, and is settled then.
        return f"{holder}{_least_alike(size, stacks, square, (height, height + 1), ())}{_TO_REINFORCE}"
    return f"{holder}{height}"


def _is_reinforced(stack: str) -> bool:
    return stack[-2:] in {"bb", "ww"}


def _rays(size: int, square: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the squares from a square to each edge, with what a height is worth less in that direction."""
    board = geometry(size)
    for lines, shorter in ((board.orthogonals, 0), (board.diagonals, 2)):
        for ray, *_rest in lines[square]:
            yield ray, shorter


def _strengthened_neighbours(size: int, stacks: Sequence[str], square: int) -> Iterator[int]:
    return (ray[0] for ray, shorter in _rays(size, square) if len(stacks[square]) > shorter)


def _settled(size: int, stacks: Sequence[str]) -> frozenset[int]:
    """Return the squares of the settled stacks. They stay settled, whatever is played."""
    reinforced = [square for square, stack in enumerate(stacks) if _is_reinforced(stack)]
    candidates = [square for square in reinforced if len(stacks[square]) >= _LOWEST_SETTLED]
    settled: set[int] = set()
    while found := [
        square
        for square in candidates
        if square not in settled and len(stacks[square]) > _most_lead(size, stacks, square, settled)
    ]:
        settled.update(found)
        candidates = reinforced
    return frozenset(settled)


def _most_lead(size: int, stacks: Sequence[str], square: int, settled: Collection[int]) -> int:
    """Return a lead in strength that the opponent of a stack's holder never exceeds on its square."""
    holder = stacks[square][-1]
    most = 0
    for ray, shorter in _rays(size, square):
        gap = first_gap(stacks, ray)
        for distance, source in enumerate(ray, start=1):
            if 1 < distance <= gap + 1:
                continue  # all squares between are occupied for good
            if source not in settled:
                most += 1
            elif len(stacks[source]) - shorter >= distance:
                if stacks[source][-1] != holder:
                    most += 1
                elif distance == 1:
                    most -= 1
    return most


def _least_alike(
    size: int, stacks: Sequence[str], square: int, heights: Sequence[int], settled: Collection[int]
) -> int:
    """Return the least height from which as many disks more give the same strength as with some heights.

    With `settled`, only strength beyond gaps counts, and only on squares that are not settled.
    """
    higher = [height - heights[0] for height in heights]
    lowest = min(heights[0], size + 1)  # whose strength reaches every edge

    def reaches(least: int) -> list[list[int]]:
        return [_reach(size, stacks, square, least + more, settled) for more in higher]

    return next(least for least in range(lowest + 1) if reaches(least) == reaches(lowest))


def _reach(size: int, stacks: Sequence[str], square: int, height: int, settled: Collection[int]) -> list[int]:
    """Return how far the strength of a stack reaches in each direction, as far as it makes a difference."""
    reach = []
    for ray, shorter in _rays(size, square):
        gap = first_gap(stacks, ray)
        far = [
            distance
            for distance in range(gap + 2, min(height - shorter, len(ray)) + 1)
            if ray[distance - 1] not in settled
        ]
        near = 0 if settled else int(height > shorter)
        reach.append(far[-1] if far else near)
    return reach
