"""The result of a search for the best game on a board."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Best:
    """The best figure of a game, its squares as indices into `squares.names`, and whether none is better."""

    value: int
    cells: Sequence[int]
    is_proved: bool
