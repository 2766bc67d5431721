"""Boards of the day of the games for one, for programs."""

from fastapi import APIRouter

import app.play.solo_days.paths  # noqa: F401 - registers types of paths
from app.core.web.deps import Part
from app.core.web.params import PageDep
from app.core.web.problems import problems
from app.people.identity.throttled import ChallengingProgram, SteppingProgram
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, Program
from app.play.days.days import today
from app.play.days.paths import day_of
from app.play.solo_days.schemas import SoloDayRanking, SoloDayShown, SoloTryGame
from app.play.solo_days.service import SoloDays, SoloTry

router = APIRouter(prefix="/api/v1/solitaire/daily", tags=["boards of the day"])


@router.get("/{game:solo}", responses=problems(401), openapi_extra=TOKEN_IS_OPTIONAL)
async def solo_day_of_today(game: str, program: Program, solo_days: Part[SoloDays]) -> SoloDayShown:
    """Return the board of today at a game for one."""
    return await _shown(solo_days, game, today().isoformat(), program.id if program else None)


@router.get("/{game:solo}/ranking", responses=problems(422))
async def solo_ranking_of_today(game: str, solo_days: Part[SoloDays], page: PageDep) -> SoloDayRanking:
    """Return a page of the ranking of today: by points, then the tie-break, then the time of finding."""
    return SoloDayRanking.of(await solo_days.of[game].ranking(today(), *page))


@router.post("/{game:solo}/play", status_code=201, responses=problems(401, 403, 429))
async def play_solo_day(game: str, program: ChallengingProgram, solo_days: Part[SoloDays]) -> SoloTryGame:
    """Begin your game on the board of today, or get it again. It is played as any other, and private."""
    return SoloTryGame(game_id=await solo_days.play(game, program.id))


@router.post("/{game:solo}/hand-in", responses=problems(401, 403, 404, 409, 429))
async def hand_in(game: str, program: SteppingProgram, solo_days: Part[SoloDays]) -> SoloTry:
    """Make your game on the board of today count as it is, once; you can go on with it for fun."""
    return await solo_days.hand_in(game, program.id)


@router.get("/{game:solo}/{day:day}", responses=problems(401, 404), openapi_extra=TOKEN_IS_OPTIONAL)
async def one_solo_day(game: str, day: str, program: Program, solo_days: Part[SoloDays]) -> SoloDayShown:
    """Return the board of a day that has begun."""
    return await _shown(solo_days, game, day, program.id if program else None)


@router.get("/{game:solo}/{day:day}/ranking", responses=problems(404, 422))
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
