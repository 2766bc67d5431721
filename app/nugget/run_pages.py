"""Playing runs: the board with its forces, the list of runs, forks, comparisons, boards to step through."""

from dataclasses import dataclass
from typing import Annotated, Any
from uuid import NAMESPACE_URL, UUID, uuid5

from fastapi import Form, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.core.errors import AppError, InvalidError
from app.core.i18n.reasons import reason_of
from app.core.i18n.text import _
from app.core.web.askers import asker_of
from app.core.web.deps import Part
from app.core.web.errors import answer
from app.core.web.params import QueryId
from app.core.web.redirects import go
from app.core.web.render import fragment, page, wants_htmx, wants_partial
from app.core.web.steps import steps
from app.core.web.throttle import Limit, Throttle
from app.nugget.assistance import Assistance
from app.nugget.competitions import Competitions
from app.nugget.drawing import bars, draw_live, draw_still, figures
from app.nugget.presenter import comparison
from app.nugget.rankings import Rankings
from app.nugget.runs import Runs, RunState, StaleRunError
from app.people.identity.pages import page_router
from app.people.identity.throttled import COMPUTING, Challenging, Stepping
from app.people.identity.viewer import SignedIn, SignInDep, Viewer
from engine.golden_nugget.board import MIN_BOARDS, MOVE_LIMIT
from engine.golden_nugget.play import Play
from engine.golden_nugget.ranking import best_prefix, mean_of

_STEPS = (_("Start of the board"), _("One move back"), _("One move on"), _("Solved board"))

router = page_router()
_TOP = 5


@dataclass(frozen=True, slots=True)
class Replayed:
    """A board to step through, and the run or entry it is part of: its title, path and number of boards."""

    title: str
    back: str
    boards: int
    play: Play
    may_be_reviewed: bool = False


def show_board(replayed: Replayed, move: int | None) -> HTMLResponse:
    """Show a board after `move` of its moves, None for all of them."""
    moves = replayed.play.made
    at = len(moves) if move is None else max(0, min(move, len(moves)))
    context: dict[str, Any] = {
        "replayed": replayed,
        "number": replayed.play.number,
        "base": f"{replayed.back}/boards",
        "moves": moves,
        "at": at,
        "steps": steps(at, len(moves), _STEPS),
        "drawing": draw_still(replayed.play.after(at)),
    }
    if wants_partial():
        return HTMLResponse(fragment("partials/nugget_replay.html", **context))
    return page("pages/nugget_replay.html", **context)


@router.get("/nugget")
async def home(viewer: Viewer, rankings: Part[Rankings], runs: Part[Runs]) -> Response:
    """Show the top of the ranking, the viewer's runs, and ways to start."""
    mine = await runs.of_account(viewer.id) if viewer else []
    return page("pages/nugget.html", rows=await rankings.top(_TOP), runs=mine, mean_of=mean_of)


@router.get("/rules/golden_nugget")
async def rules() -> Response:
    """Show the rules of Golden Nugget."""
    return page("pages/rules_golden_nugget.html", figures=figures())


@router.post("/nugget/runs")
async def create(viewer: Viewer, sign_in: SignInDep, runs: Part[Runs]) -> Response:
    """Start a run; anonymous visitors become guests."""
    account = await sign_in.limited(viewer, Limit.CHALLENGE)
    run = await runs.create(account.id)
    return sign_in.finish(go(f"/nugget/runs/{run.id}"))


@router.get("/nugget/runs/{run_id:id}", dependencies=[COMPUTING])
async def show(
    run_id: str,
    viewer: SignedIn,
    runs: Part[Runs],
    rankings: Part[Rankings],
    competitions: Part[Competitions],
) -> Response:
    """Show a run at the board in play."""
    context = await _context(rankings, await runs.get(run_id, viewer.id))
    choices = await competitions.open() if context["best"] else []
    return page("pages/nugget_run.html", choices=choices, **context)


@router.post("/nugget/runs/{run_id:id}/commands")
async def act(
    run_id: str,
    viewer: SignedIn,
    runs: Part[Runs],
    rankings: Part[Rankings],
    competitions: Part[Competitions],
    throttle: Part[Throttle],
    commands: Annotated[str, Form(max_length=600)],
    version: Annotated[int, Form(ge=0)],
    request_id: Annotated[UUID, Form()],
) -> Response:
    """Carry out commands, separated by spaces, in order; each is saved before the response."""
    await throttle.hit(Limit.MOVE, f"account:{viewer.id}")
    stale = None
    try:
        state, refusal = await runs.act(run_id, viewer.id, commands.split(), version, request_id)
    except StaleRunError as error:
        state, refusal, stale = error.state, None, error
    problem: AppError | None = stale
    if refusal is not None:
        problem = InvalidError(refusal.reason, reason_of(refusal))
    if not wants_htmx():
        if problem is not None:
            return answer(problem)
        return RedirectResponse(f"/nugget/runs/{run_id}", 303)
    context = await _context(rankings, state)
    html = fragment("partials/nugget_play.html", **context)
    if state.play.is_solved or not state.play.made or stale:  # the solved boards may have changed
        choices = await competitions.open() if context["best"] else []
        html += fragment("partials/nugget_progress.html", choices=choices, viewer=viewer, **context)
    if problem is not None:
        html += fragment("partials/notice.html", message=problem.message)
    return HTMLResponse(html, 409 if stale else 200)


@router.post("/nugget/runs/{run_id:id}/hint")
async def hint(
    request: Request,
    run_id: str,
    viewer: SignedIn,
    assistance: Part[Assistance],
    rankings: Part[Rankings],
    throttle: Part[Throttle],
) -> Response:
    """Suggest a good next move; the run counts it."""
    await throttle.hit(Limit.COMPUTER, f"account:{viewer.id}")
    state, force = await assistance.hint(asker_of(request, viewer.id), run_id, viewer.id)
    context = await _context(rankings, state, hint=force)
    if wants_htmx():
        return HTMLResponse(fragment("partials/nugget_hint_update.html", **context))
    return page("pages/nugget_run.html", choices=[], **context)


@router.post("/nugget/runs/{run_id:id}/finish")
async def finish(
    request: Request,
    run_id: str,
    viewer: SignedIn,
    assistance: Part[Assistance],
    throttle: Part[Throttle],
    version: Annotated[int, Form(ge=0)],
) -> Response:
    """Solve the rest of the board by the computer; the run counts it."""
    await throttle.hit(Limit.COMPUTER, f"account:{viewer.id}")
    await assistance.finish(asker_of(request, viewer.id), run_id, viewer.id, version)
    return go(f"/nugget/runs/{run_id}")


@router.post("/nugget/runs/{run_id:id}/reopen")
async def reopen(run_id: str, viewer: Stepping, runs: Part[Runs]) -> Response:
    """Go back from a board without moves to the previous one."""
    await runs.reopen(run_id, viewer.id)
    return go(f"/nugget/runs/{run_id}")


@router.post("/nugget/runs/{run_id:id}/fork")
async def fork(run_id: str, viewer: Challenging, runs: Part[Runs], board: Annotated[int, Form()]) -> Response:
    """Start a run that continues from a board of this one."""
    copy = await runs.fork(run_id, viewer.id, board)
    return go(f"/nugget/runs/{copy.id}")


@router.post("/nugget/runs/{run_id:id}/name")
async def rename(
    run_id: str, viewer: Stepping, runs: Part[Runs], name: Annotated[str, Form(max_length=200)]
) -> Response:
    """Rename the run."""
    await runs.rename(run_id, viewer.id, name)
    return go(f"/nugget/runs/{run_id}")


@router.post("/nugget/runs/{run_id:id}/throw-away")
async def delete(run_id: str, viewer: Stepping, runs: Part[Runs]) -> Response:
    """Delete the run."""
    await runs.delete(run_id, viewer.id)
    return go("/nugget")


@router.get("/nugget/runs/{run_id:id}/boards/{number:number}")
async def board(
    run_id: str, number: int, viewer: SignedIn, runs: Part[Runs], move: int | None = None
) -> Response:
    """Replay one board of a run, at one of its moves."""
    run, play = await runs.board(run_id, viewer.id, number)
    return show_board(Replayed(run.name, f"/nugget/runs/{run_id}", run.play.number, play), move)


@router.get("/nugget/compare")
async def compare(viewer: SignedIn, runs: Part[Runs], a: QueryId = "", b: QueryId = "") -> Response:
    """Compare two runs of the viewer board by board."""
    mine = await runs.of_account(viewer.id)
    pair = [await runs.get(run_id, viewer.id) for run_id in (a, b) if run_id]
    chart = None
    if len(pair) == 2 and any(run.solved_counts for run in pair):
        chart = bars(pair[0].solved_counts, against=pair[1].solved_counts)
    return page(
        "pages/nugget_compare.html",
        choices=[(run.id, run.name) for run in mine],
        pair=pair,
        rows=comparison(pair),
        chart=chart,
        chosen=(a, b),
    )


async def _context(rankings: Rankings, run: RunState, hint: str = "") -> dict[str, Any]:
    """Return what the play fragment shows of a run; `hint` is the force that the computer suggests."""
    counts = run.solved_counts
    best = best_prefix(counts)
    return {
        "run": run,
        "play": run.play,
        "drawing": draw_live(run.play.board),
        "most_moves": MOVE_LIMIT,
        "mean": mean_of(counts) if counts else None,
        "rank": await rankings.rank_of(counts[:best], assisted=run.is_assisted) if best else None,
        "best": best,
        "hint": hint,
        "least_boards": MIN_BOARDS,
        "request_id": uuid5(NAMESPACE_URL, f"gorrion:nugget:{run.id}:{run.version}"),
    }
