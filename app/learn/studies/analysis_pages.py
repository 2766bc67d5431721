"""The analysis board: a tree of variations in the address, and the computer's view of a position."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from fastapi import Query, Request
from starlette.responses import RedirectResponse, Response

from app.core.errors import InvalidError
from app.core.i18n.text import Text, _
from app.core.web.addresses import network_of
from app.core.web.askers import asker_of
from app.core.web.deps import Part, SiteUrl
from app.core.web.forms import SubmissionDep, form_errors
from app.core.web.render import page
from app.core.web.throttle import Limit, Throttle
from app.learn.studies.analysis import LONGEST_ADDRESS, Analysis, ground, of_address, of_record
from app.learn.studies.boards import board_page, evaluation_page
from app.learn.studies.edits import EditKind, edited
from app.learn.studies.forms import AnalysisQuery, OpenForm
from app.learn.studies.presenter import analysis_forms
from app.people.identity.pages import page_router
from app.people.identity.throttled import COMPUTING, counted_as
from app.people.identity.viewer import BrowserAccounts, Viewer
from app.play.bots.fair_play import FairPlay
from app.play.bots.service import Evaluations
from app.play.games import export
from engine.registry import GAMES
from engine.variations import Tree

router = page_router()


@router.get("/analysis")
async def choose() -> Response:
    """Show what can be analysed: an empty board, a position, a record."""
    return _chooser({}, {})


@router.post("/analysis")
async def open_board(request: Request, throttle: Part[Throttle], submission: SubmissionDep) -> Response:
    """Go to the analysis board with what was chosen."""
    await throttle.hit(Limit.RECORD, network_of(request))
    try:
        form = submission.parse(OpenForm)
        if form.record:
            analysis = await asyncio.to_thread(lambda: of_record(export.read(form.record)))
        else:
            fields = {name: getattr(form, name) for name in ("size", "position") if getattr(form, name)}
            analysis = ground(form.game, fields).analysis(Tree())
        address = _address(analysis)
    except InvalidError as error:
        return _chooser(submission.values, form_errors(error), error.status)
    return RedirectResponse(address, 303)


@router.get("/analysis/{game:game}", dependencies=[COMPUTING])
async def analysis_page(
    request: Request,
    game: str,
    query: Annotated[AnalysisQuery, Query()],
    fair_play: Part[FairPlay],
    viewer: Viewer,
    accounts: BrowserAccounts,
    site_url: SiteUrl,
) -> Response:
    """Show a tree at a node; go to the changed tree if the address says what to change."""
    shown = await asyncio.to_thread(of_address, game, request.query_params, query.moves)
    await fair_play.check_games(accounts, shown.rules, shown.all_positions)
    if query.move or query.edit is not EditKind.SHOW:
        after = await asyncio.to_thread(edited, shown, replace(query.chosen, at=shown.key))
        return RedirectResponse(_address(after), 303)
    return await board_page(request, shown, analysis_forms(shown), site_url + shown.address(), viewer=viewer)


@router.post("/analysis/{game:game}/evaluation")
async def evaluation(
    request: Request,
    game: str,
    viewer: Viewer,
    accounts: BrowserAccounts,
    evaluations: Part[Evaluations],
    throttle: Part[Throttle],
    submission: SubmissionDep,
    site_url: SiteUrl,
) -> Response:
    """Show the computer's best moves with its expected lines, its estimate of the score, and the bar."""
    moves = submission.values.get("moves", "")
    if len(moves) > LONGEST_ADDRESS:
        raise _too_long()
    shown = await asyncio.to_thread(of_address, game, submission.values, moves)
    await throttle.hit(Limit.EVALUATE, counted_as(request, viewer))
    asker = asker_of(request, viewer.id if viewer else None)
    choice = await evaluations.evaluate(asker, accounts, shown.rules, shown.all_positions)
    link = site_url + shown.address()
    return await evaluation_page(shown, choice, analysis_forms(shown), link, viewer=viewer)


def _address(analysis: Analysis) -> str:
    if len(str(analysis.tree)) > LONGEST_ADDRESS:
        raise _too_long()
    return analysis.address()


def _too_long() -> InvalidError:
    return InvalidError("too_long", _("The tree is too long for an address. Save it as a study to go on."))


def _chooser(values: Mapping[str, str], errors: Mapping[str, Text], status: int = 200) -> Response:
    return page(
        "pages/analysis_start.html",
        status=status,
        games=list(GAMES.values()),
        form_values=values,
        form_errors=errors,
    )
