"""The analysis board, studies and the shared boards of games as pages."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Query, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from app.core.errors import InvalidError
from app.core.i18n.text import Text, _
from app.core.web.addresses import network_of
from app.core.web.deps import Part, SiteUrl
from app.core.web.downloads import attachment
from app.core.web.forms import SubmissionDep, form_errors
from app.core.web.params import PageNumber, page_of_list
from app.core.web.render import fragment, page, wants_htmx, wants_partial
from app.core.web.throttle import Limit, Throttle
from app.learn.studies import api
from app.learn.studies.analysis import (
    LONGEST_ADDRESS,
    Analysis,
    EditKind,
    edited,
    ground,
    ground_of,
    of_address,
    of_record,
    read_tree,
)
from app.learn.studies.presenter import (
    AnalysisBoard,
    board_context,
    board_of_analysis,
    board_of_study,
    evaluation_view,
    pictures,
)
from app.learn.studies.queries import Study
from app.learn.studies.service import Studies, StudyDraft, StudySettings
from app.people.identity.devices import Person
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import COMPUTING, EVALUATING, Stepping, asker_of
from app.people.identity.viewer import PersonDep, SignedIn, Viewer
from app.play.bots.fair_play import FairPlay
from app.play.bots.service import Evaluations
from app.play.games import export
from engine.game_record import to_text
from engine.registry import GAMES
from engine.variations import Tree

router = page_router()

_ON_PAGE = 24  # full rows of two, three, four and six

At = Annotated[str, Query(max_length=10)]


@router.get("/analysis")
async def start(viewer: Viewer, site_url: SiteUrl) -> Response:
    """Show an empty board, and what else can be analysed: another one, a position, a record."""
    return _empty_board(site_url, viewer, {}, {})


@router.post("/analysis")
async def open_board(
    request: Request, viewer: Viewer, throttle: Part[Throttle], submission: SubmissionDep, site_url: SiteUrl
) -> Response:
    """Go to the analysis board with what was chosen."""
    await throttle.hit(Limit.RECORD, network_of(request))
    try:
        form = submission.parse(api.OpenForm)
        if form.record:
            analysis = await asyncio.to_thread(lambda: of_record(export.read(form.record)))
        else:
            fields = {name: getattr(form, name) for name in ("size", "position") if getattr(form, name)}
            analysis = ground_of(form.game, fields).analysis(Tree())
        address = _address(analysis)
    except InvalidError as error:
        return _empty_board(site_url, viewer, submission.values, form_errors(error), error.status)
    return RedirectResponse(address, 303)


@router.get("/analysis/{game:game}", dependencies=[COMPUTING])
async def analysis_page(
    request: Request,
    game: str,
    query: Annotated[api.AnalysisQuery, Query()],
    fair_play: Part[FairPlay],
    viewer: Viewer,
    person: PersonDep,
    site_url: SiteUrl,
) -> Response:
    """Show a tree at a node; go to the changed tree if the address says what to change."""
    shown = await asyncio.to_thread(of_address, game, request.query_params, query.moves)
    await fair_play.check_games(person, shown.rules, shown.all_positions)
    if query.move or query.edit is not EditKind.SHOW:
        after = await asyncio.to_thread(edited, shown, replace(query.chosen, at=shown.key))
        return RedirectResponse(_address(after), 303)
    return await _board(request, board_of_analysis(shown, site_url), viewer)


@router.post("/analysis/{game:game}/evaluation", dependencies=[EVALUATING])
async def evaluate(
    request: Request,
    game: str,
    viewer: Viewer,
    person: PersonDep,
    evaluations: Part[Evaluations],
    submission: SubmissionDep,
    site_url: SiteUrl,
) -> Response:
    """Show the computer's best moves with its expected lines, its estimate of the score, and the bar."""
    moves = submission.values.get("moves", "")
    if len(moves) > LONGEST_ADDRESS:
        raise _too_long()
    shown = await asyncio.to_thread(of_address, game, submission.values, moves)
    return await _evaluation(request, board_of_analysis(shown, site_url), viewer, person, evaluations)


def _address(analysis: Analysis) -> str:
    if not analysis.has_address:
        raise _too_long()
    return analysis.address()


def _too_long() -> InvalidError:
    return InvalidError("too_long", _("The tree is too long for an address. Save it as a study to go on."))


def _empty_board(
    site_url: str,
    viewer: Identity | None,
    values: Mapping[str, str],
    errors: Mapping[str, Text],
    status: int = 200,
) -> Response:
    rules = next(iter(GAMES.values()))
    empty = ground(rules.key).analysis(Tree())
    context = board_context(board_of_analysis(empty, site_url), viewer)
    setup = {"games": list(GAMES.values()), "typed": values, "errors": errors}
    return page("pages/analysis.html", status=status, **{**context, "setup": setup})


@router.get("/studies", dependencies=[COMPUTING])
async def public_studies(viewer: Viewer, studies: Part[Studies], number: PageNumber = 1) -> Response:
    """List the public studies."""
    listed = await studies.public(viewer, number=number, limit=_ON_PAGE)
    return await _list(*listed, number, "/studies")


@router.get("/studies/mine", dependencies=[COMPUTING])
async def own_studies(viewer: SignedIn, studies: Part[Studies], number: PageNumber = 1) -> Response:
    """List the studies of the viewer."""
    listed = await studies.own(viewer, number=number, limit=_ON_PAGE)
    return await _list(*listed, number, "/studies/mine")


@router.post("/studies")
async def save(viewer: Stepping, studies: Part[Studies], submission: SubmissionDep) -> Response:
    """Save a tree as a study, and go to it."""
    form = submission.parse(api.StudyForm)
    analysis = await asyncio.to_thread(
        lambda: ground_of(form.game, submission.values).analysis(read_tree(form.moves), form.at)
    )
    study = await studies.save(viewer, StudyDraft(form.title, form.visibility, analysis))
    return RedirectResponse(study.path, 303)


@router.get("/studies/{study_id:id}", dependencies=[COMPUTING])
async def study_page(
    request: Request,
    study_id: str,
    viewer: Viewer,
    person: PersonDep,
    studies: Part[Studies],
    site_url: SiteUrl,
    at: At = "",
) -> Response:
    """Show a study at a node, by default the one that was shown last."""
    seen = await studies.get(study_id, viewer, person, at)
    return await _board(request, board_of_study(seen, site_url), viewer)


@router.post("/studies/{study_id:id}")
async def edit(
    study_id: str,
    viewer: SignedIn,
    person: PersonDep,
    studies: Part[Studies],
    throttle: Part[Throttle],
    submission: SubmissionDep,
) -> Response:
    """Change a node of a study: play a move there, annotate, promote or delete it; or show it to both."""
    await throttle.hit(Limit.EDIT, f"account:{viewer.id}")
    key = await studies.edit(study_id, viewer, person, submission.parse(api.EditForm).chosen)
    return RedirectResponse(f"/studies/{study_id}?{urlencode({'at': key or '0'})}", 303)


@router.post("/studies/{study_id:id}/settings")
async def change_settings(
    study_id: str, viewer: Stepping, studies: Part[Studies], submission: SubmissionDep
) -> Response:
    """Change the title of a study, or who sees it."""

    def changed(stored: StudySettings) -> StudySettings:
        fields = {"title": stored.title, "visibility": stored.visibility}
        return submission.rebased(fields).parse(api.SettingsForm).settings

    await studies.change_settings(study_id, viewer, changed)
    return RedirectResponse(f"/studies/{study_id}", 303)


@router.post("/studies/{study_id:id}/evaluation", dependencies=[EVALUATING])
async def evaluation(
    request: Request,
    study_id: str,
    viewer: Viewer,
    person: PersonDep,
    studies: Part[Studies],
    evaluations: Part[Evaluations],
    submission: SubmissionDep,
    site_url: SiteUrl,
) -> Response:
    """Show the computer's view of a node of a study."""
    seen = await studies.get(study_id, viewer, person, submission.values.get("at", ""))
    return await _evaluation(request, board_of_study(seen, site_url), viewer, person, evaluations)


@router.get("/studies/{study_id:id}/record.txt", dependencies=[COMPUTING])
async def download(study_id: str, viewer: Viewer, person: PersonDep, studies: Part[Studies]) -> Response:
    """Download a study as a game record with variations."""
    seen = await studies.get(study_id, viewer, person)
    text = to_text(seen.study.analysis.record)
    return PlainTextResponse(text, headers=attachment(f"gorrion-study-{study_id}.txt"))


async def _board(request: Request, board: AnalysisBoard, viewer: Identity | None) -> Response:
    shown = await asyncio.to_thread(board_context, board, viewer)
    if wants_partial():
        return HTMLResponse(fragment("partials/analysis.html", request_path=request.url.path, **shown))
    return page("pages/analysis.html", **shown)


async def _evaluation(
    request: Request,
    board: AnalysisBoard,
    viewer: Identity | None,
    person: Person,
    evaluations: Evaluations,
) -> Response:
    """Return the computer's view of the position that is shown, for htmx without the board."""
    analysis, asker = board.analysis, asker_of(request, viewer.id if viewer else None)
    choice = await evaluations.evaluate(asker, person, analysis.rules, analysis.all_positions)
    evaluation = evaluation_view(analysis, choice)
    if wants_htmx():
        update = fragment("partials/evaluation_update.html", evaluation=evaluation, key=analysis.key)
        return HTMLResponse(update)
    shown = await asyncio.to_thread(board_context, board, viewer, evaluation)
    return page("pages/analysis.html", **shown)


async def _list(listed: Sequence[Study], has_more: bool, number: int, path: str) -> Response:
    return page(
        "pages/studies.html",
        studies=await asyncio.to_thread(pictures, listed),
        shown=page_of_list(listed, number, has_more=has_more),
        path=path,
    )


router.form("/studies/{study_id:id}/delete", api.delete_study, then="/studies/mine")
router.form("/games/{game_id:id}/together", api.open_together, then="/studies/{result.id}")
