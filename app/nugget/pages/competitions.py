"""Competitions: the list, creating one, and each one's page with its ranking and report."""

from typing import Literal

import orjson
from fastapi import APIRouter, Request
from starlette.responses import Response

from app.errors import ForbiddenError
from app.identity.viewer import SignedIn, Viewer
from app.nugget import standings, views
from app.nugget.deps import CompetitionsDep
from app.nugget.forms import NewCompetition
from app.web.downloads import attachment
from app.web.forms import InvalidFormError, SubmissionDep, form_errors
from app.web.redirects import go
from app.web.render import page

router = APIRouter()


@router.get("/nugget/competitions")
async def competitions_page(request: Request, viewer: Viewer, competitions: CompetitionsDep) -> Response:
    """List the competitions, for organisers with the form for a new one."""
    return page(
        request,
        "pages/nugget_competitions.html",
        competitions=await competitions.all(),
        may_open=viewer is not None and await competitions.may_create(viewer.id),
        form_values=views.NEW_COMPETITION,
        form_errors={},
        visibilities=views.VISIBILITIES,
    )


@router.post("/nugget/competitions")
async def create(
    request: Request, viewer: SignedIn, competitions: CompetitionsDep, form: SubmissionDep
) -> Response:
    """Create a competition."""
    try:
        competition_id = await competitions.create(viewer.id, form.parse(NewCompetition))
    except InvalidFormError as error:
        return page(
            request,
            "pages/nugget_competitions.html",
            status=error.status,
            competitions=await competitions.all(),
            may_open=await competitions.may_create(viewer.id),
            form_values={**views.NEW_COMPETITION, **form.values},
            form_errors=form_errors(error),
            visibilities=views.VISIBILITIES,
        )
    return go(request, f"/nugget/competitions/{competition_id}")


@router.get("/nugget/competitions/{competition_id:slug}")
async def competition_page(request: Request, competition_id: str, competitions: CompetitionsDep) -> Response:
    """Show a competition, with its ranking unless that is secret."""
    competition, rows = await competitions.report(competition_id)
    return page(
        request,
        "pages/nugget_competition.html",
        competition=competition,
        rows=rows,
        words=views.competition_words(competition),
    )


@router.get("/nugget/competitions/{competition_id:slug}/report.{form}")
async def report(
    competition_id: str, form: Literal["csv", "json"], competitions: CompetitionsDep
) -> Response:
    """Download the ranking of a competition as CSV or JSON."""
    _, rows = await competitions.report(competition_id)
    if rows is None:
        raise ForbiddenError("sealed", "The scores of this competition are sealed until it ends.")
    headers = attachment(f"{competition_id}.{form}")
    if form == "csv":
        return Response(standings.CSV_HEADER + standings.as_csv(rows), media_type="text/csv", headers=headers)
    content = orjson.dumps([row.as_dict() for row in rows])
    return Response(content, media_type="application/json", headers=headers)
