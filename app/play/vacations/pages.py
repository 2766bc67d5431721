"""The page on which a player begins and ends a vacation."""

from collections.abc import Mapping

from starlette.responses import RedirectResponse, Response

from app.core.errors import AppError, ConflictError, InvalidError
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import PageOwner
from app.play.vacations import api
from app.play.vacations.decisions import MOST_DAYS
from app.play.vacations.service import Vacations

router = page_router()


@router.get("/account/vacation")
async def vacation(viewer: PageOwner, vacations: Part[Vacations]) -> Response:
    """Show whether the viewer is on vacation, and the days that are left."""
    return await _page(viewer, vacations)


@router.post("/account/vacation")
async def begin(viewer: Stepping, vacations: Part[Vacations], submission: SubmissionDep) -> Response:
    """Begin a vacation."""
    try:
        await vacations.begin(viewer, submission.parse(api.VacationRequest).days)
    except (ConflictError, InvalidError) as error:
        return await _page(viewer, vacations, submission.values, error)
    return RedirectResponse("/account/vacation", 303)


async def _page(
    viewer: Identity,
    vacations: Vacations,
    values: Mapping[str, str] | None = None,
    error: AppError | None = None,
) -> Response:
    shown = api.VacationShown.of(await vacations.allowance(viewer.id))
    return page(
        "pages/vacation.html",
        failure=error,
        until=shown.until,
        days_left=shown.days_left,
        most_days=MOST_DAYS,
        form_values=values or {},
    )


router.form("/account/vacation/end", api.end_vacation, then="/account/vacation")
