"""Arrays that compiled kernels work on."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""Their type."""


def read_arrays(file: Path) -> Mapping[str, Array]:
    """Return the arrays of an npz file by their names. Raise ValueError for any other file, or OSError."""
    with file.open("rb") as opened:
        try:
            with np.load(opened) as stored:
                return {name: stored[name] for name in stored.files}
        except Exception as error:  # whatever zip, zlib and NumPy raise for what they do not understand
            raise ValueError(f"{file} has no arrays that can be read.") from error


def line_arrays(lines: Sequence[Sequence[tuple[int, int]]]) -> tuple[Array, Array, Array]:
    """Return the lines of a board as arrays: by square the targets, their distances, and their number.

    `lines` has for each square the squares on its lines with their distances, as in `number_grid`.
    """
    most = max(map(len, lines))
    targets, fars = np.zeros((len(lines), most), np.int64), np.zeros((len(lines), most), np.int64)
    for square, line in enumerate(lines):
        targets[square, : len(line)] = [target for target, _ in line]
        fars[square, : len(line)] = [far for _, far in line]
    return targets, fars, np.array([len(line) for line in lines])
