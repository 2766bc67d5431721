"""The pages of administrators: the server, the site, and what the server does by itself."""

from collections.abc import Mapping
from functools import partial

from starlette.responses import RedirectResponse, Response

from app.core.errors import AppError
from app.core.i18n.text import _
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import ADMINISTRATOR, MODERATOR, ORGANISER, Identity
from app.people.identity.viewer import ClientDep, Owner, SignedIn
from app.people.mail.testing import MailOutcome, send_test
from app.server.administration.presenter import by_purpose, charts_of, settings_shown
from app.server.administration.schemas import (
    AnnouncementForm,
    CodeForm,
    InvitationForm,
    ModeForm,
    NameForm,
    NoFields,
    RightForm,
    ScheduleForm,
)
from app.server.administration.service import Administration
from app.server.operations.findings import Level
from app.site.accounts import registration
from app.site.accounts.registration import MOST_USES, Registration
from app.site.announcements.service import LONGEST

router = page_router()

_RIGHTS = (
    (ADMINISTRATOR, _("administrator: looks after the server")),
    (MODERATOR, _("moderator: acts on reports")),
    (ORGANISER, _("organiser: makes competitions, and rated or large tournaments")),
)
_MODES = (
    (Registration.OPEN, _("everybody")),
    (Registration.INVITATION, _("people with an invitation")),
    (Registration.CLOSED, _("nobody")),
)
_OUTCOMES = {
    MailOutcome.WAITING: _("It is waiting to be sent: reload this page in a few seconds."),
    MailOutcome.PUT_OFF: _("It could not be sent yet, and will be tried again. The log says why."),
    MailOutcome.REFUSED: _("The mail server refused your address."),
    MailOutcome.SENT: _("The mail server took it."),
}


@router.get("/admin")
async def admin(viewer: SignedIn, administration: Part[Administration]) -> Response:
    """Show how the server is, who has rights, the settings, and the audit log."""
    return await _overview(viewer, administration, {})


@router.post("/admin/rights")
async def grant(
    owner: Owner, client: ClientDep, administration: Part[Administration], submission: SubmissionDep
) -> Response:
    """Grant a right to an account."""
    return await submission.carry_out(
        RightForm,
        lambda form: administration.grant(owner, client, form.username, form.right),
        then="/admin#rights",
        refused=partial(_overview, owner, administration, submission.values),
    )


@router.post("/admin/rights/revoke")
async def revoke(
    owner: Owner, client: ClientDep, administration: Part[Administration], submission: SubmissionDep
) -> Response:
    """Take a right from an account."""
    form = submission.parse(RightForm)
    await administration.revoke(owner, client, form.username, form.right)
    return RedirectResponse("/admin#rights", 303)


@router.get("/admin/site")
async def site(viewer: SignedIn, administration: Part[Administration]) -> Response:
    """Show what is announced, who may register, and which names are reserved."""
    return await _site(viewer, administration, {})


@router.post("/admin/announcement")
async def announce(
    owner: Owner, client: ClientDep, administration: Part[Administration], submission: SubmissionDep
) -> Response:
    """Announce something."""
    return await submission.carry_out(
        AnnouncementForm,
        lambda form: administration.announce(owner, client, submission.values, form.ends_at),
        then="/admin/site",
        refused=partial(_site, owner, administration, submission.values),
    )


@router.post("/admin/announcement/end")
async def withdraw(
    owner: Owner, client: ClientDep, administration: Part[Administration], submission: SubmissionDep
) -> Response:
    """Take back what is announced."""
    await administration.withdraw(owner, client, submission.values.get("text"))
    return RedirectResponse("/admin/site", 303)


@router.post("/admin/registration")
async def set_registration(
    owner: Owner, client: ClientDep, administration: Part[Administration], submission: SubmissionDep
) -> Response:
    """Decide who may register."""
    return await submission.carry_out(
        ModeForm,
        lambda form: administration.give(owner, client, registration.set_mode, form.mode),
        then="/admin/site#registration",
        refused=partial(_site, owner, administration, submission.values),
    )


@router.post("/admin/invitations")
async def invite(
    owner: Owner, client: ClientDep, administration: Part[Administration], submission: SubmissionDep
) -> Response:
    """Make an invitation."""
    return await submission.carry_out(
        InvitationForm,
        lambda form: administration.give(owner, client, registration.invite, form.most, form.invited_until),
        then="/admin/site#registration",
        refused=partial(_site, owner, administration, submission.values),
    )


@router.post("/admin/invitations/end")
async def end_invitation(
    owner: Owner, client: ClientDep, administration: Part[Administration], submission: SubmissionDep
) -> Response:
    """End an invitation."""
    return await submission.carry_out(
        CodeForm,
        lambda form: administration.give(owner, client, registration.end_invitation, form.code),
        then="/admin/site#registration",
        refused=partial(_site, owner, administration, {}),
    )


@router.post("/admin/names")
async def reserve(
    owner: Owner, client: ClientDep, administration: Part[Administration], submission: SubmissionDep
) -> Response:
    """Reserve a name."""
    return await submission.carry_out(
        NameForm,
        lambda form: administration.give(owner, client, registration.reserve, form.name),
        then="/admin/site#names",
        refused=partial(_site, owner, administration, submission.values),
    )


@router.post("/admin/names/release")
async def release(
    owner: Owner, client: ClientDep, administration: Part[Administration], submission: SubmissionDep
) -> Response:
    """Release a reserved name."""
    return await submission.carry_out(
        NameForm,
        lambda form: administration.give(owner, client, registration.release, form.name),
        then="/admin/site#names",
        refused=partial(_site, owner, administration, {}),
    )


@router.get("/admin/work")
async def work(viewer: SignedIn, administration: Part[Administration]) -> Response:
    """Show the schedules, the backups, the last test of the mail, and the servers that are witnessed."""
    return await _work(viewer, administration)


@router.post("/admin/schedules/run")
async def run_schedule(
    owner: Owner, client: ClientDep, administration: Part[Administration], submission: SubmissionDep
) -> Response:
    """Run a schedule now."""
    return await submission.carry_out(
        ScheduleForm,
        lambda form: administration.run_schedule(owner, client, form.schedule),
        then="/admin/work#schedules",
        refused=partial(_work, owner, administration),
    )


@router.post("/admin/mail/test")
async def test_mail(
    owner: Owner, client: ClientDep, administration: Part[Administration], submission: SubmissionDep
) -> Response:
    """Send a mail to one's own address."""
    return await submission.carry_out(
        NoFields,
        lambda _form: administration.give(owner, client, send_test, owner.id),
        then="/admin/work#mail",
        refused=partial(_work, owner, administration),
    )


async def _overview(
    viewer: Identity,
    administration: Administration,
    form_values: Mapping[str, str],
    failure: AppError | None = None,
) -> Response:
    overview = await administration.overview(viewer)
    return page(
        "pages/admin.html",
        overview=overview,
        problems=[each for each in overview.findings if each.level is not Level.OK],
        rights=_RIGHTS,
        charts=charts_of(overview.figures),
        settings=settings_shown(administration.settings),
        form_values=form_values,
        failure=failure,
    )


async def _site(
    viewer: Identity,
    administration: Administration,
    form_values: Mapping[str, str],
    failure: AppError | None = None,
) -> Response:
    return page(
        "pages/admin_site.html",
        state=await administration.site(viewer),
        modes=_MODES,
        longest=LONGEST,
        most_uses=MOST_USES,
        form_values=form_values,
        failure=failure,
    )


async def _work(
    viewer: Identity, administration: Administration, failure: AppError | None = None
) -> Response:
    state = await administration.work(viewer)
    return page(
        "pages/admin_work.html",
        state=state,
        schedules=by_purpose(state.schedules),
        outcomes=_OUTCOMES,
        failure=failure,
    )
