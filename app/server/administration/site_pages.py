"""The page on which administrators decide about the site."""

from collections.abc import Mapping
from functools import partial

from starlette.responses import RedirectResponse, Response

from app.core.errors import AppError
from app.core.i18n.text import _
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.viewer import ClientDep, Owner, SignedIn
from app.server.administration.schemas import AnnouncementForm, CodeForm, InvitationForm, ModeForm, NameForm
from app.server.administration.site import SiteAdministration
from app.site.accounts.registration import MOST_USES, Registration
from app.site.announcements.service import LONGEST

router = page_router()

_MODES = (
    (Registration.OPEN, _("everybody")),
    (Registration.INVITATION, _("people with an invitation")),
    (Registration.CLOSED, _("nobody")),
)


@router.get("/admin/site")
async def site(viewer: SignedIn, administration: Part[SiteAdministration]) -> Response:
    """Show what is announced, who may register, and which names are reserved."""
    return await _site(viewer, administration, {})


@router.post("/admin/announcement")
async def announce(
    owner: Owner, client: ClientDep, administration: Part[SiteAdministration], submission: SubmissionDep
) -> Response:
    """Announce something."""
    return await submission.carry_out(
        AnnouncementForm,
        lambda form: administration.announce(owner, client, form.texts(), form.ends_at),
        then="/admin/site",
        refused=partial(_site, owner, administration, submission.values),
    )


@router.post("/admin/announcement/end")
async def withdraw(owner: Owner, client: ClientDep, administration: Part[SiteAdministration]) -> Response:
    """Take back what is announced."""
    await administration.withdraw(owner, client)
    return RedirectResponse("/admin/site", 303)


@router.post("/admin/registration")
async def set_registration(
    owner: Owner, client: ClientDep, administration: Part[SiteAdministration], submission: SubmissionDep
) -> Response:
    """Decide who may register."""
    return await submission.carry_out(
        ModeForm,
        lambda form: administration.set_registration(owner, client, form.mode),
        then="/admin/site#registration",
        refused=partial(_site, owner, administration, submission.values),
    )


@router.post("/admin/invitations")
async def invite(
    owner: Owner, client: ClientDep, administration: Part[SiteAdministration], submission: SubmissionDep
) -> Response:
    """Make an invitation."""
    return await submission.carry_out(
        InvitationForm,
        lambda form: administration.invite(owner, client, form.most, form.invited_until),
        then="/admin/site#registration",
        refused=partial(_site, owner, administration, submission.values),
    )


@router.post("/admin/invitations/end")
async def end_invitation(
    owner: Owner, client: ClientDep, administration: Part[SiteAdministration], submission: SubmissionDep
) -> Response:
    """End an invitation."""
    return await submission.carry_out(
        CodeForm,
        lambda form: administration.end_invitation(owner, client, form.code),
        then="/admin/site#registration",
        refused=partial(_site, owner, administration, {}),
    )


@router.post("/admin/names")
async def reserve(
    owner: Owner, client: ClientDep, administration: Part[SiteAdministration], submission: SubmissionDep
) -> Response:
    """Reserve a name."""
    return await submission.carry_out(
        NameForm,
        lambda form: administration.reserve(owner, client, form.name),
        then="/admin/site#names",
        refused=partial(_site, owner, administration, submission.values),
    )


@router.post("/admin/names/release")
async def release(
    owner: Owner, client: ClientDep, administration: Part[SiteAdministration], submission: SubmissionDep
) -> Response:
    """Release a reserved name."""
    return await submission.carry_out(
        NameForm,
        lambda form: administration.release(owner, client, form.name),
        then="/admin/site#names",
        refused=partial(_site, owner, administration, {}),
    )


async def _site(
    viewer: Identity,
    administration: SiteAdministration,
    form_values: Mapping[str, str],
    failure: AppError | None = None,
) -> Response:
    state = await administration.state(viewer)
    return page(
        "pages/admin_site.html",
        state=state,
        modes=_MODES,
        longest=LONGEST,
        most_uses=MOST_USES,
        form_values=form_values,
        failure=failure,
    )
