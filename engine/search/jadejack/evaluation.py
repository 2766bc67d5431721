"""What squares are worth in JadeJack, as learned from games that the player played against itself.

`weights.json` has, for boards with so many disks to a square (`filled`), a row for each kind of square (see
`kernels.kind`, for Black) with the hundredths of a point that it is worth to its holder for each lead in
strength from -6 to 6; `training` makes it.
"""

import json
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from engine.search.arrays import Array
from engine.search.jadejack import kernels

CLEAR = 6
"""A lead of so many units is as good as any greater one."""


class Weights(NamedTuple):
    """What squares are worth: an array of tables, one for each of the numbers in `filled`."""

    filled: Sequence[float]
    worths: Array


@cache
def _tables() -> list[tuple[float, Array]]:
    read = json.loads(files("engine.search.jadejack").joinpath("weights.json").read_text("utf-8"))
    return _expanded(Weights(read["filled"], np.array(read["worths"])))


_in_use: list[tuple[float, Array]] = []


def use(weights: Weights) -> None:
    """Evaluate by these weights from now on, instead of those of the file."""
    _in_use[:] = _expanded(weights)


def _expanded(weights: Weights) -> list[tuple[float, Array]]:
    """Give the tables for the kernels: every lead of every kind, White's stacks too, in one row."""
    leads = np.clip(np.arange(-kernels.LEADS, kernels.LEADS + 1), -CLEAR, CLEAR) + CLEAR
    black = weights.worths[:, :, leads]
    both = np.concatenate([black, -black[:, 1:, ::-1]], axis=1)
    return [(mark, rows.ravel()) for mark, rows in zip(weights.filled, both, strict=True)]


def table_for(filled: float) -> Array:
    """Give the table for a board with so many disks to a square, between those of the weights."""
    tables = _in_use or _tables()
    after = min(max(bisect_right(tables, filled, key=lambda one: one[0]), 1), len(tables) - 1)
    (low, below), (high, above) = tables[after - 1], tables[after]
    share = min((filled - low) / (high - low), 1.0)
    blended: Array = below * (1 - share) + above * share
    return blended.astype(np.int32)
