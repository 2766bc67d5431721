"""Golden Nugget for programs: checking, entries, the ranking, runs and competitions."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import InvalidError
from app.identity.service import Identity
from app.identity.viewer import KnownProgram, PlayingProgram, Program
from app.nugget import assistance, competitions, entries, runs, schemas, standings
from app.nugget.entries import Submitted, announce
from app.web.deps import BusDep, DatabaseDep, QueueDep, ThrottleDep
from app.web.params import Cursor
from app.web.problems import problems
from app.web.throttle import Limit, address
from engine.golden_nugget.entry import Verdict, verify, verify_file
from engine.golden_nugget.record import from_moves

router = APIRouter(tags=["golden nugget"])

_RECORD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "text/plain": {"schema": {"type": "string"}, "example": "board 1: P7 54 L6\n"},
            "application/json": {"schema": {"$ref": "#/components/schemas/Record"}},
        },
    }
}
Limited = Annotated[int, Query(ge=1, le=200)]


@router.post("/nugget/check", responses=problems(413, 429), openapi_extra=_RECORD)
async def check(request: Request, program: Program, throttle: ThrottleDep) -> schemas.VerdictShown:
    """Check a record and list all of its problems. Saves nothing and needs no account."""
    await throttle.hit(Limit.RECORD, f"account:{program.id}" if program else address(request))
    return schemas.VerdictShown.model_validate((await _verdict(request)).as_json())


@router.post(
    "/nugget/entries",
    status_code=201,
    responses=problems(401, 403, 404, 409, 413, 429),
    openapi_extra=_RECORD,
)
async def submit(
    request: Request,
    program: PlayingProgram,
    database: DatabaseDep,
    bus: BusDep,
    throttle: ThrottleDep,
    competition: Annotated[str | None, Query(max_length=64)] = None,
) -> schemas.EntryAccepted:
    """Submit a record as an entry. 422 `invalid_entry` lists its problems; 409 `known_record`."""
    await throttle.hit(Limit.RECORD, f"account:{program.id}")
    verdict = await _verdict(request)
    async with database.transaction() as session:
        submitted = await entries.submit(session, program, verdict, competition)
        accepted = await _accepted(session, submitted, program)
    announce(bus)
    return accepted


@router.get("/nugget/entries/{entry_id:id}", responses=problems(401, 404))
async def entry(entry_id: str, program: Program, database: DatabaseDep) -> schemas.EntryShown:
    """Give an entry, its counts per board, and its moves where the reader may see them."""
    async with database.transaction() as session:
        await standings.release(session)
        return schemas.EntryShown.of(await entries.get(session, entry_id, program.id if program else None))


@router.post("/nugget/entries/{entry_id:id}/publish", responses=problems(401, 403, 404))
async def publish(
    entry_id: str, program: PlayingProgram, database: DatabaseDep, bus: BusDep
) -> schemas.EntryShown:
    """Show an entry's moves to everybody, for good."""
    async with database.transaction() as session:
        await entries.publish(session, entry_id, program.id)
        shown = schemas.EntryShown.of(await entries.get(session, entry_id, program.id))
    announce(bus)
    return shown


@router.post("/nugget/entries/{entry_id:id}/withdraw", responses=problems(401, 403, 404, 409))
async def withdraw(
    entry_id: str, program: PlayingProgram, database: DatabaseDep, bus: BusDep
) -> schemas.EntryShown:
    """Take an entry out of the rankings, for good."""
    async with database.transaction() as session:
        await entries.withdraw(session, entry_id, program.id)
        shown = schemas.EntryShown.of(await entries.get(session, entry_id, program.id))
    announce(bus)
    return shown


@router.get("/leaderboards/golden_nugget", responses=problems(422))
async def ranking(
    database: DatabaseDep,
    cursor: Cursor = "",
    limit: Limited = 50,
    players: Annotated[str, Query(max_length=16)] = "everybody",
    period: Annotated[str, Query(max_length=16)] = "all",
) -> schemas.RankingPage:
    """Give a page of a ranking: `everybody`, `people`, `computers`, `assisted`; `all`, a year or a length."""
    async with database.transaction() as session:
        await standings.release(session)
        found = await standings.page(session, standings.name_of(players, period), cursor or None, limit)
    return _page(found)


@router.get("/nugget/runs", responses=problems(401))
async def my_runs(program: KnownProgram, database: DatabaseDep) -> list[schemas.RunListed]:
    """List the runs of the token's account, the last played first."""
    async with database.transaction() as session:
        mine = await runs.of_account(session, program.id)
    return [
        schemas.RunListed(id=run.id, name=run.name, updated_at=run.updated_at, counts=list(run.counts))
        for run in mine
    ]


@router.post("/nugget/runs", status_code=201, responses=problems(401, 403, 409, 429))
async def begin(
    body: schemas.NewRun, program: PlayingProgram, database: DatabaseDep, throttle: ThrottleDep
) -> schemas.RunShown:
    """Begin a run."""
    await throttle.hit(Limit.CHALLENGE, f"account:{program.id}")
    async with database.transaction() as session:
        run_id = await runs.create(session, program.id, body.name)
        return schemas.RunShown.of(await runs.get(session, run_id, program.id))


@router.get("/nugget/runs/{run_id:id}", responses=problems(401, 404))
async def run(run_id: str, program: KnownProgram, database: DatabaseDep) -> schemas.RunShown:
    """Give a run of the token's account."""
    async with database.transaction() as session:
        return schemas.RunShown.of(await runs.get(session, run_id, program.id))


@router.post("/nugget/runs/{run_id:id}/commands", responses=problems(401, 403, 404, 409, 429))
async def command(
    run_id: str,
    body: schemas.RunCommands,
    program: PlayingProgram,
    database: DatabaseDep,
    throttle: ThrottleDep,
) -> schemas.RunShown:
    """Carry out commands in order; `refused` tells of the first that could not be. Retries are safe."""
    await throttle.hit(Limit.MOVE, f"account:{program.id}")
    async with database.transaction() as session:
        state, refusal = await runs.act(
            session, run_id, program.id, body.commands, body.version, body.request_id
        )
    return schemas.RunShown.of(state, str(refusal) if refusal else None)


@router.post("/nugget/runs/{run_id:id}/hint", responses=problems(401, 403, 404, 409, 422, 429, 503))
async def hint(
    run_id: str,
    program: PlayingProgram,
    database: DatabaseDep,
    queue: QueueDep,
    throttle: ThrottleDep,
) -> schemas.NuggetHint:
    """Give a good next move. The run counts it, and ranks among assisted entries from then on."""
    await throttle.hit(Limit.COMPUTER, f"account:{program.id}")
    state, force = await assistance.hint(database, queue, run_id, program.id)
    return schemas.NuggetHint(force=force, hints=state.hints)


@router.post("/nugget/runs/{run_id:id}/finish", responses=problems(401, 403, 404, 409, 422, 429, 503))
async def finish(
    run_id: str,
    body: schemas.FinishRequest,
    program: PlayingProgram,
    database: DatabaseDep,
    queue: QueueDep,
    throttle: ThrottleDep,
) -> schemas.RunShown:
    """Have the computer solve the rest of the board. The run counts it, as it does hints."""
    await throttle.hit(Limit.COMPUTER, f"account:{program.id}")
    return schemas.RunShown.of(await assistance.finish(database, queue, run_id, program.id, body.version))


@router.post("/nugget/runs/{run_id:id}/fork", status_code=201, responses=problems(401, 403, 404, 409))
async def fork(
    run_id: str, body: schemas.Fork, program: PlayingProgram, database: DatabaseDep
) -> schemas.RunShown:
    """Begin another run at a board of this one."""
    async with database.transaction() as session:
        copy_id = await runs.fork(session, run_id, program.id, body.board)
        return schemas.RunShown.of(await runs.get(session, copy_id, program.id))


@router.post("/nugget/runs/{run_id:id}/submit", status_code=201, responses=problems(401, 403, 404, 409, 429))
async def submit_run(
    run_id: str,
    body: schemas.RunSubmission,
    program: PlayingProgram,
    database: DatabaseDep,
    bus: BusDep,
    throttle: ThrottleDep,
) -> schemas.EntryAccepted:
    """Submit the first boards of a run as an entry."""
    await throttle.hit(Limit.RECORD, f"account:{program.id}")
    async with database.transaction() as session:
        submitted = await entries.submit_run(session, program, run_id, body.boards, body.competition)
        accepted = await _accepted(session, submitted, program)
    announce(bus)
    return accepted


@router.get("/nugget/competitions")
async def all_competitions(database: DatabaseDep) -> list[schemas.CompetitionShown]:
    """List the competitions."""
    async with database.transaction() as session:
        return [schemas.CompetitionShown.of(found) for found in await competitions.everything(session)]


@router.get("/nugget/competitions/{competition_id:slug}/ranking", responses=problems(403, 404))
async def competition_ranking(
    competition_id: str,
    database: DatabaseDep,
    cursor: Cursor = "",
    limit: Limited = 50,
) -> schemas.RankingPage:
    """Give a page of a competition's ranking; 403 `sealed` until its end when its scores are."""
    async with database.transaction() as session:
        competition = await competitions.get(session, competition_id)
        return _page(await competitions.ranking(session, competition, cursor or None, limit))


async def _verdict(request: Request) -> Verdict:
    """Verify the record that a request carries, as text or JSON. Raises InvalidError for neither."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    try:
        if kind == "application/json":
            return verify(from_moves(schemas.Record.model_validate_json(body).boards))
        return verify_file(body)
    except ValidationError as error:
        told = "; ".join(fault["msg"] for fault in error.errors()[:5])
        raise InvalidError("invalid_request", f"That is not {{boards: [[move, …], …]}}. {told}") from None


async def _accepted(session: AsyncSession, submitted: Submitted, program: Identity) -> schemas.EntryAccepted:
    accepted = await entries.get(session, submitted.id, program.id)
    assert accepted.mean is not None
    return schemas.EntryAccepted(
        id=accepted.id,
        boards=accepted.mean.boards,
        moves=accepted.mean.moves,
        mean=schemas.MeanShown.model_validate(accepted.mean.as_json()),
        rank=submitted.rank,
        receipt=schemas.ReceiptShown.model_validate(asdict(accepted.links[0])),
    )


def _page(found: standings.Page) -> schemas.RankingPage:
    rows = [schemas.RankingRow.model_validate(row.as_dict()) for row in found.rows]
    return schemas.RankingPage(rows=rows, next=found.next)
