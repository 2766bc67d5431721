"""Golden Nugget for programs: checking, entries, the ranking, runs and competitions."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Query, Request, Response
from pydantic import ValidationError

from app.core.errors import InvalidError
from app.core.i18n.text import Text
from app.core.web.bodies import OptionalBody, reference_to
from app.core.web.deps import Part
from app.core.web.errors import invalid_request
from app.core.web.params import PageDep, rows_and_link
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.core.web.throttle import Limit, Throttle
from app.nugget import schemas
from app.nugget.assistance import Assistance
from app.nugget.competitions import Competitions, CompetitionShown
from app.nugget.entries import Entries
from app.nugget.forms import CompetitionClosing, CompetitionTerms, QueryCompetition
from app.nugget.rankings import Rankings
from app.nugget.runs import RunListed, Runs
from app.nugget.standings import PERIODS, PLAYERS, name_of
from app.people.identity.devices import Person
from app.people.identity.throttled import (
    COMPUTING_FOR_PROGRAM,
    ChallengingProgram,
    SteppingProgram,
    asker_of,
    counted_as,
)
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, ClientDep, KnownProgram, PlayingProgram, Program
from engine.golden_nugget.entry import Verdict, verify, verify_file
from engine.golden_nugget.record import from_moves

router = Router(prefix="/api/v1", tags=["golden nugget"])

_RECORD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "text/plain": {
                "schema": {"type": "string", "format": "binary"},
                "example": "board 1: P7 54 L6\n",
            },
            "application/json": {"schema": reference_to(schemas.Record)},
        },
    }
}


@router.post("/nugget/check", openapi_extra={**_RECORD, **TOKEN_IS_OPTIONAL})
async def check(request: Request, program: Program, throttle: Part[Throttle]) -> schemas.VerdictShown:
    """Check a record and list all of its problems. Saves nothing and needs no account."""
    await throttle.hit(Limit.RECORD, counted_as(request, program))
    return schemas.VerdictShown.of(await _verdict(request))


@router.post(
    "/nugget/entries",
    status_code=201,
    responses=problems(404, 409),
    openapi_extra=_RECORD,
)
async def submit(
    request: Request,
    program: PlayingProgram,
    entries: Part[Entries],
    throttle: Part[Throttle],
    competition: QueryCompetition = "",
) -> schemas.EntryAccepted:
    """Submit a record as an entry. 422 `invalid_entry` lists its problems; 409 `known_record`.

    If the known record is your own, the problem has its `entry_id`.
    """
    await throttle.hit(Limit.RECORD, f"account:{program.id}")
    verdict = await _verdict(request)
    return schemas.EntryAccepted.of(await entries.submit(program, verdict, competition or None))


@router.get(
    "/nugget/entries/{entry_id:id}",
    openapi_extra=TOKEN_IS_OPTIONAL,
    dependencies=[COMPUTING_FOR_PROGRAM],
)
async def entry(entry_id: str, program: Program, entries: Part[Entries]) -> schemas.EntryShown:
    """Return an entry, its counts per board, and its moves if the reader may see them."""
    return schemas.EntryShown.of(await entries.get(entry_id, program.id if program else None))


@router.post("/nugget/entries/{entry_id:id}/publish", responses=problems(409))
async def publish(entry_id: str, program: SteppingProgram, entries: Part[Entries]) -> schemas.EntryShown:
    """Make an entry's moves public. This cannot be undone; 409 `sealed` before its competition's end."""
    return schemas.EntryShown.of(await entries.publish(entry_id, program.id))


@router.post("/nugget/entries/{entry_id:id}/withdraw", responses=problems(409))
async def withdraw(entry_id: str, program: SteppingProgram, entries: Part[Entries]) -> schemas.EntryShown:
    """Remove an entry from the rankings. This cannot be undone."""
    return schemas.EntryShown.of(await entries.withdraw(entry_id, program.id))


@router.get("/nugget/players/{username}/entries", openapi_extra=TOKEN_IS_OPTIONAL)
async def entries_of_player(
    username: str, program: Program, entries: Part[Entries], page: PageDep
) -> schemas.EntryList:
    """Return a page of a player's entries, the newest first, as the token's account sees them."""
    _name, listed = await entries.of_player(username, program.id if program else None, *page)
    return schemas.EntryList.of(listed)


@router.get("/leaderboards/golden_nugget")
async def ranking(
    rankings: Part[Rankings],
    page: PageDep,
    players: Annotated[str, Query(max_length=16, json_schema_extra={"enum": [*PLAYERS]})] = "everybody",
    period: Annotated[str, Query(max_length=16, json_schema_extra={"pattern": PERIODS})] = "all",
) -> schemas.RankingPage:
    """Return a page of a ranking.

    `players` is `everybody`, `people`, `computers`, `assisted` or `common`; `period` is `all`, a year or a
    length.
    """
    return schemas.RankingPage.of(await rankings.page(name_of(players, period), *page))


@router.get("/nugget/runs")
async def my_runs(program: KnownProgram, runs: Part[Runs]) -> list[RunListed]:
    """List the runs of the token's account, the last played first."""
    return await runs.of_account(program.id)


@router.post("/nugget/runs", status_code=201, responses=problems(409))
async def create_run(
    body: OptionalBody[schemas.NewRun], program: ChallengingProgram, runs: Part[Runs]
) -> schemas.RunShown:
    """Start a run."""
    return schemas.RunShown.of(await runs.create(program.id, body.name))


@router.get("/nugget/runs/{run_id:id}")
async def run(run_id: str, program: KnownProgram, runs: Part[Runs]) -> schemas.RunShown:
    """Return a run of the token's account."""
    return schemas.RunShown.of(await runs.get(run_id, program.id))


@router.put("/nugget/runs/{run_id:id}")
async def rename_run(
    run_id: str, body: schemas.RunRenamed, program: SteppingProgram, runs: Part[Runs]
) -> schemas.RunShown:
    """Rename a run."""
    await runs.rename(run_id, program.id, body.name)
    return schemas.RunShown.of(await runs.get(run_id, program.id))


@router.delete("/nugget/runs/{run_id:id}", status_code=204)
async def delete_run(run_id: str, program: SteppingProgram, runs: Part[Runs]) -> None:
    """Delete a run, but not the entries that were made from it."""
    await runs.delete(run_id, program.id)


@router.post("/nugget/runs/{run_id:id}/reopen")
async def reopen(run_id: str, program: SteppingProgram, runs: Part[Runs]) -> schemas.RunShown:
    """Go back to the previous board of a run, from one without moves: 422 `cannot_reopen`."""
    await runs.reopen(run_id, program.id)
    return schemas.RunShown.of(await runs.get(run_id, program.id))


@router.get("/nugget/runs/{run_id:id}/boards/{number:number}")
async def board_of_run(
    run_id: str, number: int, program: KnownProgram, runs: Part[Runs]
) -> schemas.RunBoardShown:
    """Return a board of a run of the token's account, with its moves."""
    _run, play = await runs.board(run_id, program.id, number)
    return schemas.RunBoardShown.of(play)


@router.post("/nugget/runs/{run_id:id}/commands", responses=problems(409))
async def act(
    run_id: str,
    body: schemas.RunCommands,
    program: PlayingProgram,
    runs: Part[Runs],
    throttle: Part[Throttle],
) -> schemas.RunShown:
    """Carry out commands in order. `refusal` says which one was refused first, and why.

    The same request again changes nothing, and has the same answer.
    """
    await throttle.hit(Limit.MOVE, f"account:{program.id}")
    state, refusal = await runs.act(run_id, program.id, body.commands, body.version, body.request_id)
    return schemas.RunShown.of(state, refusal)


@router.post("/nugget/runs/{run_id:id}/hint", responses=problems(409))
async def hint(
    request: Request,
    run_id: str,
    program: PlayingProgram,
    assistance: Part[Assistance],
    throttle: Part[Throttle],
) -> schemas.NuggetHint:
    """Suggest a good next move. The run counts it, and ranks among assisted entries afterwards.

    409 `stale_run` if the run changes meanwhile; the hint is not counted then.
    """
    await throttle.hit(Limit.COMPUTER, f"account:{program.id}")
    state, force = await assistance.hint(
        asker_of(request, program.id), Person(program.id), run_id, program.id
    )
    return schemas.NuggetHint(force=force, hints=state.hints)


@router.post("/nugget/runs/{run_id:id}/finish", responses=problems(409))
async def finish(
    request: Request,
    run_id: str,
    body: schemas.FinishRequest,
    program: PlayingProgram,
    assistance: Part[Assistance],
    throttle: Part[Throttle],
) -> schemas.RunShown:
    """Solve the rest of the board by the computer. The run counts it, as it does hints."""
    await throttle.hit(Limit.COMPUTER, f"account:{program.id}")
    asker = asker_of(request, program.id)
    finished = await assistance.finish(asker, Person(program.id), run_id, program.id, body.version)
    return schemas.RunShown.of(finished)


@router.post("/nugget/runs/{run_id:id}/fork", status_code=201, responses=problems(409))
async def fork(
    run_id: str, body: schemas.Fork, program: ChallengingProgram, runs: Part[Runs]
) -> schemas.RunShown:
    """Start a run that continues from a board of this one."""
    return schemas.RunShown.of(await runs.fork(run_id, program.id, body.board))


@router.post("/nugget/runs/{run_id:id}/submit", status_code=201, responses=problems(409))
async def submit_run(
    run_id: str,
    body: schemas.RunSubmission,
    program: PlayingProgram,
    entries: Part[Entries],
    throttle: Part[Throttle],
) -> schemas.EntryAccepted:
    """Submit the first boards of a run as an entry."""
    await throttle.hit(Limit.RECORD, f"account:{program.id}")
    submitted = await entries.submit_run(program, run_id, body.boards, body.competition, version=body.version)
    return schemas.EntryAccepted.of(submitted)


@router.get("/nugget/competitions")
async def list_competitions(
    request: Request, response: Response, competitions: Part[Competitions], page: PageDep
) -> Sequence[CompetitionShown]:
    """List the competitions: those that are open, those to come, and the last `limit` that are over.

    The header `Link` has the address of the next page, with earlier ones, as `rel="next"` (RFC 8288).
    """
    return rows_and_link(await competitions.listing(*page), request, response)


@router.get("/nugget/competitions/{competition_id:competition}")
async def competition(competition_id: str, competitions: Part[Competitions]) -> CompetitionShown:
    """Return a competition."""
    return await competitions.get(competition_id)


@router.post("/nugget/competitions", status_code=201, responses=problems(409))
async def create_competition(
    body: CompetitionTerms, program: SteppingProgram, competitions: Part[Competitions]
) -> CompetitionShown:
    """Create a competition; organisers only."""
    competition_id = await competitions.create(program.id, body)
    return await competitions.get(competition_id)


@router.put("/nugget/competitions/{competition_id:competition}", responses=problems(409))
async def change_competition(
    competition_id: str,
    body: CompetitionTerms,
    program: SteppingProgram,
    client: ClientDep,
    competitions: Part[Competitions],
) -> CompetitionShown:
    """Change your competition before its start."""
    await competitions.change(competition_id, program.id, lambda _stored: body, client)
    return await competitions.get(competition_id)


@router.post("/nugget/competitions/{competition_id:competition}/end", responses=problems(409))
async def end_competition(
    competition_id: str,
    body: CompetitionClosing,
    program: SteppingProgram,
    client: ClientDep,
    competitions: Part[Competitions],
) -> CompetitionShown:
    """End your open competition now; moderators may end any."""
    await competitions.end(competition_id, program, body.reason, client)
    return await competitions.get(competition_id)


@router.post("/nugget/competitions/{competition_id:competition}/cancel", responses=problems(409))
async def cancel_competition(
    competition_id: str,
    body: CompetitionClosing,
    program: SteppingProgram,
    client: ClientDep,
    competitions: Part[Competitions],
) -> CompetitionShown:
    """Cancel your competition, which cannot be undone; moderators may cancel any.

    409 `competition_over` after its end.
    """
    await competitions.cancel(competition_id, program, body.reason, client)
    return await competitions.get(competition_id)


@router.get("/nugget/competitions/{competition_id:competition}/ranking", responses=problems(403))
async def competition_ranking(
    competition_id: str, competitions: Part[Competitions], rankings: Part[Rankings], page: PageDep
) -> schemas.RankingPage:
    """Return a page of a competition's ranking; 403 `sealed` while its scores are secret."""
    return schemas.RankingPage.of(await rankings.page(await competitions.ranking_of(competition_id), *page))


async def _verdict(request: Request) -> Verdict:
    """Verify the record in a request, text or JSON. Raise InvalidError for JSON of another shape."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    if not body:
        raise InvalidError("invalid_request", Text("Send a record in the body, as text or as JSON."))
    if kind != "application/json":
        return await asyncio.to_thread(verify_file, body)
    try:
        boards = schemas.Record.model_validate_json(body).boards
    except ValidationError as error:
        raise invalid_request(error) from None
    return await asyncio.to_thread(lambda: verify(from_moves(boards)))
