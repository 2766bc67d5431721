"""Checking and submitting records, and the page of each entry."""

import asyncio
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import File, Form, Query, Request, UploadFile
from markupsafe import Markup
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from app.core.errors import ConflictError, ForbiddenError, NotFoundError
from app.core.i18n.text import _
from app.core.web.cards import Cards, shared_picture
from app.core.web.deps import Part
from app.core.web.downloads import attachment, begun
from app.core.web.params import Cursor
from app.core.web.redirects import go
from app.core.web.render import page
from app.core.web.throttle import Limit, Throttle
from app.nugget import api, presenter
from app.nugget.accepting import RepeatedError, SubmittedEntry
from app.nugget.bounds.proven import start_bound
from app.nugget.commitments.queries import LATEST
from app.nugget.commitments.service import Commitments
from app.nugget.competitions import Competitions
from app.nugget.contents import board_at, boards_of, cycle_of, record_of
from app.nugget.drawing import bars, draw_still, film_of_board, picture_of
from app.nugget.entries import Entries
from app.nugget.forms import FormCompetition, QueryCompetition
from app.nugget.rankings import Rankings
from app.nugget.run_pages import Replayed, show_board
from app.nugget.tree.paths import node_name
from app.nugget.tree.reading import Tree
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import COMPUTING, counted_as
from app.people.identity.viewer import Sender, SignedIn, SignInDep, Viewer
from app.play.games.boards.board import Theme
from engine.golden_nugget.board import START
from engine.golden_nugget.entry import Verdict, verify_file
from engine.golden_nugget.record import MAX_BYTES, RecordUnreadable, decode, in_short, parse, to_text

router = page_router()

_LISTED = 100  # entries of a player
_DRAWN = 12  # problems whose boards are drawn below the list of them
_JSON_LINES = "application/jsonl"
_WITH_ACCOUNT = ("register", "login")
"""Where somebody without an account may go from the form for records, which is kept."""

RecordText = Annotated[str, Form(max_length=MAX_BYTES)]
_RankBefore = Annotated[int, Query(ge=1, lt=1 << 31)] | Literal["none"] | None


@router.get("/nugget/submit", dependencies=[COMPUTING])
async def submit_form(
    viewer: Viewer,
    entries: Part[Entries],
    competitions: Part[Competitions],
    competition: QueryCompetition = "",
) -> Response:
    """Show the form for records, with the record that was kept while its player registered."""
    draft = await entries.draft(viewer) if viewer else None
    if draft is None:
        return await _form(competitions, competition=competition)
    verdict = await asyncio.to_thread(verify_file, draft.record.encode())
    shown = await _shown(entries, viewer, draft.record, verdict, competition or draft.competition)
    return await _form(competitions, **shown)


@router.post("/nugget/submit")
async def submit(
    request: Request,
    viewer: Sender,
    sign_in: SignInDep,
    entries: Part[Entries],
    competitions: Part[Competitions],
    throttle: Part[Throttle],
    intent: Annotated[str, Form()] = "check",
    record: RecordText = "",
    file: Annotated[UploadFile | None, File()] = None,
    competition: FormCompetition = "",
) -> Response:
    """Check a record, or submit it as an entry; an invalid one is shown with all of its problems.

    That of somebody who wants to register or to log in first is kept until then, if it has any boards.
    """
    await throttle.hit(Limit.RECORD, counted_as(request, viewer))
    data = record.encode()
    if file is not None and file.filename:
        data = await file.read()
        record = _text_of_file(data)
    verdict = await asyncio.to_thread(verify_file, data)
    shown = await _shown(entries, viewer, record, verdict, competition)
    wants_account = intent in _WITH_ACCOUNT
    if wants_account and not data.strip():
        form = f"/nugget/submit?competition={competition}"
        return go(f"/{intent}?{urlencode({'next': form})}")
    may_go_on = verdict.valid or (wants_account and verdict.counts)
    if intent == "check" or not may_go_on:
        return await _form(competitions, **shown, status=200 if verdict.valid else 422)
    if wants_account or viewer is None or viewer.is_guest:
        guest = await sign_in.viewer_or_guest(viewer)
        await entries.keep_draft(guest, record, competition)
        return sign_in.finish(go(f"/{intent if wants_account else 'register'}?next=/nugget/submit"))
    try:
        accepted = _to_entry(await entries.submit(viewer, verdict, competition or None))
    except RepeatedError as repeated:
        accepted = go(repeated.page)
    except (ForbiddenError, ConflictError, NotFoundError) as refused:
        return await _form(competitions, **shown, status=refused.status, error=refused.message)
    await entries.drop_draft(viewer)
    return accepted


@router.post("/nugget/runs/{run_id:id}/submit")
async def submit_run(
    run_id: str,
    viewer: SignedIn,
    entries: Part[Entries],
    throttle: Part[Throttle],
    boards: Annotated[int, Form()],
    version: Annotated[int, Form(ge=0)],
    competition: FormCompetition = "",
) -> Response:
    """Submit the first boards of a run as an entry, at the version that the page shows."""
    await throttle.hit(Limit.RECORD, f"account:{viewer.id}")
    try:
        submitted = await entries.submit_run(viewer, run_id, boards, competition or None, version=version)
    except RepeatedError as repeated:
        return go(repeated.page)
    return _to_entry(submitted)


@router.get("/nugget/entries/{entry_id:id}", dependencies=[COMPUTING])
async def entry_page(
    entry_id: str,
    viewer: Viewer,
    entries: Part[Entries],
    rankings: Part[Rankings],
    tree: Part[Tree],
    before: _RankBefore = None,
) -> Response:
    """Show an entry: its figures, its receipts, and its owner's actions."""
    entry = await entries.get(entry_id, viewer.id if viewer else None)
    leader = next((row for row in await rankings.top(1) if row.entry_id != entry_id), None)
    cycle = await cycle_of(entry) if entry.record else None
    beginnings = await tree.beginnings_of(entry_id) if entry.counts else {}
    against = leader.counts if leader else ()
    chart = bars(entry.counts, against=against[: len(entry.counts)], cycle=cycle) if entry.counts else None
    return page(
        "pages/nugget_entry.html",
        entry=entry,
        start_bound=start_bound(),
        leader=leader,
        chart=chart,
        beginnings=beginnings,
        node_name=node_name,
        proven=presenter.proven(entry, beginnings),
        cycle=presenter.cycle(cycle),
        rank_label=presenter.rank_label(assisted=entry.assisted, common=entry.common),
        welcome=presenter.welcome(entry, before) if entry.is_mine and before is not None else "",
        secrecy=presenter.secrecy(entry),
        lineage=presenter.lineage(entry.lineage, assisted=entry.assisted, common=entry.common),
    )


@router.get("/nugget/entries/{entry_id:id}/card.png")
async def card(request: Request, entry_id: str, entries: Part[Entries], cards: Part[Cards]) -> Response:
    """Return a picture of an entry for links to it."""
    entry = await entries.outline(entry_id, None)
    figures = [f"{entry.mean.boards} boards", f"mean {entry.mean.text}"] if entry.mean else []
    return await cards.response(request, picture_of(START), ["Golden Nugget", entry.username, *figures])


@router.get("/nugget/entries/{entry_id:id}/record", dependencies=[COMPUTING])
async def record(entry_id: str, viewer: Viewer, entries: Part[Entries], form: str = "full") -> Response:
    """Download an entry's record, with full or short moves."""
    text = record_of(await entries.record(entry_id, viewer.id if viewer else None))
    if form == "short":
        text = to_text(in_short(parse(text).record))
    return PlainTextResponse(text, headers=attachment(f"golden-nugget-{entry_id}.txt"))


@router.get("/nugget/entries/{entry_id:id}/receipt")
async def receipt(entry_id: str, entries: Part[Entries]) -> Response:
    """Download an entry's receipts as lines of the ledger."""
    headers = attachment(f"receipt-{entry_id}.jsonl")
    return Response(await entries.receipt(entry_id), media_type=_JSON_LINES, headers=headers)


@router.get("/nugget/entries/{entry_id:id}/boards/{number:number}", dependencies=[COMPUTING])
async def board(
    entry_id: str,
    number: int,
    viewer: Viewer,
    entries: Part[Entries],
    tree: Part[Tree],
    move: int | None = None,
) -> Response:
    """Replay one board of an entry, at one of its moves."""
    entry = await entries.record(entry_id, viewer.id if viewer else None)
    boards = await boards_of(entry)
    play = board_at(boards, number)
    title, path = _("%(player)s's entry", player=entry.username), f"/nugget/entries/{entry_id}"
    beginning = await tree.beginning_of(entry_id, number)
    node = node_name(beginning.node) if beginning else ""
    replayed = Replayed(title, path, len(boards), play, may_be_reviewed=True, node=node)
    return show_board(replayed, move)


@router.get("/nugget/entries/{entry_id:id}/boards/{number:number}/film.svg", dependencies=[COMPUTING])
async def board_film(entry_id: str, number: int, entries: Part[Entries], theme: Theme = "system") -> Response:
    """Return a board of an entry that plays by itself."""
    play = board_at(await boards_of(await entries.record(entry_id, None)), number)
    drawn, _shown = await asyncio.to_thread(film_of_board, play, theme)
    return shared_picture(drawn)


@router.get("/nugget/players/{username}")
async def player(
    username: str,
    viewer: Viewer,
    entries: Part[Entries],
    commitments: Part[Commitments],
    cursor: Cursor = "",
) -> Response:
    """List the entries of a player, and the latest commitments."""
    name, submitted = await entries.of_player(username, viewer.id if viewer else None, cursor, _LISTED)
    return page(
        "pages/nugget_player.html",
        username=name,
        entries=submitted.rows,
        commitments=(await commitments.of_player(name, "", LATEST)).rows,
        cursor=cursor,
        next=submitted.next,
    )


@router.get("/nugget/ledger")
async def ledger(entries: Part[Entries]) -> Response:
    """Download the ledger."""
    headers = attachment("golden-nugget-ledger.jsonl")
    return StreamingResponse(await begun(entries.ledger()), media_type=_JSON_LINES, headers=headers)


def _text_of_file(data: bytes) -> str:
    """Return the text of a file to show in the form, "" if it is not a text."""
    try:
        return decode(data)
    except RecordUnreadable:
        return ""


async def _shown(
    entries: Entries, viewer: Identity | None, record: str, verdict: Verdict, competition: str
) -> dict[str, Any]:
    """Return what the page of the form shows of a record: its problems, or how it would rank."""
    shown: dict[str, Any] = {"record": record, "verdict": verdict, "competition": competition}
    if not verdict.valid:
        return {**shown, "drawings": _drawings(verdict)}
    rank, origin = await entries.preview(verdict, viewer.id if viewer else None)
    lineage = presenter.lineage(origin, assisted=origin.is_assisted, common=origin.is_common)
    return {**shown, "rank": rank, "origin": origin, "lineage": lineage}


async def _form(competitions: Competitions, *, status: int = 200, **context: Any) -> Response:
    """Return the page of the form, with the competitions that can be chosen."""
    blank: dict[str, Any] = {
        "record": "",
        "competition": "",
        "verdict": None,
        "rank": None,
        "origin": None,
        "lineage": None,
        "drawings": {},
        "error": "",
    }
    choices = await competitions.open()
    context = {**blank, "choices": choices, "problem_text": presenter.problem_text, **context}
    return page("pages/nugget_submit.html", status=status, **context)


def _drawings(verdict: Verdict) -> dict[int, Markup]:
    """Return drawings of the boards at the first problems that have one, by the problem's index."""
    positions = [
        (index, problem.position)
        for index, problem in enumerate(verdict.problems)
        if problem.position is not None
    ]
    return {index: draw_still(board) for index, board in positions[:_DRAWN]}


def _to_entry(submitted: SubmittedEntry) -> Response:
    """Return a redirect to an entry that was just accepted."""
    before = submitted.rank_before if submitted.rank_before is not None else "none"
    return go(f"/nugget/entries/{submitted.entry.id}?before={before}")


router.form("/nugget/entries/{entry_id:id}/publish", api.publish, then="/nugget/entries/{entry_id}")
router.form("/nugget/entries/{entry_id:id}/withdraw", api.withdraw, then="/nugget/entries/{entry_id}")
