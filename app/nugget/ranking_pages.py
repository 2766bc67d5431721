"""Rankings with filters, history and exports; competitions: the list, creating one, and each one's page."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, Literal

from fastapi import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from app.core import json
from app.core.errors import AppError, ConflictError, InvalidError
from app.core.merging import Revision
from app.core.web.deps import Part
from app.core.web.downloads import attachment, begun
from app.core.web.forms import SubmissionDep, drawn_with
from app.core.web.params import Cursor, OwnPlace
from app.core.web.redirects import go
from app.core.web.render import fragment, page, wants_partial
from app.nugget import api, presenter, standings
from app.nugget.commitments.queries import LATEST
from app.nugget.commitments.service import Commitments
from app.nugget.competitions import Competitions, CompetitionShown
from app.nugget.drawing import draw_still, drawn_history
from app.nugget.entries import Entries
from app.nugget.forms import CompetitionTerms
from app.nugget.rankings import Rankings
from app.nugget.reports.service import Reports
from app.nugget.standings import RankingRow
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import COMPUTING
from app.people.identity.viewer import ClientDep, SignedIn, Viewer
from engine.golden_nugget.board import START

router = page_router()

Form = Literal["csv", "json"]
"""The forms of a ranking as a file."""

_TYPES: dict[Form, str] = {"csv": "text/csv", "json": "application/json"}

_LISTED = 50  # competitions that are over
_METHODS = 20  # of players, with up to 5,000 characters each


async def ranking_file(
    parts: AsyncIterator[tuple[RankingRow, ...]], name: str, form: Form
) -> StreamingResponse:
    """Return the parts of a ranking as a file, whose name gets the ending of its form."""
    parts = await begun(parts)
    content = _sheet(parts) if form == "csv" else _array(parts)
    return StreamingResponse(content, media_type=_TYPES[form], headers=attachment(f"{name}.{form}"))


async def _sheet(parts: AsyncIterator[tuple[RankingRow, ...]]) -> AsyncIterator[str]:
    yield standings.CSV_HEADER
    async for rows in parts:
        yield standings.as_csv(rows)


async def _array(parts: AsyncIterator[tuple[RankingRow, ...]]) -> AsyncIterator[bytes]:
    separator = b"["
    async for rows in parts:
        if rows:
            yield separator + b",".join(json.encode(row.as_dict()) for row in rows)
            separator = b","
    yield b"]" if separator == b"," else b"[]"


@router.get("/leaderboards/golden_nugget")
async def ranking_page(
    viewer: Viewer,
    rankings: Part[Rankings],
    entries: Part[Entries],
    players: str = "people",
    period: str = "all",
    cursor: Cursor = "",
    at: OwnPlace = "",
) -> Response:
    """Show a page of a ranking, on request the one with the viewer's own row, which is always included."""
    name = standings.name_of(players, period)
    if at and viewer:
        cursor = await rankings.cursor_to(name, viewer.id)
    context = await presenter.ranking_context(rankings, name, viewer, cursor)
    context |= {"players": players, "period": period}
    if wants_partial():
        return HTMLResponse(fragment("partials/nugget_ranking.html", viewer=viewer, **context))
    history, holders = await rankings.history()
    return page(
        "pages/nugget_ranking.html",
        **context,
        chart=drawn_history(history),
        records=history.records,
        holders=holders,
        filters=presenter.ranking_filters(),
        shown=await entries.shown(context["rows"]),
        drawing=draw_still(START),
    )


@router.get("/leaderboards/golden_nugget.{form}")
async def ranking_export(
    form: Form, rankings: Part[Rankings], players: str = "everybody", period: str = "all"
) -> Response:
    """Download a ranking as CSV or JSON."""
    return await ranking_file(
        rankings.exported(standings.name_of(players, period)), "golden-nugget-ranking", form
    )


@router.get("/nugget/competitions")
async def competitions_page(
    viewer: Viewer, competitions: Part[Competitions], cursor: Cursor = ""
) -> Response:
    """List the competitions, for organisers with the form for a new one."""
    return await _list_page(viewer, competitions, {}, cursor=cursor)


@router.post("/nugget/competitions")
async def create(viewer: SignedIn, competitions: Part[Competitions], form: SubmissionDep) -> Response:
    """Create a competition."""
    try:
        competition_id = await competitions.create(viewer.id, form.parse(CompetitionTerms))
    except (InvalidError, ConflictError) as error:
        return await _list_page(viewer, competitions, form.values, error)
    return go(f"/nugget/competitions/{competition_id}")


@router.get("/nugget/competitions/{competition_id:competition}", dependencies=[COMPUTING])
async def competition_page(
    request: Request,
    competition_id: str,
    viewer: Viewer,
    competitions: Part[Competitions],
    rankings: Part[Rankings],
    reports: Part[Reports],
    commitments: Part[Commitments],
    cursor: Cursor = "",
    at: OwnPlace = "",
    methods: Cursor = "",
) -> Response:
    """Show a competition, with a page of its ranking unless that is secret, and its organiser's actions.

    When it is over, this is the final report.
    """
    competition = await competitions.get(competition_id)
    path = f"/nugget/competitions/{competition_id}"
    if request.url.path != path:  # an old address, whose words are not to be shown
        return RedirectResponse(path, 301)
    name = standings.of_competition(competition_id)
    if at and viewer:
        cursor = await rankings.cursor_to(name, viewer.id)
    shown = (
        await presenter.ranking_context(rankings, name, viewer, cursor)
        if competition.shows_scores
        else {"rows": None}
    )
    return page(
        "pages/nugget_competition.html",
        competition=competition,
        **shown,
        commitments=(await commitments.of_competition(competition_id, "", LATEST)).rows,
        **await _report(competition, viewer, reports, methods),
        is_organiser=viewer is not None and viewer.id == competition.organiser_id,
        may_end=viewer is not None and (viewer.is_moderator or viewer.id == competition.organiser_id),
    )


@router.get("/nugget/competitions/{competition_id:competition}/edit")
async def edit_page(competition_id: str, viewer: SignedIn, competitions: Part[Competitions]) -> Response:
    """Show the form to change a competition before its start."""
    competition = await competitions.get_own(competition_id, viewer.id)
    return _edit_page(competition, drawn_with(presenter.competition_form(competition)))


@router.post("/nugget/competitions/{competition_id:competition}/edit")
async def edit(
    competition_id: str,
    viewer: SignedIn,
    client: ClientDep,
    competitions: Part[Competitions],
    form: SubmissionDep,
) -> Response:
    """Change a competition before its start."""

    async def refused(error: AppError) -> Response:
        competition = await competitions.get_own(competition_id, viewer.id)
        return _edit_page(competition, form.values, error)

    return await form.change(
        lambda change: competitions.change(competition_id, viewer.id, _to_the_second(change), client),
        presenter.competition_form,
        lambda sent: sent.parse(CompetitionTerms),
        then=f"/nugget/competitions/{competition_id}",
        refused=refused,
    )


def _to_the_second(change: Revision[CompetitionTerms]) -> Revision[CompetitionTerms]:
    """Return a change that keeps the seconds of moments that the form, which has minutes, leaves alone."""

    def changed(stored: CompetitionTerms) -> CompetitionTerms:
        new = change(stored)
        before, after = presenter.competition_form(stored), presenter.competition_form(new)
        same = [name for name in ("starts_at", "ends_at") if before[name] == after[name]]
        return new.model_copy(update={name: getattr(stored, name) for name in same})

    return changed


@router.get("/nugget/competitions/{competition_id:competition}/report.{form}")
async def report(
    competition_id: str, form: Form, competitions: Part[Competitions], rankings: Part[Rankings]
) -> Response:
    """Download the ranking of a competition as CSV or JSON."""
    return await ranking_file(
        rankings.exported(await competitions.ranking_of(competition_id)), competition_id, form
    )


async def _report(
    competition: CompetitionShown, viewer: Identity | None, reports: Reports, cursor: str
) -> dict[str, Any]:
    """Return what the final report shows besides the ranking, nothing before the end."""
    if not competition.is_over:
        return {"winner": None, "methods": None, "may_describe": False}
    own_method = await reports.own_method(competition.id, viewer.id) if viewer else None
    return {
        "winner": await reports.winner(competition),
        "drawing": draw_still(START),
        "methods": await reports.methods(competition, cursor, _METHODS),
        "methods_cursor": cursor,
        "may_describe": own_method is not None,
        "own_method": {"text": own_method},
    }


async def _list_page(
    viewer: Identity | None,
    competitions: Competitions,
    values: Mapping[str, str],
    failure: AppError | None = None,
    *,
    cursor: str = "",
) -> Response:
    listed = await competitions.listing(cursor, _LISTED)
    return page(
        "pages/nugget_competitions.html",
        failure=failure,
        competitions=listed.rows,
        cursor=cursor,
        next=listed.next,
        may_open=viewer is not None and await competitions.may_create(viewer.id),
        form_values={**presenter.NEW_COMPETITION, **values},
    )


def _edit_page(
    competition: CompetitionShown, values: Mapping[str, str], failure: AppError | None = None
) -> Response:
    return page(
        "pages/nugget_competition_edit.html",
        failure=failure,
        competition=competition,
        form_values={**presenter.NEW_COMPETITION, **values},
    )


router.form(
    "/nugget/competitions/{competition_id:competition}/end",
    api.end_competition,
    then="/nugget/competitions/{competition_id}",
)
router.form(
    "/nugget/competitions/{competition_id:competition}/cancel",
    api.cancel_competition,
    then="/nugget/competitions/{competition_id}",
)
