"""The search that completes a lower bound where heights alone are not enough."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.golden_nugget.bounds import UNIT, Cells, Heights, height
from engine.search.arrays import Array
from engine.search.nugget import bound_kernels
from engine.search.nugget.tables import LINES

MOST_LOOKED = 50_000_000
"""The number of positions after which the search for one layout gives up."""

_MET = 1 << 20  # positions that a search remembers
_SAMPLES = 48


def exhaust(cells: Cells, layout: Cells, tables: Sequence[Heights], most: int) -> bool:
    """Return whether there is no way of `most` moves or fewer to a layout; False also if it is not known."""
    return Search(cells, layout, most).run(tables, MOST_LOOKED) == bound_kernels.NONE


@dataclass
class Search:
    """The search for ways of `most` moves or fewer from a position to a layout."""

    cells: Cells
    layout: Cells
    most: int
    samples: Array = field(init=False)

    def run(self, tables: Sequence[Heights], limit: int) -> int:
        """Return the outcome of looking at `limit` positions at most; some of them are the `samples`."""
        rests = [height(heights, self.cells) - height(heights, self.layout) for heights in tables]
        if max(rests) > self.most * UNIT:
            return bound_kernels.NONE
        if self.cells == self.layout:
            return bound_kernels.FOUND
        samples = np.zeros((_SAMPLES, 50), np.uint8)
        outcome, _, sampled = bound_kernels.exhaust(
            np.array(self.cells, np.uint8),
            np.array(self.layout, np.uint8),
            np.array(rests, np.int16),
            _changes(tables),
            self.most,
            UNIT,
            LINES,
            np.zeros((_MET, 3), np.uint64),
            limit,
            samples,
            max(1, limit // _SAMPLES),
        )
        self.samples = samples[:sampled]
        return int(outcome)


def _changes(tables: Sequence[Heights]) -> Array:
    """Return by how much a step changes heights: by force, step, colour (0 is white) and table."""
    white = np.zeros(49, np.int16)
    array = np.array([[white, *heights] for heights in tables], np.int16)
    steps = array[:, :, LINES[:, 1:]] - array[:, :, LINES[:, :-1]]
    return np.ascontiguousarray(steps.transpose(2, 3, 1, 0))
