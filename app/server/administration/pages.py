"""The page of administrators."""

from starlette.responses import RedirectResponse, Response

from app.core.errors import AppError
from app.core.i18n.text import _
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import ADMINISTRATOR, MODERATOR, ORGANISER, Identity
from app.people.identity.viewer import ClientDep, Owner, SignedIn
from app.server.administration.presenter import charts_of
from app.server.administration.schemas import RightForm
from app.server.administration.service import Administration
from app.server.operations.findings import Level

router = page_router()

_RIGHTS = (
    (ADMINISTRATOR, _("administrator: looks after the server")),
    (MODERATOR, _("moderator: acts on reports")),
    (ORGANISER, _("organiser: creates competitions")),
)


@router.get("/admin")
async def admin(viewer: SignedIn, administration: Part[Administration]) -> Response:
    """Show how the server is, who has rights, the settings, and the audit log."""
    return await _overview(viewer, administration)


@router.post("/admin/rights")
async def grant(
    owner: Owner, client: ClientDep, administration: Part[Administration], submission: SubmissionDep
) -> Response:
    """Grant a right to an account."""
    form = submission.parse(RightForm)
    try:
        await administration.grant(owner, client, form.username, form.right)
    except AppError as error:
        return await _overview(owner, administration, form, error)
    return RedirectResponse("/admin#rights", 303)


@router.post("/admin/rights/revoke")
async def revoke(
    owner: Owner, client: ClientDep, administration: Part[Administration], submission: SubmissionDep
) -> Response:
    """Take a right from an account."""
    form = submission.parse(RightForm)
    await administration.revoke(owner, client, form.username, form.right)
    return RedirectResponse("/admin#rights", 303)


async def _overview(
    viewer: Identity,
    administration: Administration,
    form: RightForm | None = None,
    failure: AppError | None = None,
) -> Response:
    overview = await administration.overview(viewer)
    return page(
        "pages/admin.html",
        overview=overview,
        problems=[each for each in overview.findings if each.level is not Level.OK],
        rights=_RIGHTS,
        charts=charts_of(overview.figures),
        form_values=form.model_dump() if form else {},
        failure=failure,
    )
