"""Playing runs: the board with its forces, the list of runs, forks, comparisons, boards to step through."""

from dataclasses import dataclass
from typing import Annotated, Any
from uuid import NAMESPACE_URL, UUID, uuid5

from fastapi import Form, Request
from starlette.responses import HTMLResponse, Response

from app.core.i18n.formats import decimal
from app.core.i18n.text import Text, _
from app.core.web.cards import sample_picture
from app.core.web.deps import Part
from app.core.web.filters import shown_name
from app.core.web.params import QueryId
from app.core.web.redirects import go
from app.core.web.render import fragment, page, wants_htmx, wants_partial
from app.core.web.steps import steps
from app.core.web.throttle import Limit, Throttle
from app.nugget import api, standings
from app.nugget.answers import answered
from app.nugget.assistance import Assistance
from app.nugget.competitions import Competitions, CompetitionShown
from app.nugget.drawing import bars, draw_live, draw_still, figures, sample_film, sample_still
from app.nugget.entries import Entries
from app.nugget.presenter import comparison, rank_label, ranking_table
from app.nugget.rankings import Rankings
from app.nugget.records.reading import Records
from app.nugget.runs import Runs, RunState, StaleRunError
from app.people.identity.pages import page_router
from app.people.identity.throttled import COMPUTING, asker_of
from app.people.identity.viewer import PersonDep, SignedIn, SignInDep, Viewer
from engine.golden_nugget.board import MIN_BOARDS, MOVE_LIMIT, START
from engine.golden_nugget.play import Play
from engine.golden_nugget.ranking import Mean, best_prefix, mean_of

_STEPS = (_("Start of the board"), _("One move back"), _("One move on"), _("Solved board"))

router = page_router()
_TOP = 5


@dataclass(frozen=True, slots=True)
class Replayed:
    """A board to step through, and the run or entry it is part of: its title, path and number of boards.

    `node` is the node of the tree at which it begins, "" if it is in none.
    """

    title: str
    back: str
    boards: int
    play: Play
    may_be_reviewed: bool = False
    node: str = ""


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
async def home(
    viewer: Viewer, rankings: Part[Rankings], runs: Part[Runs], entries: Part[Entries]
) -> Response:
    """Show a board that the leader plays, the figures to beat, the viewer's runs, and ways to start."""
    people, computers = await rankings.top(_TOP), await rankings.top(1, standings.COMPUTERS)
    return page(
        "pages/nugget.html",
        rows=people,
        ranking_table=ranking_table,
        computer=next(iter(computers), None),
        shown=await entries.shown((*people, *computers)),
        drawing=draw_still(START),
        own=await rankings.row_of(standings.PEOPLE, viewer.id) if viewer else None,
        runs=await runs.of_account(viewer.id) if viewer else [],
        mean_of=mean_of,
    )


@router.get("/rules/golden_nugget")
async def rules() -> Response:
    """Show the rules of Golden Nugget."""
    return page("pages/rules_golden_nugget.html", figures=figures())


@router.get("/rules/golden_nugget/film.svg")
async def film(request: Request) -> Response:
    """Return how a board is solved, push by push."""
    return sample_picture(request, sample_film())


@router.get("/rules/golden_nugget/still.svg")
async def still(request: Request) -> Response:
    """Return a solved board."""
    return sample_picture(request, sample_still())


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
    records: Part[Records],
    competitions: Part[Competitions],
) -> Response:
    """Show a run at the board in play."""
    context = await _context(rankings, records, await runs.get(run_id, viewer.id))
    return page("pages/nugget_run.html", choices=await _choices(competitions, context["run"]), **context)


@router.post("/nugget/runs/{run_id:id}/commands")
async def act(
    run_id: str,
    viewer: SignedIn,
    runs: Part[Runs],
    rankings: Part[Rankings],
    records: Part[Records],
    competitions: Part[Competitions],
    throttle: Part[Throttle],
    commands: Annotated[str, Form(max_length=600)],
    version: Annotated[int, Form(ge=0)],
    request_id: Annotated[UUID, Form()],
) -> Response:
    """Carry out commands, separated by spaces, in order; each is saved before the response."""
    await throttle.hit(Limit.MOVE, f"account:{viewer.id}")
    refusal, stale = None, None
    try:
        state, refusal = await runs.act(run_id, viewer.id, commands.split(), version, request_id)
    except StaleRunError as error:
        state, stale = error.state, error
    problem = stale or (refusal.problem if refusal else None)

    async def draw() -> str:
        context = await _context(rankings, records, state)
        html = fragment("partials/nugget_play.html", **context)
        if state.play.is_solved or not state.play.made or stale:  # the solved boards may have changed
            choices = await _choices(competitions, state)
            html += fragment("partials/nugget_progress.html", choices=choices, viewer=viewer, **context)
        elif context["best"]:
            html += fragment("partials/nugget_version.html", run=state)
        return html

    return await answered(problem, f"/nugget/runs/{run_id}", draw)


@router.post("/nugget/runs/{run_id:id}/hint")
async def hint(
    request: Request,
    run_id: str,
    viewer: SignedIn,
    person: PersonDep,
    assistance: Part[Assistance],
    rankings: Part[Rankings],
    records: Part[Records],
    throttle: Part[Throttle],
) -> Response:
    """Suggest a good next move; the run counts it."""
    await throttle.hit(Limit.COMPUTER, f"account:{viewer.id}")
    try:
        state, force = await assistance.hint(asker_of(request, viewer.id), person, run_id, viewer.id)
    except StaleRunError as stale:
        changed = stale.state

        async def draw() -> str:
            context = await _context(rankings, records, changed)
            return fragment("partials/nugget_hint_update.html", **context)

        return await answered(stale, f"/nugget/runs/{run_id}", draw)
    context = await _context(rankings, records, state, hint=force)
    if wants_htmx():
        return HTMLResponse(fragment("partials/nugget_hint_update.html", **context))
    return page("pages/nugget_run.html", choices=[], **context)


@router.post("/nugget/runs/{run_id:id}/finish")
async def finish(
    request: Request,
    run_id: str,
    viewer: SignedIn,
    person: PersonDep,
    assistance: Part[Assistance],
    throttle: Part[Throttle],
    version: Annotated[int, Form(ge=0)],
) -> Response:
    """Solve the rest of the board by the computer; the run counts it."""
    await throttle.hit(Limit.COMPUTER, f"account:{viewer.id}")
    await assistance.finish(asker_of(request, viewer.id), person, run_id, viewer.id, version)
    return go(f"/nugget/runs/{run_id}")


@router.get("/nugget/runs/{run_id:id}/boards/{number:number}")
async def board(
    run_id: str, number: int, viewer: SignedIn, runs: Part[Runs], move: int | None = None
) -> Response:
    """Replay one board of a run, at one of its moves."""
    run, play = await runs.board(run_id, viewer.id, number)
    return show_board(Replayed(run.name, f"/nugget/runs/{run_id}", run.play.number, play), move)


@router.get("/nugget/compare")
async def compare(
    viewer: SignedIn,
    runs: Part[Runs],
    entries: Part[Entries],
    rankings: Part[Rankings],
    a: QueryId = "",
    b: QueryId = "",
) -> Response:
    """Compare two runs of the viewer board by board, or a run with an entry."""
    names = {run.id: run.name for run in await runs.of_account(viewer.id)}
    leaders = {row.entry_id: _series_name(row.username, row.mean) for row in await rankings.top(_TOP)}
    pair: list[tuple[str, tuple[int, ...]]] = []
    for each in filter(None, (a, b)):
        if each in names:
            pair.append((names[each], (await runs.get(each, viewer.id)).solved_counts))
        else:
            username, moves = await entries.counts_of(each, viewer.id)
            leaders[each] = _series_name(username, mean_of(moves))
            pair.append((leaders[each], moves))
    counts = [moves for _name, moves in pair]
    others = [*(leaders or list(names)[1:]), ""]
    return page(
        "pages/nugget_compare.html",
        runs=list(names.items()),
        entries=list(leaders.items()),
        names=[name for name, _moves in pair],
        rows=comparison(counts),
        chart=bars(counts[0], against=counts[1]) if len(pair) == 2 and any(counts) else None,
        chosen=(a, b or others[0]),
    )


def _series_name(username: str | None, mean: Mean) -> Text:
    """Return what an entry is called in a choice."""
    return _("%(player)s, mean %(mean)s", player=shown_name(username), mean=decimal(mean.text))


async def _choices(competitions: Competitions, run: RunState) -> list[CompetitionShown]:
    """Return the competitions that accept boards of a run now."""
    boards = len(run.solved_counts)
    if run.is_assisted or run.is_common or boards < MIN_BOARDS:
        return []
    return [each for each in await competitions.open() if each.min_boards <= boards]


async def _context(rankings: Rankings, records: Records, run: RunState, hint: str = "") -> dict[str, Any]:
    """Return what the play fragment shows of a run; `hint` is the force that the computer suggests."""
    counts = run.solved_counts
    best = best_prefix(counts)
    return {
        "run": run,
        "play": run.play,
        "drawing": draw_live(run.play.board),
        "most_moves": MOVE_LIMIT,
        "mean": mean_of(counts) if counts else None,
        "rank": (
            await rankings.rank_of(counts[:best], assisted=run.is_assisted, common=run.is_common)
            if best
            else None
        ),
        "rank_label": rank_label(assisted=run.is_assisted, common=run.is_common),
        "best": best,
        "rivals": await rankings.rivals(run.account_id),
        "fewest": await records.fewest(run.play.number),
        "hint": hint,
        "least_boards": MIN_BOARDS,
        "request_id": uuid5(NAMESPACE_URL, f"gorrion:nugget:{run.id}:{run.version}"),
    }


router.form("/nugget/runs/{run_id:id}/reopen", api.reopen, then="/nugget/runs/{run_id}")
router.form("/nugget/runs/{run_id:id}/name", api.rename_run, then="/nugget/runs/{run_id}")
router.form("/nugget/runs/{run_id:id}/throw-away", api.delete_run, then="/nugget")
router.form("/nugget/runs/{run_id:id}/fork", api.fork, then="/nugget/runs/{result.id}")
