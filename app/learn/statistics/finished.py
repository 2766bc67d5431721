"""A finished game as it is counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from engine import replay
from engine.game import Game
from engine.registry import FOR_TWO


@dataclass(frozen=True)
class FinishedGame:
    """A game for two that is over. `winner` is a seat, None for a draw; `rating` the mean if it was rated.

    The first `first_ply` moves led to the position in which it began. `spent` has the milliseconds that each
    move took, None without a clock.
    """

    id: str
    ended_at: datetime
    game: str
    options: Mapping[str, int]
    accounts: tuple[int, int]
    winner: int | None
    rating: float | None
    moves: Sequence[str]
    spent: Sequence[int | None]
    first_ply: int = 0

    @property
    def rules(self) -> Game[Any]:
        """Return the rules of the game."""
        return FOR_TWO[self.game]

    @cached_property
    def positions(self) -> Sequence[Any]:
        """Return the first position and that after each move."""
        return list(replay.positions(self.rules, self.options, self.moves))

    @property
    def is_played_out(self) -> bool:
        """Return whether the game ended by its own rules."""
        return self.rules.outcome(self.positions[-1]) is not None
