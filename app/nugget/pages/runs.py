"""Playing runs: the board with its forces, the list of runs, forks and comparisons."""

from typing import Annotated, Any
from uuid import NAMESPACE_URL, UUID, uuid5

from fastapi import APIRouter, Form, Request
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.errors import InvalidError
from app.identity.viewer import SignedIn, SignInDep, Viewer
from app.nugget import assistance, charts, competitions, runs, standings
from app.nugget.drawing import draw_live, figures
from app.nugget.pages.replay import Replayed, show_board
from app.nugget.runs import RunState, StaleRunError
from app.web.deps import DatabaseDep, QueueDep, ThrottleDep
from app.web.errors import answer
from app.web.params import QueryId
from app.web.redirects import go
from app.web.render import fragment, page, wants_htmx
from app.web.throttle import Limit
from engine.golden_nugget.board import MIN_BOARDS, MOVE_LIMIT
from engine.golden_nugget.ranking import best_prefix, mean_of

router = APIRouter()


@router.get("/nugget")
async def home(request: Request, viewer: Viewer, database: DatabaseDep) -> Response:
    """Show the ranking's top, the viewer's runs and entries, and ways to begin."""
    async with database.transaction() as session:
        await standings.release(session)
        top = await standings.page(session, standings.WORLD, None, 5)
        mine = await runs.of_account(session, viewer.id) if viewer else []
    return page(request, "pages/nugget.html", rows=top.rows, runs=mine, mean_of=mean_of)


@router.get("/rules/golden_nugget")
async def rules(request: Request) -> Response:
    """Show the rules of Golden Nugget."""
    return page(request, "pages/rules_golden_nugget.html", figures=figures())


@router.post("/nugget/runs")
async def begin(
    request: Request, viewer: Viewer, sign_in: SignInDep, database: DatabaseDep, throttle: ThrottleDep
) -> Response:
    """Begin a run; who is nobody yet becomes a guest."""
    account = await sign_in.viewer_or_guest(viewer)
    await throttle.hit(Limit.CHALLENGE, f"account:{account.id}")
    async with database.transaction() as session:
        run_id = await runs.create(session, account.id)
    return sign_in.finish(go(request, f"/nugget/runs/{run_id}"))


@router.get("/nugget/runs/{run_id:id}")
async def show(request: Request, run_id: str, viewer: SignedIn, database: DatabaseDep) -> Response:
    """Show a run at its board."""
    async with database.transaction() as session:
        state = await runs.get(session, run_id, viewer.id)
        context = await _context(session, state)
        choices = await competitions.running(session) if context["best"] else []
    return page(request, "pages/nugget_run.html", choices=choices, **context)


@router.post("/nugget/runs/{run_id:id}/commands")
async def command(
    request: Request,
    run_id: str,
    viewer: SignedIn,
    database: DatabaseDep,
    throttle: ThrottleDep,
    commands: Annotated[str, Form(max_length=600)],
    version: Annotated[int, Form(ge=0)],
    request_id: Annotated[UUID, Form()],
) -> Response:
    """Carry out commands, separated by spaces, in order; each is saved before the answer."""
    await throttle.hit(Limit.MOVE, f"account:{viewer.id}")
    stale = None
    try:
        async with database.transaction() as session:
            state, refusal = await runs.act(session, run_id, viewer.id, commands.split(), version, request_id)
    except StaleRunError as error:
        state, refusal, stale = error.state, None, error
    if not wants_htmx(request):
        if stale is not None:
            return answer(request, stale)
        if refusal is not None:
            return answer(request, InvalidError(refusal.reason, str(refusal)))
        return RedirectResponse(f"/nugget/runs/{run_id}", 303)
    async with database.transaction() as session:
        html = fragment("partials/nugget_play.html", **await _context(session, state))
    if problem := stale or refusal:
        html += fragment("partials/notice.html", message=str(problem))
    return HTMLResponse(html, 409 if stale else 200)


@router.post("/nugget/runs/{run_id:id}/hint")
async def hint(
    request: Request,
    run_id: str,
    viewer: SignedIn,
    database: DatabaseDep,
    queue: QueueDep,
    throttle: ThrottleDep,
) -> Response:
    """Name a good next move; the run counts it."""
    await throttle.hit(Limit.COMPUTER, f"account:{viewer.id}")
    state, force = await assistance.hint(database, queue, run_id, viewer.id)
    async with database.transaction() as session:
        context = await _context(session, state, hint=force)
    if wants_htmx(request):
        return HTMLResponse(fragment("partials/nugget_play.html", **context))
    return page(request, "pages/nugget_run.html", choices=[], **context)


@router.post("/nugget/runs/{run_id:id}/finish")
async def finish(
    request: Request,
    run_id: str,
    viewer: SignedIn,
    database: DatabaseDep,
    queue: QueueDep,
    throttle: ThrottleDep,
    version: Annotated[int, Form(ge=0)],
) -> Response:
    """Have the computer solve the rest of the board; the run counts it."""
    await throttle.hit(Limit.COMPUTER, f"account:{viewer.id}")
    await assistance.finish(database, queue, run_id, viewer.id, version)
    return go(request, f"/nugget/runs/{run_id}")


@router.post("/nugget/runs/{run_id:id}/reopen")
async def reopen(request: Request, run_id: str, viewer: SignedIn, database: DatabaseDep) -> Response:
    """Go back from a board without moves to the one before."""
    async with database.transaction() as session:
        await runs.reopen(session, run_id, viewer.id)
    return go(request, f"/nugget/runs/{run_id}")


@router.post("/nugget/runs/{run_id:id}/fork")
async def fork(
    request: Request, run_id: str, viewer: SignedIn, database: DatabaseDep, board: Annotated[int, Form()]
) -> Response:
    """Begin another run at a board of this one."""
    async with database.transaction() as session:
        copy_id = await runs.fork(session, run_id, viewer.id, board)
    return go(request, f"/nugget/runs/{copy_id}")


@router.post("/nugget/runs/{run_id:id}/name")
async def rename(
    request: Request,
    run_id: str,
    viewer: SignedIn,
    database: DatabaseDep,
    name: Annotated[str, Form(max_length=200)],
) -> Response:
    """Give the run another name."""
    async with database.transaction() as session:
        await runs.rename(session, run_id, viewer.id, name)
    return go(request, f"/nugget/runs/{run_id}")


@router.post("/nugget/runs/{run_id:id}/throw-away")
async def throw_away(request: Request, run_id: str, viewer: SignedIn, database: DatabaseDep) -> Response:
    """Delete the run."""
    async with database.transaction() as session:
        await runs.throw_away(session, run_id, viewer.id)
    return go(request, "/nugget")


@router.get("/nugget/runs/{run_id:id}/boards/{number:number}")
async def board(
    request: Request,
    run_id: str,
    number: int,
    viewer: SignedIn,
    database: DatabaseDep,
    move: int | None = None,
) -> Response:
    """Replay one board of a run, at a move of it."""
    async with database.transaction() as session:
        state = await runs.get(session, run_id, viewer.id)
        play = await runs.board(session, run_id, number)
    return show_board(request, Replayed(state.name, f"/nugget/runs/{run_id}", state.play.number, play), move)


@router.get("/nugget/compare")
async def compare(
    request: Request, viewer: SignedIn, database: DatabaseDep, a: QueryId = "", b: QueryId = ""
) -> Response:
    """Compare two runs of the viewer board by board."""
    async with database.transaction() as session:
        mine = await runs.of_account(session, viewer.id)
        pair = [(await runs.get(session, run_id, viewer.id)) for run_id in (a, b) if run_id]
    chart = None
    if len(pair) == 2:
        chart = charts.bars(pair[0].solved_counts, against=pair[1].solved_counts)
    return page(
        request,
        "pages/nugget_compare.html",
        runs=mine,
        pair=pair,
        chart=chart,
        mean_of=mean_of,
        chosen=(a, b),
    )


async def _context(session: AsyncSession, state: RunState, hint: str = "") -> dict[str, Any]:
    """Give what the play fragment shows of a run; `hint` is the force that the computer named."""
    counts = state.solved_counts
    best = best_prefix(counts)
    world = standings.ASSISTED if state.is_assisted else standings.WORLD
    return {
        "run": state,
        "play": state.play,
        "drawing": draw_live(state.play.board),
        "most_moves": MOVE_LIMIT,
        "mean": mean_of(counts) if counts else None,
        "rank": await standings.rank_of(session, counts[:best], world) if best else None,
        "best": best,
        "hint": hint,
        "least_boards": MIN_BOARDS,
        "request_id": uuid5(NAMESPACE_URL, f"gorrion:nugget:{state.id}:{state.version}"),
    }
