"""What it costs in moves to copy a published record without any of its landmarks, by which it is found.

The landmarks of board 1 may be had. From each start that it keeps, the search makes the record's moves, with
detours of up to five moves around landmarks and back to the record from beside it, up to each of its
positions, and lets the solver look for other ends. What has a landmark is thrown away.

The price is an upper bound: a longer or a cleverer search may find a lower one.

    python -m benchmarks.evading docs/samples/golden-nugget-200-best.txt
"""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path as File

from benchmarks.copying import Way, best_ways, end_of
from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import FORCES, START, Board, IllegalPush, Move, push, turn, undo
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.lineage import Path, landmarks, paths_of
from engine.golden_nugget.positions import keys
from engine.search.nugget.beam import Beam
from engine.search.nugget.tables import FORCE_NAMES

_FACES = list(Face)
_FORWARD, _BACK = 3, 2  # moves of a detour, up to where it meets the moves that lead back
_ENDS = 8  # positions of a board, the last ones, from which other ends are looked for
_MOST_MORE = 25  # moves on a board


class Search:
    """The search beside some boards of a record."""

    def __init__(self, record: Sequence[Path], width: int, keep: int) -> None:
        self._record, self._keep = record, keep
        self._landmarks = landmarks(record)
        self._beam = Beam(width)

    def prices(self, boards: int) -> Iterator[Way]:
        """Yield the cheapest way after each board."""
        start, ways = START, [Way(START)]
        for number, path in enumerate(self._record[:boards]):
            positions = [start]
            for force in path.forces:
                positions.append(push(positions[-1], force)[0])
            back = [_back(position) for position in positions]
            found: dict[Board, Way] = {}
            for way in ways:
                for forces in self._tried(way.board, path.forces, positions, back):
                    after = turn(end_of(way.board, forces))
                    more = (*way.more, len(forces) - len(path.forces))
                    if more[-1] > _MOST_MORE or (number and self._has_landmark(way.board, forces)):
                        continue
                    if self._has_landmark(after, "") or (after in found and _sum(found[after]) <= sum(more)):
                        continue
                    found[after] = Way(after, more)
            ways = best_ways(list(found.values()), self._keep)
            if not ways:
                return
            yield min(ways, key=_sum)
            start = turn(positions[-1])

    def _has_landmark(self, start: Board, forces: str) -> bool:
        return not self._landmarks.isdisjoint(keys(start, forces))

    def _tried(
        self, start: Board, forces: str, positions: Sequence[Board], back: Sequence[Mapping[Board, str]]
    ) -> Iterator[str]:
        """Yield ways to solve a board beside the record, which makes these pushes."""
        if start == START:
            yield forces
        reached: dict[int, str] = {}
        if start == positions[0]:
            reached[0] = ""
        else:
            self._relax(reached, start, "", range(len(positions)), back)
        for ply in range(len(forces)):
            if ply in reached:
                ahead = range(ply + 1, min(ply + _FORWARD + _BACK, len(forces)) + 1)
                self._relax(reached, positions[ply], reached[ply], ahead, back)
        for ply, made in reached.items():
            if ply == len(forces):
                yield made
            elif ply >= len(forces) - _ENDS:
                yield from self._ends(made, positions[ply])
        yield from self._ends("", start)

    def _ends(self, made: str, board: Board) -> Iterator[str]:
        for solution in self._beam.solve(bytes(board.cells), _FACES.index(board.face), seed=1):
            yield made + "".join(FORCE_NAMES[force] for force in solution.forces)

    def _relax(
        self,
        reached: dict[int, str],
        board: Board,
        made: str,
        plies: range,
        back: Sequence[Mapping[Board, str]],
    ) -> None:
        """Add the shortest ways without landmarks from a board to positions of the record."""
        for between, forces in _forward(board).items():
            for ply in plies:
                rest = back[ply].get(between)
                if rest is None or (ply in reached and len(made + forces + rest) >= len(reached[ply])):
                    continue
                if not self._has_landmark(board, forces + rest):
                    reached[ply] = made + forces + rest


def _sum(way: Way) -> int:
    return sum(way.more)


def _forward(start: Board) -> dict[Board, str]:
    """Return the boards that some moves reach, with the shortest ways."""
    found, newest = {start: ""}, [start]
    for _ in range(_FORWARD):
        pushed = []
        for board in newest:
            for force in FORCES:
                with suppress(IllegalPush):
                    after, _ = push(board, force)
                    if after not in found:
                        found[after] = found[board] + force
                        pushed.append(after)
        newest = pushed
    return found


def _back(end: Board) -> dict[Board, str]:
    """Return the boards from which some moves lead to a board, with the shortest ways."""
    found, newest = {end: ""}, [end]
    for _ in range(_BACK):
        undone = []
        for board in newest:
            for move in (Move(force, square) for force in FORCES for square in range(2, 8)):
                with suppress(IllegalPush):
                    before = undo(board, move)
                    if before not in found:
                        found[before] = move.force + found[board]
                        undone.append(before)
        newest = undone
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", type=File)
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--width", type=int, default=100, help="of the solver's beams (100)")
    parser.add_argument("--keep", type=int, default=4, help="ways kept after each board (4)")
    arguments = parser.parse_args()
    search = Search(
        paths_of(verify_file(arguments.record.read_bytes()).record), arguments.width, arguments.keep
    )
    began = time.monotonic()
    for way in search.prices(arguments.boards):
        price, boards, seconds = sum(way.more), len(way.more), time.monotonic() - began
        print(
            f"{boards} boards after {seconds:.0f} s: {price:+} moves, {price / boards:+.2f} a board; "
            f"the last ones {way.more[-5:]}",
            flush=True,
        )


if __name__ == "__main__":
    main()
