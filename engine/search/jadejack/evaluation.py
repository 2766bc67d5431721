"""The values of squares in JadeJack, as learned from games of the player against itself.

`weights.json`, which `training` writes, has tables for several numbers of disks per square (`filled`). A
table has a row for each kind of square (see `kernels.kind`, for Black), with the value of the square to its
owner, in hundredths of a point, for each lead in strength from -6 to 6.
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
"""The lead in strength from which on a greater lead makes no difference."""


class Weights(NamedTuple):
    """The values of squares: an array of tables, one for each number of disks per square in `filled`."""

    filled: Sequence[float]
    values: Array


@cache
def _tables() -> list[tuple[float, Array]]:
    weights = json.loads(files("engine.search.jadejack").joinpath("weights.json").read_text("utf-8"))
    return _expanded(Weights(weights["filled"], np.array(weights["values"])))


_in_use: list[tuple[float, Array]] = []


def use(weights: Weights) -> None:
    """Use these weights for all evaluations instead of those of the file."""
    _in_use[:] = _expanded(weights)


def _expanded(weights: Weights) -> list[tuple[float, Array]]:
    """Return the tables for the kernels: one row with all leads of all kinds, white stacks included."""
    leads = np.clip(np.arange(-kernels.LEADS, kernels.LEADS + 1), -CLEAR, CLEAR) + CLEAR
    black = weights.values[:, :, leads]
    both = np.concatenate([black, -black[:, 1:, ::-1]], axis=1)
    return [(mark, rows.ravel()) for mark, rows in zip(weights.filled, both, strict=True)]


def table_for(filled: float) -> Array:
    """Return the table for a number of disks per square, interpolated between those of the weights."""
    tables = _in_use or _tables()
    after = min(max(bisect_right(tables, filled, key=lambda table: table[0]), 1), len(tables) - 1)
    (low, below), (high, above) = tables[after - 1], tables[after]
    share = min((filled - low) / (high - low), 1.0)
    blended: Array = below * (1 - share) + above * share
    return blended.astype(np.int32)
