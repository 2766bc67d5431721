"""Tournaments for programs."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from app.errors import NotFoundError
from app.identity.viewer import KnownProgram, PlayingProgram
from app.tournaments import schemas
from app.tournaments.deps import CalendarDep, SeasonsDep, TournamentsDep
from app.web.deps import ThrottleDep
from app.web.params import Cursor
from app.web.problems import problems
from app.web.throttle import Limit

router = APIRouter(tags=["tournaments"])

PageSize = Annotated[int, Query(ge=1, le=200)]


@router.post("/tournaments", status_code=201, responses=problems(401, 403, 409, 429))
async def make_tournament(
    body: schemas.NewTournament, program: PlayingProgram, tournaments: TournamentsDep, throttle: ThrottleDep
) -> schemas.TournamentMade:
    """Make a tournament. Only organisers can make rated ones."""
    await throttle.hit(Limit.CHALLENGE, f"account:{program.id}")
    made = await tournaments.make(program, body.terms, body.password)
    return schemas.TournamentMade(id=made.id, url=f"/tournaments/{made.id}")


@router.get("/tournaments", responses=problems())
async def list_tournaments(
    tournaments: TournamentsDep,
    status: Literal["created", "started", "finished", "cancelled"] = "started",
    cursor: Cursor = "",
    limit: PageSize = 50,
) -> schemas.TournamentList:
    """Return tournaments with a status: those that are over from the last one on, others by their start."""
    return schemas.TournamentList.of(await tournaments.listing(status, cursor, limit))


@router.get("/tournaments/filling", responses=problems())
async def list_filling(tournaments: TournamentsDep) -> schemas.TournamentList:
    """Return the tournaments that start when they are full, the fullest first."""
    found = [schemas.TournamentShown.of(info) for info in await tournaments.filling()]
    return schemas.TournamentList(tournaments=found, next=None)


@router.get("/calendar", responses=problems())
async def read_calendar(calendar: CalendarDep) -> schemas.CalendarShown:
    """Return what goes on now and what comes: tournaments, competitions of Golden Nugget, and races."""
    entries = await calendar.entries()
    return schemas.CalendarShown(entries=[schemas.CalendarEntry.model_validate(entry) for entry in entries])


@router.get("/seasons", responses=problems())
async def list_seasons(seasons: SeasonsDep) -> schemas.SeasonList:
    """Return the seasons in which there were points, the latest first."""
    return schemas.SeasonList(seasons=await seasons.all())


@router.get("/seasons/{season:slug}", responses=problems(404))
async def read_season(
    season: str, seasons: SeasonsDep, cursor: Cursor = "", limit: PageSize = 50
) -> schemas.SeasonTable:
    """Return the table of a season, such as 2026-4: points for the server's tournaments of a quarter."""
    page = await seasons.table(season, cursor, limit)
    rows = [schemas.SeasonRowShown.model_validate(row) for row in page.rows]
    return schemas.SeasonTable(rows=rows, next=page.next)


@router.get("/tournaments/{tournament_id:id}", responses=problems(404))
async def get_tournament(tournament_id: str, tournaments: TournamentsDep) -> schemas.TournamentShown:
    """Return a tournament with its terms."""
    return schemas.TournamentShown.of(await tournaments.get(tournament_id))


@router.put("/tournaments/{tournament_id:id}", responses=problems(401, 403, 404, 409, 429))
async def edit_tournament(
    tournament_id: str,
    body: schemas.TournamentRequest,
    program: PlayingProgram,
    tournaments: TournamentsDep,
    throttle: ThrottleDep,
) -> schemas.TournamentShown:
    """Change the terms of a tournament of yours that has not begun. Its kind and password stay."""
    await throttle.hit(Limit.CHALLENGE, f"account:{program.id}")
    return schemas.TournamentShown.of(await tournaments.edit(tournament_id, program, body.terms))


@router.get("/tournaments/{tournament_id:id}/standings", responses=problems(404))
async def standings(
    tournament_id: str, tournaments: TournamentsDep, cursor: Cursor = "", limit: PageSize = 50
) -> schemas.Standings:
    """Return the standings, the best players first."""
    return schemas.Standings.of(await tournaments.standings(tournament_id, cursor, limit))


@router.get("/tournaments/{tournament_id:id}/standings/me", responses=problems(401, 404))
async def own_standing(
    tournament_id: str, program: KnownProgram, tournaments: TournamentsDep
) -> schemas.StandingShown:
    """Return the row of the token's account in the standings."""
    row = await tournaments.standing_of(tournament_id, program.id)
    if row is None:
        raise NotFoundError("player")
    return schemas.StandingShown.of(row)


@router.get("/tournaments/{tournament_id:id}/rounds", responses=problems(404))
async def rounds(
    tournament_id: str,
    tournaments: TournamentsDep,
    number: Annotated[int | None, Query(alias="round", ge=1, lt=1 << 31)] = None,
) -> schemas.Rounds:
    """Return the pairings of a round or of all rounds; of an arena, the latest ones."""
    pairings = await tournaments.rounds(tournament_id, number)
    return schemas.Rounds(pairings=[schemas.PairingShown.of(pairing) for pairing in pairings])


@router.post("/tournaments/{tournament_id:id}/join", responses=problems(401, 403, 404, 409, 429))
async def join(
    tournament_id: str,
    program: PlayingProgram,
    tournaments: TournamentsDep,
    throttle: ThrottleDep,
    body: schemas.JoinRequest | None = None,
) -> schemas.TournamentShown:
    """Take part in a tournament, or come back after a pause. Games come as events `tournament_paired`."""
    await throttle.hit(Limit.CHALLENGE, f"account:{program.id}")
    await tournaments.join(tournament_id, program, body.password if body else None)
    return schemas.TournamentShown.of(await tournaments.get(tournament_id))


@router.post("/tournaments/{tournament_id:id}/pause", responses=problems(401, 403, 404, 409))
async def pause(
    tournament_id: str, program: PlayingProgram, tournaments: TournamentsDep
) -> schemas.TournamentShown:
    """Take no further games of an arena or Swiss tournament until you join again."""
    await tournaments.pause(tournament_id, program)
    return schemas.TournamentShown.of(await tournaments.get(tournament_id))


@router.post("/tournaments/{tournament_id:id}/withdraw", responses=problems(401, 403, 404, 409))
async def withdraw(
    tournament_id: str, program: PlayingProgram, tournaments: TournamentsDep
) -> schemas.TournamentShown:
    """Leave a tournament: the game under way goes on, those to come are lost."""
    await tournaments.withdraw(tournament_id, program)
    return schemas.TournamentShown.of(await tournaments.get(tournament_id))


@router.post("/tournaments/{tournament_id:id}/cancel", responses=problems(401, 403, 404, 409))
async def cancel(
    tournament_id: str, body: schemas.CancelRequest, program: PlayingProgram, tournaments: TournamentsDep
) -> schemas.TournamentShown:
    """Cancel a tournament of yours; games under way go on, but do not count for it."""
    await tournaments.cancel(tournament_id, program, body.reason)
    return schemas.TournamentShown.of(await tournaments.get(tournament_id))
