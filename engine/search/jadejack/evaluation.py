"""The values of squares in JadeJack, as learned from games of the player against itself.

`weights.json` has tables for several numbers of disks per square (`filled`). A
table has a row for each kind of square (see `kernels.kind`, for Black), with the value of the square to its
owner, in hundredths of a point, for each lead in strength.
"""

import json
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from engine.jadejack import Position
from engine.search.arrays import Array
from engine.search.jadejack import kernels
from engine.search.jadejack.memory import board_of, disks, entries


class Weights(NamedTuple):
    """The values of squares: an array of tables, one for each number of disks per square in `filled`."""

    filled: Sequence[float]
    values: Array


@cache
def _stored() -> Weights:
    stored = json.loads(files("engine.search.jadejack").joinpath("weights.json").read_text("utf-8"))
    return Weights(stored["filled"], np.array(stored["values"]))


def expected(position: Position) -> tuple[float, ...]:
    """Return the points that each square, empty or not, is expected to bring Black (negative: White).

    They are in the order of `squares.names`. Their sum is the evaluation of the position, but for the komi.
    """
    values = table_for(disks(position) / position.size**2)[entries(board_of(position))]
    return tuple((values / kernels.POINT).tolist())


def table_for(filled: float, insight: float = 1.0) -> Array:
    """Return the table for a number of disks per square, interpolated between those of the weights.

    It has the values for Black of all kinds of squares, white stacks included. With less insight they are
    nearer to the points that squares bring now.
    """
    marks, values = _stored()
    after = min(max(bisect_right(marks, filled), 1), len(marks) - 1)
    low, high = marks[after - 1], marks[after]
    share = min((filled - low) / (high - low), 1.0)
    black = insight * (values[after - 1] * (1 - share) + values[after] * share)
    black[0] += (1 - insight) * kernels.POINT * np.sign(np.arange(-kernels.LEADS, kernels.LEADS + 1))
    table: Array = np.concatenate([black, -black[1:, ::-1]]).astype(np.int32).ravel()
    return table
