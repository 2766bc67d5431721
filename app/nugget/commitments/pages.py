"""Pages of commitments: making one, and each one's page, where its player reveals it."""

from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import File, Query, UploadFile
from starlette.responses import Response

from app.core.database.rank_order import RankedPage
from app.core.errors import AppError
from app.core.web.deps import Part
from app.core.web.downloads import attachment
from app.core.web.forms import SubmissionDep
from app.core.web.params import Cursor
from app.core.web.redirects import go
from app.core.web.render import page
from app.core.web.throttle import Limit, Throttle
from app.nugget import presenter
from app.nugget.accepting import InvalidEntryError, RepeatedError
from app.nugget.commitments.queries import AFTER_COMPETITION, WITHOUT_COMPETITION, CommitmentShown
from app.nugget.commitments.schemas import CommitmentRequest
from app.nugget.commitments.service import Commitments
from app.nugget.competitions import Competitions
from app.nugget.forms import QueryCompetition
from app.people.identity.pages import page_router
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import SignedIn, Viewer

router = page_router()

_QueryHash = Annotated[str, Query(max_length=64)]

_LISTED = 50  # commitments
_PROBLEMS = 10  # of a record that are listed


@router.get("/nugget/commitments")
async def form(
    competitions: Part[Competitions], competition: QueryCompetition = "", sha256: _QueryHash = ""
) -> Response:
    """Show how to commit to a record, and the form for it."""
    return await _form(competitions, {"competition": competition, "sha256": sha256})


@router.get("/nugget/commitments/account")
async def account(
    to: Literal["register", "login"] = "register", competition: QueryCompetition = "", sha256: _QueryHash = ""
) -> Response:
    """Go to where one registers or logs in, and then back to the form as it was filled in."""
    filled = urlencode({"competition": competition, "sha256": sha256})
    return go(f"/{to}?{urlencode({'next': f'/nugget/commitments?{filled}'})}")


@router.post("/nugget/commitments")
async def commit(
    viewer: Stepping, commitments: Part[Commitments], competitions: Part[Competitions], form: SubmissionDep
) -> Response:
    """Commit to a record."""
    try:
        terms = form.parse(CommitmentRequest)
        made = await commitments.commit(viewer, terms.sha256, terms.competition)
    except AppError as error:
        return await _form(competitions, form.values, error)
    return go(f"/nugget/commitments/{made.id}")


@router.get("/nugget/commitments/{commitment_id:id}")
async def commitment_page(commitment_id: str, viewer: Viewer, commitments: Part[Commitments]) -> Response:
    """Show a commitment, and its player the form to reveal it."""
    return await _page(commitments, commitment_id, viewer.id if viewer else None)


@router.post("/nugget/commitments/{commitment_id:id}/reveal")
async def reveal(
    commitment_id: str,
    viewer: SignedIn,
    commitments: Part[Commitments],
    throttle: Part[Throttle],
    file: Annotated[UploadFile, File()],
) -> Response:
    """Reveal a record by its file."""
    await throttle.hit(Limit.RECORD, f"account:{viewer.id}")
    try:
        submitted = await commitments.reveal(viewer, commitment_id, await file.read())
    except RepeatedError as repeated:
        return go(repeated.page)
    except AppError as error:
        return await _page(commitments, commitment_id, viewer.id, error)
    return go(f"/nugget/entries/{submitted.entry.id}")


@router.get("/nugget/commitments/{commitment_id:id}/file")
async def file(commitment_id: str, viewer: Viewer, commitments: Part[Commitments]) -> Response:
    """Download the file that was committed to, byte for byte."""
    content = await commitments.file(commitment_id, viewer.id if viewer else None)
    return Response(content, media_type="text/plain", headers=attachment(f"commitment-{commitment_id}.txt"))


@router.get("/nugget/competitions/{competition_id:competition}/commitments")
async def of_competition(
    competition_id: str, competitions: Part[Competitions], commitments: Part[Commitments], cursor: Cursor = ""
) -> Response:
    """List the commitments of a competition."""
    competition = await competitions.get(competition_id)
    listed = await commitments.of_competition(competition_id, cursor, _LISTED)
    return _list(listed, cursor, competition.title, f"/nugget/competitions/{competition_id}")


@router.get("/nugget/players/{username}/commitments")
async def of_player(username: str, commitments: Part[Commitments], cursor: Cursor = "") -> Response:
    """List the commitments of a player."""
    listed = await commitments.of_player(username, cursor, _LISTED)
    return _list(listed, cursor, username, f"/nugget/players/{username}")


def _list(listed: RankedPage[CommitmentShown], cursor: str, about: str, about_url: str) -> Response:
    return page(
        "pages/nugget_commitment_list.html",
        commitments=listed.rows,
        cursor=cursor,
        next=listed.next,
        about=about,
        about_url=about_url,
    )


async def _form(
    competitions: Competitions, values: Mapping[str, str], failure: AppError | None = None
) -> Response:
    return page(
        "pages/nugget_commitments.html",
        failure=failure,
        form_values={"sha256": "", "competition": "", **values},
        choices=await competitions.open(),
        days=(AFTER_COMPETITION.days, WITHOUT_COMPETITION.days),
        salt=f"# salt: {'3f' * 16}",
    )


async def _page(
    commitments: Commitments,
    commitment_id: str,
    viewer_id: int | None,
    error: AppError | None = None,
) -> Response:
    problems = error.verdict.problems[:_PROBLEMS] if isinstance(error, InvalidEntryError) else ()
    commitment = await commitments.get(commitment_id)
    return page(
        "pages/nugget_commitment.html",
        failure=error,
        commitment=commitment,
        is_mine=viewer_id == commitment.account_id,
        error=error.message if error else "",
        problems=list(map(presenter.problem_text, problems)),
    )
