"""Competitions: the list, creating one, and each one's page with its ranking and report."""

from collections.abc import Mapping
from typing import Literal

import orjson
from fastapi import Request
from starlette.responses import Response

from app.identity.pages import page_router
from app.identity.viewer import ClientDep, SignedIn, Viewer
from app.nugget import standings, views
from app.nugget.competitions import CompetitionInfo, check_shown
from app.nugget.deps import CompetitionsDep
from app.nugget.forms import Closing, NewCompetition
from app.web.downloads import attachment
from app.web.forms import InvalidFormError, SubmissionDep, form_errors
from app.web.redirects import go
from app.web.render import page

router = page_router()


@router.get("/nugget/competitions")
async def competitions_page(request: Request, viewer: Viewer, competitions: CompetitionsDep) -> Response:
    """List the competitions, for organisers with the form for a new one."""
    return page(
        request,
        "pages/nugget_competitions.html",
        competitions=await competitions.all(),
        statuses=views.STATUSES,
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
            statuses=views.STATUSES,
            may_open=await competitions.may_create(viewer.id),
            form_values={**views.NEW_COMPETITION, **form.values},
            form_errors=form_errors(error),
            visibilities=views.VISIBILITIES,
        )
    return go(request, f"/nugget/competitions/{competition_id}")


@router.get("/nugget/competitions/{competition_id:slug}")
async def competition_page(
    request: Request, competition_id: str, viewer: Viewer, competitions: CompetitionsDep
) -> Response:
    """Show a competition, with its ranking unless that is secret, and its organiser's actions."""
    competition, rows = await competitions.report(competition_id)
    return page(
        request,
        "pages/nugget_competition.html",
        competition=competition,
        rows=rows,
        words=views.competition_words(competition),
        is_organiser=viewer is not None and viewer.id == competition.organiser_id,
    )


@router.get("/nugget/competitions/{competition_id:slug}/edit")
async def edit_page(
    request: Request, competition_id: str, viewer: SignedIn, competitions: CompetitionsDep
) -> Response:
    """Show the form to change a competition before its start."""
    competition = await competitions.get_own(competition_id, viewer.id)
    return _edit_page(request, competition, views.competition_form(competition), {})


@router.post("/nugget/competitions/{competition_id:slug}/edit")
async def edit(
    request: Request,
    competition_id: str,
    viewer: SignedIn,
    client: ClientDep,
    competitions: CompetitionsDep,
    form: SubmissionDep,
) -> Response:
    """Change a competition before its start."""
    try:
        await competitions.change(competition_id, viewer.id, form.parse(NewCompetition), client)
    except InvalidFormError as error:
        competition = await competitions.get_own(competition_id, viewer.id)
        return _edit_page(request, competition, form.values, form_errors(error), status=error.status)
    return go(request, f"/nugget/competitions/{competition_id}")


@router.post("/nugget/competitions/{competition_id:slug}/end")
async def end(
    request: Request,
    competition_id: str,
    viewer: SignedIn,
    client: ClientDep,
    competitions: CompetitionsDep,
    form: SubmissionDep,
) -> Response:
    """End a competition now."""
    await competitions.end(competition_id, viewer.id, form.parse(Closing).reason, client)
    return go(request, f"/nugget/competitions/{competition_id}")


@router.post("/nugget/competitions/{competition_id:slug}/cancel")
async def cancel(
    request: Request,
    competition_id: str,
    viewer: SignedIn,
    client: ClientDep,
    competitions: CompetitionsDep,
    form: SubmissionDep,
) -> Response:
    """Cancel a competition."""
    await competitions.cancel(competition_id, viewer.id, form.parse(Closing).reason, client)
    return go(request, f"/nugget/competitions/{competition_id}")


@router.get("/nugget/competitions/{competition_id:slug}/report.{form}")
async def report(
    competition_id: str, form: Literal["csv", "json"], competitions: CompetitionsDep
) -> Response:
    """Download the ranking of a competition as CSV or JSON."""
    competition, rows = await competitions.report(competition_id)
    check_shown(competition)
    assert rows is not None
    headers = attachment(f"{competition_id}.{form}")
    if form == "csv":
        return Response(standings.CSV_HEADER + standings.as_csv(rows), media_type="text/csv", headers=headers)
    content = orjson.dumps([row.as_dict() for row in rows])
    return Response(content, media_type="application/json", headers=headers)


def _edit_page(
    request: Request,
    competition: CompetitionInfo,
    values: Mapping[str, str],
    errors: Mapping[str, str],
    *,
    status: int = 200,
) -> Response:
    return page(
        request,
        "pages/nugget_competition_edit.html",
        status=status,
        competition=competition,
        form_values={**views.NEW_COMPETITION, **values},
        form_errors=errors,
        visibilities=views.VISIBILITIES,
    )
