"""Studies as pages: their lists, their boards, and the shared boards of games."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from fastapi import Query, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from app.core.web.askers import asker_of
from app.core.web.deps import Part, SiteUrl
from app.core.web.downloads import attachment
from app.core.web.forms import SubmissionDep
from app.core.web.params import PageNumber
from app.core.web.render import page
from app.core.web.throttle import Limit, Throttle
from app.learn.studies.analysis import ground, read_tree
from app.learn.studies.boards import board_page, evaluation_page
from app.learn.studies.forms import EditForm, SettingsForm, StudyForm
from app.learn.studies.presenter import path_of, study_forms, study_row, study_view
from app.learn.studies.queries import Study
from app.learn.studies.service import Draft, Studies
from app.people.identity.pages import page_router
from app.people.identity.throttled import COMPUTING, Stepping, counted_as
from app.people.identity.viewer import BrowserAccounts, SignedIn, Viewer
from app.play.bots.service import Evaluations
from engine.record import to_text

_ON_PAGE = 30

router = page_router()

At = Annotated[str, Query(max_length=10)]


@router.get("/studies")
async def public_studies(viewer: Viewer, studies: Part[Studies], number: PageNumber = 1) -> Response:
    """List the public studies."""
    listed = await studies.public(viewer, limit=_ON_PAGE, offset=_ON_PAGE * (number - 1))
    return _list(*listed, number, "/studies")


@router.get("/studies/mine")
async def own_studies(viewer: SignedIn, studies: Part[Studies], number: PageNumber = 1) -> Response:
    """List the studies of the viewer."""
    listed = await studies.own(viewer, limit=_ON_PAGE, offset=_ON_PAGE * (number - 1))
    return _list(*listed, number, "/studies/mine")


@router.post("/studies")
async def save(viewer: Stepping, studies: Part[Studies], submission: SubmissionDep) -> Response:
    """Save a tree as a study, and go to it."""
    form = submission.parse(StudyForm)
    analysis = await asyncio.to_thread(
        lambda: ground(form.game, submission.values).analysis(read_tree(form.moves), form.at)
    )
    study = await studies.save(viewer, Draft(form.title, form.visibility, analysis))
    return RedirectResponse(path_of(study), 303)


@router.post("/games/{game_id:id}/together")
async def together(game_id: str, viewer: Stepping, studies: Part[Studies]) -> Response:
    """Open the board on which both players of a finished game may move."""
    return RedirectResponse(f"/studies/{await studies.open_shared(game_id, viewer)}", 303)


@router.get("/studies/{study_id:id}", dependencies=[COMPUTING])
async def study_page(
    request: Request,
    study_id: str,
    viewer: Viewer,
    accounts: BrowserAccounts,
    studies: Part[Studies],
    site_url: SiteUrl,
    at: At = "",
) -> Response:
    """Show a study at a node, by default the one that was shown last."""
    seen = await studies.get(study_id, viewer, accounts, at)
    link = site_url + path_of(seen.study, seen.shown.key or "0")
    return await board_page(
        request, seen.shown, study_forms(seen), link, viewer=viewer, study=study_view(seen)
    )


@router.post("/studies/{study_id:id}")
async def edit(
    study_id: str,
    viewer: SignedIn,
    accounts: BrowserAccounts,
    studies: Part[Studies],
    throttle: Part[Throttle],
    submission: SubmissionDep,
) -> Response:
    """Change a node of a study: play a move there, annotate, promote or delete it; or show it to both."""
    await throttle.hit(Limit.EDIT, f"account:{viewer.id}")
    study = await studies.edit(study_id, viewer, accounts, submission.parse(EditForm).chosen)
    return RedirectResponse(path_of(study, study.shown or "0"), 303)


@router.post("/studies/{study_id:id}/settings")
async def change_settings(
    study_id: str, viewer: Stepping, studies: Part[Studies], submission: SubmissionDep
) -> Response:
    """Change the title of a study, or who sees it."""
    form = submission.parse(SettingsForm)
    await studies.change_settings(study_id, viewer, form.title, form.visibility)
    return RedirectResponse(f"/studies/{study_id}", 303)


@router.post("/studies/{study_id:id}/delete")
async def delete(study_id: str, viewer: Stepping, studies: Part[Studies]) -> Response:
    """Delete a study."""
    await studies.delete(study_id, viewer)
    return RedirectResponse("/studies/mine", 303)


@router.post("/studies/{study_id:id}/evaluation")
async def evaluation(
    request: Request,
    study_id: str,
    viewer: Viewer,
    accounts: BrowserAccounts,
    studies: Part[Studies],
    evaluations: Part[Evaluations],
    throttle: Part[Throttle],
    submission: SubmissionDep,
    site_url: SiteUrl,
) -> Response:
    """Show the computer's view of a node of a study."""
    seen = await studies.get(study_id, viewer, accounts, submission.values.get("at", ""))
    shown = seen.shown
    await throttle.hit(Limit.EVALUATE, counted_as(request, viewer))
    asker = asker_of(request, viewer.id if viewer else None)
    choice = await evaluations.evaluate(asker, accounts, shown.rules, shown.all_positions)
    forms = study_forms(seen)
    link = site_url + path_of(seen.study, shown.key or "0")
    return await evaluation_page(shown, choice, forms, link, viewer=viewer, study=study_view(seen))


@router.get("/studies/{study_id:id}/record.txt", dependencies=[COMPUTING])
async def download(
    study_id: str, viewer: Viewer, accounts: BrowserAccounts, studies: Part[Studies]
) -> Response:
    """Download a study as a game record with variations."""
    seen = await studies.get(study_id, viewer, accounts)
    text = to_text(seen.study.analysis.record)
    return PlainTextResponse(text, headers=attachment(f"gorrion-study-{study_id}.txt"))


def _list(listed: Sequence[Study], has_more: bool, number: int, path: str) -> Response:
    return page(
        "pages/studies.html",
        studies=[study_row(study) for study in listed],
        number=number,
        has_more=has_more,
        path=path,
    )
