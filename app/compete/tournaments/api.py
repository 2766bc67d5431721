"""Tournaments for programs."""

from typing import Annotated, Literal

from fastapi import Query

from app.compete.tournaments import schemas
from app.compete.tournaments.calendar import Calendar
from app.compete.tournaments.chat import TournamentChat
from app.compete.tournaments.entering import Entering
from app.compete.tournaments.seasons import Seasons, SeasonTable
from app.compete.tournaments.service import PreviewShown, Tournaments
from app.compete.tournaments.standings import Rounds, StandingShown
from app.core.errors import found
from app.core.web.bodies import OptionalBody
from app.core.web.deps import Part
from app.core.web.params import Before, PageDep
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.core.web.throttle import Limit, Throttle
from app.people.identity.throttled import COMPUTING_FOR_PROGRAM, ChallengingProgram, SteppingProgram
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, KnownProgram, PlayingProgram, Program
from app.play.chat.schemas import LineRequest, Messages, Said

router = Router(prefix="/api/v1", tags=["tournaments"])

_ONE = "/tournaments/{tournament_id:id}"
_REFUSALS = problems(409)


@router.post("/tournaments", status_code=201, responses=problems(409))
async def make_tournament(
    body: schemas.NewTournament, program: ChallengingProgram, tournaments: Part[Tournaments]
) -> schemas.TournamentMade:
    """Make a tournament. Only organisers can make rated ones."""
    made = await tournaments.make(program, body.terms, body.password)
    return schemas.TournamentMade(id=made.id, url=f"/tournaments/{made.id}")


@router.get("/tournaments")
async def list_tournaments(
    tournaments: Part[Tournaments],
    page: PageDep,
    status: Literal["created", "started", "finished", "cancelled"] = "started",
) -> schemas.TournamentList:
    """Return tournaments with a status: those that are over from the last one on, others by their start.

    Of those that have started, the ones in real time come first, then those that can still be joined. Those
    that are created and have no start are in the list `filling`.
    """
    return schemas.TournamentList.of(await tournaments.listing(status, *page))


@router.get("/tournaments/filling")
async def list_filling(tournaments: Part[Tournaments], page: PageDep) -> schemas.TournamentList:
    """Return the tournaments that start when they are full, the fullest first."""
    return schemas.TournamentList.of(await tournaments.listing("filling", *page))


@router.get("/calendar")
async def read_calendar(calendar: Part[Calendar]) -> schemas.CalendarShown:
    """Return what goes on now and what comes: tournaments, competitions of Golden Nugget, and races."""
    return schemas.CalendarShown(entries=await calendar.entries())


@router.get("/seasons")
async def list_seasons(seasons: Part[Seasons]) -> schemas.SeasonList:
    """Return the seasons in which there were points, the latest first."""
    return schemas.SeasonList(seasons=await seasons.all())


@router.get("/seasons/{season:slug}")
async def read_season(season: str, seasons: Part[Seasons], page: PageDep) -> SeasonTable:
    """Return the table of a season, such as 2026-4: points for the server's tournaments of a quarter."""
    return await seasons.table(season, *page)


@router.get(_ONE, responses=problems(409))
async def get_tournament(tournament_id: str, tournaments: Part[Tournaments]) -> schemas.TournamentShown:
    """Return a tournament with its terms."""
    return schemas.TournamentShown.of(await tournaments.get(tournament_id))


@router.put(_ONE, responses=_REFUSALS)
async def edit_tournament(
    tournament_id: str,
    body: schemas.TournamentRequest,
    program: ChallengingProgram,
    tournaments: Part[Tournaments],
) -> schemas.TournamentShown:
    """Change the terms of a tournament of yours that has not begun. Its kind and password stay.

    Players who do not fit the new terms leave it; `preview` says who they are.
    """
    return schemas.TournamentShown.of(
        await tournaments.edit(tournament_id, program, lambda _stored: body.terms)
    )


@router.post(_ONE + "/preview", responses=_REFUSALS)
async def preview_tournament(
    tournament_id: str,
    body: schemas.TournamentRequest,
    program: SteppingProgram,
    tournaments: Part[Tournaments],
) -> PreviewShown:
    """Return which players a change to these terms would leave out; nothing is changed."""
    return await tournaments.preview(tournament_id, program, lambda _stored: body.terms)


@router.get(_ONE + "/standings")
async def standings(tournament_id: str, tournaments: Part[Tournaments], page: PageDep) -> schemas.Standings:
    """Return the standings, the best players first."""
    return schemas.Standings.of(await tournaments.standings(tournament_id, *page))


@router.get(_ONE + "/standings/me")
async def own_standing(
    tournament_id: str, program: KnownProgram, tournaments: Part[Tournaments]
) -> StandingShown:
    """Return the row of the token's account in the standings."""
    return found(await tournaments.standing_of(tournament_id, program.id), "player")


@router.get(
    _ONE + "/rounds",
    openapi_extra=TOKEN_IS_OPTIONAL,
    dependencies=[COMPUTING_FOR_PROGRAM],
)
async def rounds(
    tournament_id: str,
    tournaments: Part[Tournaments],
    number: Annotated[int | None, Query(alias="round", ge=1, lt=1 << 31)] = None,
    before: Before = None,
) -> Rounds:
    """Return the pairings of a round or of all rounds; of an arena, the latest ones, by pages."""
    return await tournaments.rounds(tournament_id, number, before)


@router.post(_ONE + "/join", responses=_REFUSALS)
async def join(
    tournament_id: str,
    program: ChallengingProgram,
    tournaments: Part[Tournaments],
    entering: Part[Entering],
    body: OptionalBody[schemas.EntryRequest],
) -> schemas.TournamentShown:
    """Take part in a tournament, or come back after a pause. Games come as events `tournament_paired`."""
    await entering.join(tournament_id, program, body.password, body.terms)
    return schemas.TournamentShown.of(await tournaments.get(tournament_id))


@router.post(_ONE + "/pause", responses=_REFUSALS)
async def pause(
    tournament_id: str, program: SteppingProgram, tournaments: Part[Tournaments], entering: Part[Entering]
) -> schemas.TournamentShown:
    """Take no further games of an arena or Swiss tournament until you join again."""
    await entering.pause(tournament_id, program)
    return schemas.TournamentShown.of(await tournaments.get(tournament_id))


@router.post(_ONE + "/withdraw", responses=_REFUSALS)
async def withdraw(
    tournament_id: str, program: SteppingProgram, tournaments: Part[Tournaments], entering: Part[Entering]
) -> schemas.TournamentShown:
    """Leave a tournament: the game under way goes on, those to come are lost."""
    await entering.withdraw(tournament_id, program)
    return schemas.TournamentShown.of(await tournaments.get(tournament_id))


@router.post(_ONE + "/cancel", responses=_REFUSALS)
async def cancel(
    tournament_id: str, body: schemas.CancelRequest, program: SteppingProgram, tournaments: Part[Tournaments]
) -> schemas.TournamentShown:
    """Cancel a tournament of yours, or of a team for which you answer; games under way do not count for it.

    The reason is shown if you are its organiser.
    """
    await tournaments.cancel(tournament_id, program, body.reason)
    return schemas.TournamentShown.of(await tournaments.get(tournament_id))


@router.get(_ONE + "/chat", responses=problems(403), openapi_extra=TOKEN_IS_OPTIONAL)
async def read_chat(tournament_id: str, program: Program, chat: Part[TournamentChat]) -> Messages:
    """Return the last messages of the chat, the oldest first."""
    return Messages.of(await chat.read(program, tournament_id))


@router.post(_ONE + "/chat", status_code=201, responses=_REFUSALS)
async def say(
    tournament_id: str,
    body: LineRequest,
    program: PlayingProgram,
    chat: Part[TournamentChat],
    throttle: Part[Throttle],
) -> Said:
    """Post a message in the chat. New accounts can send greetings only."""
    await throttle.hit(Limit.CHAT, f"account:{program.id}")
    return Said.of(await chat.say(program, tournament_id, body.words))


@router.put(_ONE + "/chat")
async def switch_chat(
    tournament_id: str, body: schemas.ChatSwitch, program: SteppingProgram, tournaments: Part[Tournaments]
) -> schemas.TournamentShown:
    """Switch the chat of a tournament of yours on or off."""
    return schemas.TournamentShown.of(await tournaments.switch_chat(tournament_id, program, is_on=body.chat))
