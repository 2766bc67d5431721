"""Boards of the day of the games for one as the JSON API returns them."""

from typing import Annotated, Self

from pydantic import BaseModel

from app.core.web.params import RankedList
from app.core.web.registered import GameKey
from app.core.web.shown import GameId, example
from app.play.days.schemas import LotShown, members_of
from app.play.solo_days.service import DayInfo, SoloDayRow, SoloTry

Square = Annotated[str, example("c4")]


class SoloTryGame(BaseModel):
    """The game in which an account plays the board of today; its first number is on the board."""

    game_id: GameId


class SoloDayShown(LotShown):
    """A day of a game: how large its board is, and the square of the `first` number, both drawn by lot.

    `my` is the try of the token's account. The `seed`, and the computer's game `best`, are null until the day
    is over.
    """

    game: GameKey
    size: int
    first: Square
    my: SoloTry | None
    best: list[Square] | None

    @classmethod
    def of(cls, day: DayInfo, mine: SoloTry | None, tomorrow: str | None) -> Self:
        """Return a day as the API shows it."""
        return cls(
            **members_of(day.lot, tomorrow),
            game=day.rules.key,
            size=day.board.options["size"],
            first=day.board.first,
            my=mine,
        )


class SoloDayRanking(RankedList[SoloDayRow]):
    """A page of the ranking of a day, and the cursor of the next one."""
