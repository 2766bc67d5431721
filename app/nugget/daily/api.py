"""Nugget of the day for programs."""

from datetime import date
from typing import Annotated, Self

from pydantic import BaseModel, Field, Strict

from app.core.web.bodies import RequestBody
from app.core.web.deps import Part
from app.core.web.params import PageDep, RankedList
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.core.web.shown import example
from app.core.web.throttle import Limit, Throttle
from app.nugget.daily.service import Daily, DayInfo, DayRow, TryState
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, PlayingProgram, Program
from app.play.days.days import day_of, today
from app.play.days.schemas import LotShown, members_of
from engine.golden_nugget.board import MOVE_LIMIT
from engine.puzzles.rules import ONE_BOARD

Day = date


class DayTryRequest(RequestBody):
    """The moves that solve the board of today, short (`P`) or full (`P7`).

    With `date`, only while that day is today.
    """

    moves: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=2, examples=["P7"])]],
        Field(min_length=1, max_length=MOVE_LIMIT),
    ]
    date: Annotated[Day, Strict(False)] | None = None


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


router = Router(prefix="/api/v1", tags=["golden nugget"])


@router.get("/nugget/daily", openapi_extra=TOKEN_IS_OPTIONAL)
async def day_of_today(program: Program, daily: Part[Daily]) -> DayShown:
    """Return the Nugget of the day."""
    return await _shown(daily, today().isoformat(), program.id if program else None)


@router.get("/nugget/daily/ranking")
async def ranking_of_today(daily: Part[Daily], page: PageDep) -> DayRanking:
    """Return a page of the ranking of today: by moves, then by the time of finding."""
    return DayRanking.of(await daily.days.ranking(today(), *page))


@router.post("/nugget/daily/tries", status_code=201, responses=problems(409))
async def submit_try(
    body: DayTryRequest, program: PlayingProgram, daily: Part[Daily], throttle: Part[Throttle]
) -> DayTryShown:
    """Hand in your try at the board of today; there is only one.

    409 `already_tried`, `day_over` if `date` is not today; 422 `illegal_move`, `not_solved`.
    """
    await throttle.hit(Limit.RECORD, f"account:{program.id}")
    shown = of_try(await daily.submit(program.id, body.date or today(), body.moves))
    assert shown is not None
    return shown


@router.get("/nugget/daily/{day:day}", openapi_extra=TOKEN_IS_OPTIONAL)
async def one_day(day: str, program: Program, daily: Part[Daily]) -> DayShown:
    """Return the Nugget of a day that has begun."""
    return await _shown(daily, day, program.id if program else None)


@router.get("/nugget/daily/{day:day}/ranking")
async def ranking_of_day(day: str, daily: Part[Daily], page: PageDep) -> DayRanking:
    """Return a page of the ranking of a day."""
    return DayRanking.of(await daily.days.ranking((await daily.days.get(day_of(day))).day, *page))


async def _shown(daily: Daily, text: str, account_id: int | None) -> DayShown:
    day = await daily.day(day_of(text))
    mine = await daily.try_of(day.lot.day, account_id) if account_id is not None else None
    return DayShown.of(day, mine, await daily.days.next_commitment())
