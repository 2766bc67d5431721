"""The page on which a player begins and ends a vacation."""

from collections.abc import Mapping
from types import MappingProxyType

from starlette.responses import RedirectResponse, Response

from app.core.errors import AppError, ConflictError, InvalidError
from app.core.moments import now, to_datetime
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep, form_errors
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import PageOwner
from app.play.vacations import api
from app.play.vacations.service import Vacations

router = page_router()

_NONE: Mapping[str, str] = MappingProxyType({})


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
    viewer: Identity, vacations: Vacations, values: Mapping[str, str] = _NONE, error: AppError | None = None
) -> Response:
    allowance, moment = await vacations.allowance(viewer), now()
    until = allowance.until(moment)
    return page(
        "pages/vacation.html",
        status=200 if error is None else error.status,
        until=None if until is None else to_datetime(until),
        days_left=allowance.days_left(moment),
        form_values=values,
        form_errors={} if error is None else form_errors(error),
    )


router.form("/account/vacation/end", api.end_vacation, then="/account/vacation")
