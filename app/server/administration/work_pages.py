"""The page of what the server does by itself."""

from functools import partial

from starlette.responses import Response

from app.core.errors import AppError
from app.core.i18n.text import _
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.viewer import ClientDep, Owner, SignedIn
from app.people.mail.testing import MailOutcome
from app.server.administration.presenter import by_purpose
from app.server.administration.schemas import NoFields, ScheduleForm
from app.server.administration.work import WorkAdministration

router = page_router()

_OUTCOMES = {
    MailOutcome.WAITING: _("It is waiting to be sent: reload this page in a few seconds."),
    MailOutcome.PUT_OFF: _("It could not be sent yet, and will be tried again. The log says why."),
    MailOutcome.REFUSED: _("The mail server refused your address."),
    MailOutcome.SENT: _("The mail server took it."),
}


@router.get("/admin/work")
async def work(viewer: SignedIn, administration: Part[WorkAdministration]) -> Response:
    """Show the schedules, the backups, the last test of the mail, and the servers that are witnessed."""
    return await _work(viewer, administration)


@router.post("/admin/schedules/run")
async def run(
    owner: Owner, client: ClientDep, administration: Part[WorkAdministration], submission: SubmissionDep
) -> Response:
    """Run a schedule now."""
    return await submission.carry_out(
        ScheduleForm,
        lambda form: administration.run(owner, client, form.schedule),
        then="/admin/work#schedules",
        refused=partial(_work, owner, administration),
    )


@router.post("/admin/mail/test")
async def test_mail(
    owner: Owner, client: ClientDep, administration: Part[WorkAdministration], submission: SubmissionDep
) -> Response:
    """Send a mail to one's own address."""
    return await submission.carry_out(
        NoFields,
        lambda _form: administration.test_mail(owner, client),
        then="/admin/work#mail",
        refused=partial(_work, owner, administration),
    )


async def _work(
    viewer: Identity, administration: WorkAdministration, failure: AppError | None = None
) -> Response:
    state = await administration.state(viewer)
    return page(
        "pages/admin_work.html",
        state=state,
        schedules=by_purpose(state.schedules),
        outcomes=_OUTCOMES,
        failure=failure,
    )
