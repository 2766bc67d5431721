"""What it costs in moves to turn boards of a published record into an entry that is nobody's.

A search beside the record, board by board. From each start that it keeps, it makes the record's pushes up to
some place, as they are or with one push more or less, and lets the solver look for the rest: other ends, from
which the next board starts beside the record, and ways back to it. What counts as shared is thrown away, but
for the four boards that an entry may share. `benchmarks.evading` looks for entries that are not compared.

The price is an upper bound: a longer or a cleverer search may find a lower one.

    python -m benchmarks.copying docs/samples/golden-nugget-20-best.txt
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path as File

from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import FORCES, START, Board, IllegalPush, push, turn
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.lineage import DERIVED_FROM, Path, paths_of, shared_boards
from engine.golden_nugget.positions import keys
from engine.search.nugget.beam import Beam, estimate
from engine.search.nugget.tables import FORCE_NAMES

_FACES = list(Face)
_CUTS = (
    0,
    0.15,
    0.35,
    0.55,
)  # of the pushes of a board are made before the solver looks for others
_NEXT_WORTH = 0.7  # moves for each move of the estimate of the next board
_MOST_MORE = 25  # moves on a board


@dataclass(frozen=True, slots=True)
class Way:
    """An entry so far: its last position, the moves more than the record's on each board, and its copies."""

    board: Board
    more: tuple[int, ...] = ()
    copied: int = 0


class Search:
    """The search beside some boards of a record."""

    def __init__(self, record: Sequence[Path], *, width: int, keep: int, tries: int) -> None:
        self._record, self._keep, self._tries = record, keep, tries
        self._beam = Beam(width)

    def prices(self, starts: Sequence[Board], first: int, boards: int) -> Iterator[Way]:
        """Yield the cheapest way after each board."""
        ways = [Way(starts[first])]
        for number in range(first, first + boards):
            found: dict[tuple[Board, int], Way] = {}
            for way in ways:
                for after in self._after(way, starts, number):
                    key = (after.board, after.copied)
                    if key not in found or sum(after.more) < sum(found[key].more):
                        found[key] = after
            ways = best_ways(list(found.values()), self._keep)
            if not ways:
                return
            yield min(ways, key=lambda way: sum(way.more))

    def _after(self, way: Way, starts: Sequence[Board], number: int) -> Iterator[Way]:
        path = self._record[number]
        if way.board == starts[number] and way.copied < DERIVED_FROM - 1:
            yield Way(turn(end_of(way.board, path.forces)), (*way.more, 0), way.copied + 1)
        for forces in self._tried(way.board, path.forces):
            more = len(forces) - len(path.forces)
            mine = Path(keys(way.board, forces), forces)
            if more <= _MOST_MORE and not shared_boards([mine], self._record):
                yield Way(turn(end_of(way.board, forces)), (*way.more, more), way.copied)

    def _tried(self, start: Board, forces: str) -> Iterator[str]:
        """Yield ways to solve a board beside the record, which makes these pushes."""
        for begun in _beginnings(start, forces, self._tries):
            board = end_of(start, begun)
            for solution in self._beam.solve(bytes(board.cells), _FACES.index(board.face), seed=1):
                yield begun + "".join(FORCE_NAMES[force] for force in solution.forces)


def best_ways(ways: list[Way], keep: int) -> list[Way]:
    """Return the best ways with each number of copies, by moves and the estimate of the next board."""

    def cost(way: Way) -> float:
        following = estimate(bytes(way.board.cells), _FACES.index(way.board.face))
        return sum(way.more) + _NEXT_WORTH * following

    ways.sort(key=cost)
    copies = sorted({way.copied for way in ways})
    return [way for count in copies for way in [w for w in ways if w.copied == count][:keep]]


def _beginnings(start: Board, forces: str, tries: int) -> set[str]:
    """Return beginnings of pushes that are legal: as they are, and with one at random more, less, or both."""
    generator = random.Random(forces)
    begun = {forces[: int(cut * len(forces))] for cut in _CUTS}
    for _ in range(tries):
        cut = int(generator.choice(_CUTS[1:]) * len(forces))
        place, more, less = generator.randrange(cut + 1), generator.randrange(2), generator.randrange(2)
        begun.add(forces[:place] + generator.choice(list(FORCES)) * more + forces[place + less : cut])
    return {beginning for beginning in begun if _is_legal(start, beginning)}


def _is_legal(start: Board, forces: str) -> bool:
    with suppress(IllegalPush):
        end_of(start, forces)
        return True
    return False


def end_of(board: Board, forces: str) -> Board:
    """Return the board after some pushes. Raise IllegalPush if one is illegal."""
    for force in forces:
        board, _ = push(board, force)
    return board


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", type=File)
    parser.add_argument("--first", type=int, default=1, help="board of the record to begin with (1)")
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--width", type=int, default=100, help="of the solver's beams (100)")
    parser.add_argument("--keep", type=int, default=2, help="ways kept with each number of copies (2)")
    parser.add_argument("--tries", type=int, default=4, help="pushes changed at random on each board (4)")
    arguments = parser.parse_args()
    record = paths_of(verify_file(arguments.record.read_bytes()).record)
    starts = [START]
    for path in record:
        starts.append(turn(end_of(starts[-1], path.forces)))
    search = Search(record, width=arguments.width, keep=arguments.keep, tries=arguments.tries)
    began = time.monotonic()
    for way in search.prices(starts, arguments.first - 1, arguments.boards):
        price = sum(way.more)
        seconds, boards = time.monotonic() - began, len(way.more)
        print(
            f"{boards} boards after {seconds:.0f} s, {way.copied} copied: {price:+} moves, "
            f"{price / boards:+.2f} a board; the last ones {way.more[-5:]}",
            flush=True,
        )


if __name__ == "__main__":
    main()
