"""Which boards of an entry are those of another: they have positions or pushes in common."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.golden_nugget.board import START, turn
from engine.golden_nugget.positions import follow
from engine.golden_nugget.pushes import common_pushes
from engine.golden_nugget.record import Record

DERIVED_FROM = 5
"""An entry with so many boards that come from others is derived from them."""

PIECE = 4
"""A board is shared if it goes from a position of the other to one at least so many moves later."""

_OF_THEIRS, _OF_MINE = 3, 2
"""Or if it makes so many fifths of the other's pushes, and these are so many fifths of its own."""

ONE_IN = 4
"""One position in so many is a landmark. The price of evading them all is in docs/golden-nugget-copies.md."""


@dataclass(frozen=True, slots=True)
class Path:
    """A solved board: the keys of its positions from start to end, and its forces.

    See engine.golden_nugget.positions.
    """

    keys: Sequence[int]
    forces: str


def paths_of(record: Record) -> list[Path]:
    """Return the paths of the boards of a record. Raise IllegalPush if one of its moves is illegal."""
    start, paths = START, []
    for board in record.boards:
        forces = "".join(move[0] for move in board.moves)
        way = follow(start, forces)
        paths.append(Path(way.keys, forces))
        start = turn(way.end)
    return paths


def landmarks(paths: Iterable[Path]) -> set[int]:
    """Return the positions by which entries with common boards are found.

    Their own keys decide, so all entries with a position have it as a landmark, or none.
    """
    return {key for path in paths for key in path.keys if key % ONE_IN == 0}


def shared_boards(mine: Sequence[Path], theirs: Sequence[Path]) -> dict[int, int]:
    """Return the boards of an entry that are boards of another one, by number, each with the other's number.

    A board is shared if it has a piece of the other, whatever comes before, in between and after. It is also
    shared if it makes most of the other's pushes, beside positions of the other: that is looked at if the
    boards have a position in common, and if the boards before or after them are shared.
    """
    pieces = _pieces(mine, theirs)
    shared: dict[int, int] = {}
    for (number, there), moves in pieces.items():
        if moves >= PIECE and moves > pieces.get((number, shared.get(number, 0)), 0):
            shared[number] = there
    pending, seen = list(pieces), set(pieces)
    while pending:
        number, there = pending.pop()
        if number not in shared and _follows(mine[number - 1], theirs[there - 1]):
            shared[number] = there
        if shared.get(number) == there:
            for pair in ((number - 1, there - 1), (number + 1, there + 1)):
                if pair not in seen and 0 < pair[0] <= len(mine) and 0 < pair[1] <= len(theirs):
                    seen.add(pair)
                    pending.append(pair)
    return dict(sorted(shared.items()))


def _pieces(mine: Sequence[Path], theirs: Sequence[Path]) -> Mapping[tuple[int, int], int]:
    """Return how many moves the positions that two boards have in common are apart, by both of their numbers.

    That is on the shorter way. A position stands for the first of their boards that has it.
    """
    places: dict[int, tuple[int, int]] = {}
    for number, path in enumerate(theirs, start=1):
        for ply, key in enumerate(path.keys):
            places.setdefault(key, (number, ply))
    met: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for number, path in enumerate(mine, start=1):
        for ply, key in enumerate(path.keys):
            if key in places:
                there, their_ply = places[key]
                met.setdefault((number, there), []).append((ply, their_ply))
    return {
        pair: min(_span([my for my, _ in plies]), _span([their for _, their in plies]))
        for pair, plies in met.items()
    }


def _span(plies: Sequence[int]) -> int:
    return max(plies) - min(plies)


def _follows(mine: Path, theirs: Path) -> bool:
    common = 5 * common_pushes(mine.forces, theirs.forces)
    return common >= _OF_THEIRS * len(theirs.forces) and common >= _OF_MINE * len(mine.forces)
