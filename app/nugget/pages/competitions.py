"""Competitions: the list, each one's page with its ranking and report, and opening one."""

from datetime import UTC, datetime
from typing import Annotated, Literal

import orjson
from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from app.errors import FieldError
from app.identity.viewer import SignedIn, Viewer
from app.nugget import competitions, standings
from app.web.deps import DatabaseDep
from app.web.downloads import attachment
from app.web.redirects import go
from app.web.render import page

router = APIRouter()

_REPORTED = 10_000
Text = Annotated[str, Form(max_length=6_000)]


@router.get("/nugget/competitions")
async def every(request: Request, viewer: Viewer, database: DatabaseDep) -> Response:
    """List the competitions; who may open one finds the form for it."""
    return await _list(request, viewer, database, {}, {}, 200)


@router.post("/nugget/competitions")
async def create(
    request: Request,
    viewer: SignedIn,
    database: DatabaseDep,
    title: Text = "",
    text: Text = "",
    starts_at: Text = "",
    ends_at: Text = "",
    min_boards: Text = "20",
    max_boards: Text = "200",
    visibility: Text = "open",
) -> Response:
    """Open a competition."""
    values = {
        "title": title,
        "text": text,
        "starts_at": starts_at,
        "ends_at": ends_at,
        "min_boards": min_boards,
        "max_boards": max_boards,
        "visibility": visibility,
    }
    try:
        async with database.transaction() as session:
            competition_id = await competitions.create(
                session,
                viewer.id,
                title=title,
                text=text,
                starts_at=_moment("starts_at", starts_at),
                ends_at=_moment("ends_at", ends_at),
                min_boards=_number("min_boards", min_boards),
                max_boards=_number("max_boards", max_boards),
                visibility=visibility,
            )
    except FieldError as error:
        return await _list(request, viewer, database, values, {error.field: error.message}, error.status)
    return go(request, f"/nugget/competitions/{competition_id}")


@router.get("/nugget/competitions/{competition_id:slug}")
async def show(request: Request, competition_id: str, database: DatabaseDep) -> Response:
    """Show a competition, and its ranking when that may be seen."""
    async with database.transaction() as session:
        competition = await competitions.get(session, competition_id)
        rows = None
        if competition.shows_scores:
            rows = (await competitions.ranking(session, competition, None, _REPORTED)).rows
    return page(request, "pages/nugget_competition.html", competition=competition, rows=rows)


@router.get("/nugget/competitions/{competition_id:slug}/report.{form}")
async def report(competition_id: str, form: Literal["csv", "json"], database: DatabaseDep) -> Response:
    """Download the ranking of a competition as `csv` or `json`."""
    async with database.transaction() as session:
        competition = await competitions.get(session, competition_id)
        rows = (await competitions.ranking(session, competition, None, _REPORTED)).rows
    headers = attachment(f"{competition_id}.{form}")
    if form == "json":
        return Response(
            orjson.dumps([row.as_dict() for row in rows]), media_type="application/json", headers=headers
        )
    return Response(standings.as_csv(rows), media_type="text/csv", headers=headers)


async def _list(
    request: Request,
    viewer: Viewer,
    database: DatabaseDep,
    values: dict[str, str],
    errors: dict[str, str],
    status: int,
) -> Response:
    async with database.transaction() as session:
        found = await competitions.everything(session)
        may_open = viewer is not None and await competitions.may_open(session, viewer.id)
    return page(
        request,
        "pages/nugget_competitions.html",
        status=status,
        competitions=found,
        may_open=may_open,
        form_values=values,
        form_errors=errors,
    )


def _moment(field: str, text: str) -> datetime:
    """Read a moment as a browser's field gives it; without a zone it is UTC. Raises FieldError."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise FieldError(field, "bad_moment", "Give a date and a time, as 2027-01-31T18:00 (UTC).") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _number(field: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise FieldError(field, "bad_number", "Give a number of boards from 20 to 200.")
    return int(text)
