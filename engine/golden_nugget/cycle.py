"""Where a record begins to repeat itself.

What can follow a solved board depends only on its position, up to symmetry. When a position comes again, so
can the boards after it: a long record is a run-up, and then a cycle.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.golden_nugget.lineage import paths_of
from engine.golden_nugget.ranking import Mean, mean_of
from engine.golden_nugget.record import Record


@dataclass(frozen=True, slots=True)
class Cycle:
    """The boards `first` to `last`: from `first + boards` on, each begins as the one `boards` before it did.

    So does what follows the last one. `mean` is that of the moves on the first `boards` of them.
    """

    first: int
    last: int
    boards: int
    mean: Mean


def cycle_of(record: Record) -> Cycle | None:
    """Return the cycle that a record repeats longest, None if it plays none twice. Raise IllegalPush."""
    ends = [path.keys[-1] for path in paths_of(record)]
    return longest_cycle(ends, [len(board.moves) for board in record.boards])


def longest_cycle(ends: Sequence[int], counts: Sequence[int]) -> Cycle | None:
    """Return the longest cycle of boards, given the keys of their ends and their moves.

    Of several as long, it is the one of fewest boards, and then the first one.
    """
    stretches = [
        (-boards - length, boards, start)
        for boards in range(1, len(ends))
        for start, length in _stretches(ends, boards)
        if length > boards
    ]
    if not stretches:
        return None
    length, boards, start = min(stretches)
    return Cycle(start + 2, start - length, boards, mean_of(counts[start + 1 : start + 1 + boards]))


def _stretches(ends: Sequence[int], boards: int) -> list[tuple[int, int]]:
    """Return the index and the length of each stretch of positions that come again so many boards later."""
    stretches: list[tuple[int, int]] = []
    for index in range(len(ends) - boards):
        if ends[index] != ends[index + boards]:
            continue
        start, length = stretches[-1] if stretches else (0, 0)
        if stretches and start + length == index:
            stretches[-1] = start, length + 1
        else:
            stretches.append((index, 1))
    return stretches
