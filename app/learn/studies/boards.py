"""Responses with the board of a tree: a page, or for htmx only what changes."""

import asyncio
from typing import Any

from fastapi import Request
from starlette.responses import HTMLResponse, Response

from app.core.web.render import fragment, page, wants_htmx, wants_partial
from app.learn.statistics.presenter import RATING_CHOICES
from app.learn.studies.analysis import Analysis
from app.learn.studies.presenter import analysis_view, evaluation_view
from app.learn.studies.views import SYMBOLS, VISIBILITIES, Forms, StudyView
from app.people.identity.service import Identity
from engine.search.player import Choice


async def board_page(
    request: Request,
    analysis: Analysis,
    forms: Forms,
    link: str,
    *,
    viewer: Identity | None,
    study: StudyView | None = None,
) -> Response:
    """Return the board of a tree at the node that is shown, with its study if it is saved."""
    shown = await asyncio.to_thread(board_context, analysis, forms, link, viewer, study)
    if wants_partial():
        return HTMLResponse(fragment("partials/analysis.html", request_path=request.url.path, **shown))
    return page("pages/analysis.html", **shown)


async def evaluation_page(
    analysis: Analysis,
    choice: Choice,
    forms: Forms,
    link: str,
    *,
    viewer: Identity | None,
    study: StudyView | None = None,
) -> Response:
    """Return the computer's view of the position that is shown."""
    evaluation = evaluation_view(analysis, choice)
    if wants_htmx():
        return HTMLResponse(
            fragment("partials/evaluation_update.html", evaluation=evaluation, key=analysis.key)
        )
    shown = await asyncio.to_thread(board_context, analysis, forms, link, viewer, study)
    return page("pages/analysis.html", **{**shown, "evaluation": evaluation})


def board_context(
    analysis: Analysis, forms: Forms, link: str, viewer: Identity | None, study: StudyView | None
) -> dict[str, Any]:
    """Return what the templates of the board draw."""
    return {
        "shown": analysis_view(analysis, forms, link),
        "study": study,
        "viewer": viewer,
        "evaluation": None,
        "may_save": viewer is not None and not viewer.is_guest,
        "symbols": SYMBOLS,
        "visibilities": VISIBILITIES,
        "rating_choices": RATING_CHOICES,
    }
