"""Checking and submitting records, and the page of each entry."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Request, UploadFile
from markupsafe import Markup
from starlette.responses import PlainTextResponse, Response

from app.errors import ConflictError, ForbiddenError, NotFoundError
from app.identity.service import find
from app.identity.viewer import SignedIn, Viewer
from app.nugget import charts, competitions, entries, ledger, standings
from app.nugget.drawing import draw_still
from app.nugget.entries import Submitted, announce
from app.nugget.pages.replay import Replayed, show_board
from app.web.deps import BusDep, DatabaseDep, ThrottleDep
from app.web.downloads import attachment
from app.web.params import FormSlug
from app.web.redirects import go
from app.web.render import page
from app.web.throttle import Limit, address
from engine.golden_nugget.board import START, Board, Move, push, turn
from engine.golden_nugget.entry import Verdict, verify_file
from engine.golden_nugget.play import Play
from engine.golden_nugget.record import MAX_BYTES, in_short, parse, to_text

router = APIRouter()

_DRAWN = 12  # problems whose boards are drawn below the list of them

RecordText = Annotated[str, Form(max_length=MAX_BYTES)]


@router.get("/nugget/submit")
async def submit_form(request: Request, database: DatabaseDep) -> Response:
    """Show the form to which records are pasted."""
    return page(request, "pages/nugget_submit.html", **await _form(database))


@router.post("/nugget/submit")
async def submit(
    request: Request,
    viewer: Viewer,
    database: DatabaseDep,
    bus: BusDep,
    throttle: ThrottleDep,
    intent: Annotated[str, Form()] = "check",
    record: RecordText = "",
    file: Annotated[UploadFile | None, File()] = None,
    competition: FormSlug = "",
) -> Response:
    """Check a record, or submit it as an entry; a wrong one gets all of its problems."""
    await throttle.hit(Limit.RECORD, f"account:{viewer.id}" if viewer else address(request))
    data = await file.read() if file is not None and file.filename else record.encode()
    verdict = verify_file(data)
    text = data.decode(errors="replace") if verdict.record.boards else ""
    shown = {"record": text, "verdict": verdict, "competition": competition}
    if intent == "check" or not verdict.valid:
        async with database.transaction() as session:
            rank = await standings.rank_of(session, verdict.counts) if verdict.valid else None
        form = await _form(database, **shown, rank=rank, drawings=_drawings(verdict))
        return page(request, "pages/nugget_submit.html", status=200 if verdict.valid else 422, **form)
    if viewer is None:
        form = await _form(database, **shown, error="Entries need a name. Log in or register first.")
        return page(request, "pages/nugget_submit.html", status=403, **form)
    try:
        async with database.transaction() as session:
            submitted = await entries.submit(session, viewer, verdict, competition or None)
    except (ForbiddenError, ConflictError, NotFoundError) as error:
        form = await _form(database, **shown, error=error.message)
        return page(request, "pages/nugget_submit.html", status=error.status, **form)
    announce(bus)
    return _receipt(request, submitted)


@router.post("/nugget/runs/{run_id:id}/submit")
async def submit_run(
    request: Request,
    run_id: str,
    viewer: SignedIn,
    database: DatabaseDep,
    bus: BusDep,
    throttle: ThrottleDep,
    boards: Annotated[int, Form()],
    competition: FormSlug = "",
) -> Response:
    """Submit the first boards of a run as an entry."""
    await throttle.hit(Limit.RECORD, f"account:{viewer.id}")
    async with database.transaction() as session:
        submitted = await entries.submit_run(session, viewer, run_id, boards, competition or None)
    announce(bus)
    return _receipt(request, submitted)


@router.get("/nugget/entries/{entry_id:id}")
async def show(
    request: Request, entry_id: str, viewer: Viewer, database: DatabaseDep, before: str = ""
) -> Response:
    """Show an entry: its figures, its receipts, and what its owner may do with it."""
    async with database.transaction() as session:
        await standings.release(session)
        entry = await entries.get(session, entry_id, viewer.id if viewer else None)
        top = await standings.page(session, standings.WORLD, None, 1)
    leader = top.rows[0] if top.rows and top.rows[0].entry_id != entry_id else None
    chart = charts.bars(entry.counts, against=leader.counts if leader else None) if entry.counts else None
    return page(
        request,
        "pages/nugget_entry.html",
        entry=entry,
        leader=leader,
        chart=chart,
        before=before if before.isdecimal() else "",
        is_new=bool(before),
    )


@router.get("/nugget/entries/{entry_id:id}/record")
async def record(entry_id: str, viewer: Viewer, database: DatabaseDep, form: str = "full") -> Response:
    """Download an entry's record, with full or short moves."""
    async with database.transaction() as session:
        entry = await entries.get(session, entry_id, viewer.id if viewer else None)
    if entry.record is None:
        raise ForbiddenError("not_published", "The moves of this entry are its player's secret so far.")
    text = entry.record if form != "short" else to_text(in_short(parse(entry.record).record))
    return PlainTextResponse(text, headers=attachment(f"golden-nugget-{entry_id}.txt"))


@router.get("/nugget/entries/{entry_id:id}/receipt")
async def receipt(entry_id: str, viewer: Viewer, database: DatabaseDep) -> Response:
    """Download an entry's receipts as lines of the ledger."""
    async with database.transaction() as session:
        await entries.get(session, entry_id, viewer.id if viewer else None)
        lines = await ledger.lines(session, entry_id)
    return PlainTextResponse(
        lines, media_type="application/jsonl", headers=attachment(f"receipt-{entry_id}.jsonl")
    )


@router.get("/nugget/entries/{entry_id:id}/boards/{number:number}")
async def board(
    request: Request,
    entry_id: str,
    number: int,
    viewer: Viewer,
    database: DatabaseDep,
    move: int | None = None,
) -> Response:
    """Replay one board of an entry, at a move of it."""
    async with database.transaction() as session:
        entry = await entries.get(session, entry_id, viewer.id if viewer else None)
    if entry.record is None:
        raise ForbiddenError("not_published", "The moves of this entry are its player's secret so far.")
    boards = entries.moves_in(entry.record)
    if not 1 <= number <= len(boards):
        raise NotFoundError("board")
    play = Play(number, _start(boards[: number - 1]), boards[number - 1])
    path = f"/nugget/entries/{entry_id}"
    return show_board(request, Replayed(f"{entry.username}'s entry", path, len(boards), play), move)


@router.post("/nugget/entries/{entry_id:id}/publish")
async def publish(
    request: Request, entry_id: str, viewer: SignedIn, database: DatabaseDep, bus: BusDep
) -> Response:
    """Show the moves to everybody, for good."""
    async with database.transaction() as session:
        await entries.publish(session, entry_id, viewer.id)
    announce(bus)
    return go(request, f"/nugget/entries/{entry_id}")


@router.post("/nugget/entries/{entry_id:id}/withdraw")
async def withdraw(
    request: Request, entry_id: str, viewer: SignedIn, database: DatabaseDep, bus: BusDep
) -> Response:
    """Take the entry out of the rankings, for good."""
    async with database.transaction() as session:
        await entries.withdraw(session, entry_id, viewer.id)
    announce(bus)
    return go(request, f"/nugget/entries/{entry_id}")


@router.get("/nugget/players/{username}")
async def player(request: Request, username: str, viewer: Viewer, database: DatabaseDep) -> Response:
    """List the entries of a player."""
    async with database.transaction() as session:
        await standings.release(session)
        account = await find(session, username)
        if account is None:
            raise NotFoundError("player")
        found = await entries.of_account(session, account.id, viewer.id if viewer else None)
    return page(request, "pages/nugget_player.html", username=account.username, entries=found)


@router.get("/nugget/ledger")
async def whole_ledger(database: DatabaseDep) -> Response:
    """Download the ledger."""
    async with database.transaction() as session:
        lines = await ledger.lines(session)
    return PlainTextResponse(
        lines, media_type="application/jsonl", headers=attachment("golden-nugget-ledger.jsonl")
    )


async def _form(database: DatabaseDep, **given: Any) -> dict[str, Any]:
    """Give what the page of the form shows, the open competitions among it."""
    async with database.transaction() as session:
        choices = await competitions.running(session)
    nothing: dict[str, Any] = {"record": "", "verdict": None, "rank": None, "drawings": {}, "error": ""}
    return {"choices": choices, "competition": "", **nothing, **given}


def _drawings(verdict: Verdict) -> dict[int, Markup]:
    """Draw the boards at the first problems that a replay reaches, by the problem's place in the list."""
    reached = [
        (place, problem.position)
        for place, problem in enumerate(verdict.problems)
        if problem.position is not None
    ]
    return {place: draw_still(board) for place, board in reached[:_DRAWN]}


def _start(boards: Sequence[Sequence[Move]]) -> Board:
    """Give the start of the board that follows these."""
    board = START
    for moves in boards:
        for made in moves:
            board, _ = push(board, made.force)
        board = turn(board)
    return board


def _receipt(request: Request, submitted: Submitted) -> Response:
    before = submitted.rank_before if submitted.rank_before is not None else "none"
    return go(request, f"/nugget/entries/{submitted.id}?before={before}")
