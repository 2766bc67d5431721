"""Nugget of the day as the JSON API accepts and returns it."""

from typing import Annotated, Self

from pydantic import BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.params import RankedList
from app.core.web.shown import example
from app.nugget.daily.service import DayInfo, DayRow, TryState
from app.play.days.schemas import LotShown, members_of
from engine.golden_nugget.board import MOVE_LIMIT
from engine.puzzles.rules import ONE_BOARD


class DayTryRequest(RequestBody):
    """The moves that solve the board of today, short (`P`) or full (`P7`)."""

    moves: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=2, examples=["P7"])]],
        Field(min_length=1, max_length=MOVE_LIMIT),
    ]


class DayTryShown(BaseModel):
    """What an account handed in, and its rank now."""

    moves: int
    rank: int


class DayShown(LotShown):
    """A day: its board, `position`, is drawn by lot.

    The `seed`, and the computer's solution `best`, are null until the day is over. `my` is what the token's
    account handed in.
    """

    position: Annotated[str, example("A:1,2,3")]
    my: DayTryShown | None
    best: list[Annotated[str, example("P")]] | None

    @classmethod
    def of(cls, day: DayInfo, mine: TryState | None, tomorrow: str | None) -> Self:
        """Return a day as the API shows it."""
        return cls(**members_of(day.lot, tomorrow), position=ONE_BOARD.format(day.board), my=of_try(mine))


def of_try(state: TryState | None) -> DayTryShown | None:
    """Return what was handed in, None if nothing was."""
    if state is None or state.moves is None or state.rank is None:
        return None
    return DayTryShown(moves=state.moves, rank=state.rank)


class DayRanking(RankedList[DayRow]):
    """A page of the ranking of a day, and the cursor of the next one."""
