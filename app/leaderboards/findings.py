"""What is known of the number games: the best scores, who found them, and whether they can be bettered."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import NotFoundError
from app.scores import queries as scores
from app.scores.queries import RankedScore
from engine.record import GameRecord
from engine.registry import SOLITAIRE

SMALLEST = 2
"""The smallest board that the pages tell of; a board of one square asks no question."""


@dataclass(frozen=True, slots=True)
class Found:
    """A figure of the search programs, with a game that reaches it; see `gorrion records`."""

    game: str
    players: int
    size: int
    value: int
    proof: str | None
    cells: Sequence[str]
    found_on: date

    @property
    def record(self) -> GameRecord:
        """Give the game as a record that can be replayed, if the rules take a board of that size."""
        return GameRecord(self.game, {"size": self.size}, self.cells, {}, self.players)

    @property
    def is_replayable(self) -> bool:
        """Tell whether the rules take a board of that size."""
        sizes = self.record.rules.options["size"]
        return sizes.minimum <= self.size <= sizes.maximum


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a solitaire on a board: what the search found, and the best game of the players."""

    size: int
    found: Found | None
    by: RankedScore | None
    ceiling: int | None

    @property
    def best(self) -> int | None:
        """Give the best known score, or None."""
        scores = [self.found.value] if self.found else []
        return max([*scores, *([self.by.points] if self.by else [])], default=None)

    @property
    def is_proved(self) -> bool:
        """Tell whether it cannot be bettered: a search that tried everything says so, or the rules do."""
        return self.best is not None and (self.best == self.ceiling or self._is_found_best)

    @property
    def _is_found_best(self) -> bool:
        return self.found is not None and self.found.proof is not None and self.found.value == self.best


@cache
def findings() -> Sequence[Found]:
    """Give the figures that ship with Gorrion: what `gorrion records --max-n 12` printed on a day."""
    data = orjson.loads(files("app.leaderboards").joinpath("findings.json").read_bytes())
    found_on = date.fromisoformat(data["found_on"])
    return tuple(Found(**one, found_on=found_on) for one in data["records"])


def finding(game: str, players: int, size: int) -> Found:
    """Give one of the figures. Raises NotFoundError."""
    for one in findings():
        if (one.game, one.players, one.size) == (game, players, size) and one.is_replayable:
            return one
    raise NotFoundError("record")


async def known(session: AsyncSession, game: str) -> list[Known]:
    """Give what is known of a solitaire, size by size."""
    rules = SOLITAIRE[game]
    largest = rules.options["size"].maximum
    found = {one.size: one for one in findings() if (one.game, one.players) == (game, 1)}
    return [
        Known(size, found.get(size), await scores.best(session, game, size), rules.ceiling({"size": size}))
        for size in range(SMALLEST, largest + 1)
    ]


def values_of_play(game: str) -> list[Found]:
    """Give the value of a round for two under best play, size by size."""
    return [one for one in findings() if (one.game, one.players) == (game, 2)]
