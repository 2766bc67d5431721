"""How many pushes two boards have in common, in the same order, however the board is turned or mirrored."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from engine.golden_nugget.board import FORCES
from engine.symmetry import turns

_ROWS = frozenset("ABCDEFGOPQRSTU")


def _lays() -> list[dict[int, str]]:
    """Return, for each way to lay the board, the force that each force becomes."""
    forces = {line: force for force, line in FORCES.items()}
    return [
        str.maketrans(
            {force: forces[tuple(turn.targets[square] for square in line)] for force, line in FORCES.items()}
        )
        for turn in turns(7)
    ]


_LAYS = _lays()
_LINES = {force: min(line) for force, line in FORCES.items()}


def common_pushes(one: str, other: str) -> int:
    """Return the greatest number of pushes that two boards, as strings of forces, make in the same order.

    Pushes of parallel lines that follow each other have no order. The other board may be laid in any way.
    """
    places = _places(_sorted(one))
    return max(_common(places, len(one), _sorted(other.translate(lay))) for lay in _LAYS)


@lru_cache(maxsize=4_096)
def _sorted(forces: str) -> str:
    """Return forces with those of parallel lines that follow each other in the order of their lines."""
    stretches = groupby(forces, _ROWS.__contains__)
    return "".join(force for _, stretch in stretches for force in sorted(stretch, key=_LINES.__getitem__))


def _places(forces: Sequence[str]) -> Mapping[str, int]:
    """Return the places of each force as the bits of a number."""
    places: dict[str, int] = {}
    for place, force in enumerate(forces):
        places[force] = places.get(force, 0) | 1 << place
    return places


def _common(places: Mapping[str, int], length: int, other: str) -> int:
    """Return the length of the longest common subsequence (Hyyrö's algorithm, on the bits of a number)."""
    everywhere = (1 << length) - 1
    free = everywhere
    for force in other:
        here = free & places.get(force, 0)
        free = ((free + here) | (free - here)) & everywhere
    return length - free.bit_count()
