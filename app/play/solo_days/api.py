"""Boards of the day of the games for one, for programs."""

import datetime as dt
from typing import Annotated, Self

from pydantic import BaseModel, Field, Strict

from app.core.web.bodies import OptionalBody, RequestBody
from app.core.web.deps import Part
from app.core.web.params import PageDep, RankedList
from app.core.web.problems import problems
from app.core.web.registered import GameKey
from app.core.web.routes import Router
from app.core.web.shown import GameId, example
from app.people.identity.throttled import ChallengingProgram, SteppingProgram
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, Program
from app.play.days.days import day_of, today
from app.play.days.schemas import LotShown, members_of
from app.play.solo_days.service import SoloDayInfo, SoloDayRow, SoloDays, SoloTry

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
    def of(cls, day: SoloDayInfo, mine: SoloTry | None, tomorrow: str | None) -> Self:
        """Return a day as the API shows it."""
        return cls(
            **members_of(day.lot, tomorrow),
            game=day.rules.key,
            size=day.board.options["size"],
            first=day.board.first,
            my=mine,
        )


class HandInRequest(RequestBody):
    """The day whose board is handed in, and the version of its game that is known: neither is needed."""

    date: Annotated[dt.date, Strict(False)] | None = None
    version: Annotated[int, Field(ge=0, lt=2**63)] | None = None


class SoloDayRanking(RankedList[SoloDayRow]):
    """A page of the ranking of a day, and the cursor of the next one."""


router = Router(prefix="/api/v1/solitaire/daily", tags=["boards of the day"])


@router.get("/{game:solo}", openapi_extra=TOKEN_IS_OPTIONAL)
async def solo_day_of_today(game: str, program: Program, solo_days: Part[SoloDays]) -> SoloDayShown:
    """Return the board of today at a game for one."""
    return await _shown(solo_days, game, today().isoformat(), program.id if program else None)


@router.get("/{game:solo}/ranking")
async def solo_ranking_of_today(game: str, solo_days: Part[SoloDays], page: PageDep) -> SoloDayRanking:
    """Return a page of the ranking of today: by points, then the tie-break, then the time of finding."""
    return SoloDayRanking.of(await solo_days.of[game].ranking(today(), *page))


@router.post("/{game:solo}/play", status_code=201)
async def play_solo_day(game: str, program: ChallengingProgram, solo_days: Part[SoloDays]) -> SoloTryGame:
    """Begin your game on the board of today, or get it again. It is played as any other, and private."""
    return SoloTryGame(game_id=await solo_days.play(game, program.id))


@router.post("/{game:solo}/hand-in", responses=problems(409))
async def hand_in(
    game: str, program: SteppingProgram, solo_days: Part[SoloDays], body: OptionalBody[HandInRequest]
) -> SoloTry:
    """Make your game on the board of today count as it is, once; you can go on with it for fun.

    With a `date`, 409 `day_over` refuses it unless that is today. With the `version` of the game that you
    know, 409 `stale_try` refuses it if the game has changed since.
    """
    return await solo_days.hand_in(game, program.id, body.date or today(), body.version)


@router.get("/{game:solo}/{day:day}", openapi_extra=TOKEN_IS_OPTIONAL)
async def one_solo_day(game: str, day: str, program: Program, solo_days: Part[SoloDays]) -> SoloDayShown:
    """Return the board of a day that has begun."""
    return await _shown(solo_days, game, day, program.id if program else None)


@router.get("/{game:solo}/{day:day}/ranking")
async def ranking_of_solo_day(
    game: str, day: str, solo_days: Part[SoloDays], page: PageDep
) -> SoloDayRanking:
    """Return a page of the ranking of a day."""
    info = await solo_days.day(game, day_of(day))
    return SoloDayRanking.of(await solo_days.of[game].ranking(info.lot.day, *page))


async def _shown(solo_days: SoloDays, game: str, text: str, account_id: int | None) -> SoloDayShown:
    day = await solo_days.day(game, day_of(text))
    mine = await solo_days.try_of(game, day.lot.day, account_id) if account_id is not None else None
    return SoloDayShown.of(day, mine, await solo_days.of[game].next_commitment())
