"""Pages to log in and out, to register, and to start playing as a guest, or go on with an account."""

from collections.abc import Mapping
from functools import partial
from urllib.parse import urlencode

from starlette.responses import RedirectResponse, Response

from app.core.errors import AppError, ForbiddenError, InvalidError, UnauthenticatedError
from app.core.web.addresses import own_path
from app.core.web.deps import Part, SiteUrl
from app.core.web.forms import NO_VALUES, Submission, SubmissionDep
from app.core.web.params import NextPage
from app.core.web.redirects import go
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import ClientDep, GuestAside, SignedIn, SignIn, SignInDep, Viewer
from app.site.accounts.credentials import ClosedError, WrongCredentialsError
from app.site.accounts.guests import Guests, Plan
from app.site.accounts.log_ins import CodeNeeded, LoggedIn, LogIns
from app.site.accounts.schemas import (
    CredentialsForm,
    GuestForm,
    PasskeyForm,
    PendingForm,
    RegisterForm,
    ResetForm,
)
from app.site.accounts.second_factor import PendingEndedError
from app.site.accounts.service import Accounts
from app.site.accounts.views import SAVED, brought_texts, left_texts

router = page_router()


@router.get("/login")
async def login_page(
    viewer: Viewer, guests: Part[Guests], next_page: NextPage = "/lobby", saved: str = ""
) -> Response:
    """Show the log-in form."""
    if viewer is not None and not viewer.is_guest:
        return RedirectResponse(next_page, 303)
    return await _login(guests, viewer, next_page, notice=SAVED.get(saved, ""))


@router.post("/login")
async def login(
    viewer: Viewer,
    guests: Part[Guests],
    log_ins: Part[LogIns],
    client: ClientDep,
    sign_in: SignInDep,
    submission: SubmissionDep,
) -> Response:
    """Log in and go on to the page that the visitor came from."""
    try:
        form = submission.parse(CredentialsForm)
        outcome = await log_ins.log_in(form.username, form.password, client, presented=viewer)
    except ClosedError as error:
        return RedirectResponse(error.appeal, 303)
    except (InvalidError, WrongCredentialsError) as error:
        return await _login(guests, viewer, _next(submission), error, submission.values)
    if isinstance(outcome, CodeNeeded):
        return _ask_for_code(submission, outcome.pending)
    return _go_on(sign_in, outcome, _next(submission))


@router.get("/login/code")
async def back() -> Response:
    """Redirect a reload of the address to the log-in form."""
    return RedirectResponse("/login", 303)


@router.post("/login/code")
async def answer_code(
    viewer: Viewer,
    guests: Part[Guests],
    log_ins: Part[LogIns],
    client: ClientDep,
    sign_in: SignInDep,
    submission: SubmissionDep,
) -> Response:
    """Complete a log-in by a code and go on to the page that the visitor came from."""
    try:
        form = submission.parse(PendingForm)
        entered = await log_ins.answer_code(form.pending, form.code, client, presented=viewer)
    except PendingEndedError as error:
        return await _login(guests, viewer, _next(submission), error, submission.values)
    except InvalidError as error:
        return _ask_for_code(submission, submission.values.get("pending", ""), error)
    return _go_on(sign_in, entered, _next(submission))


@router.get("/login/recover")
async def recover_page() -> Response:
    """Show the form that replaces a forgotten password."""
    return await _recover({})


@router.post("/login/recover")
async def recover(log_ins: Part[LogIns], client: ClientDep, submission: SubmissionDep) -> Response:
    """Replace a forgotten password by a recovery code."""
    return await submission.carry_out(
        ResetForm,
        lambda form: log_ins.reset_password(form.username, form.code, form.new_password, client),
        then="/login?saved=reset",
        refused=partial(_recover, submission.values),
    )


async def _recover(values: Mapping[str, str], error: AppError | None = None) -> Response:
    return page("pages/recover.html", failure=error, form_values=values)


@router.post("/login/passkey/options")
async def passkey_options(log_ins: Part[LogIns], client: ClientDep, site_url: SiteUrl) -> Response:
    """Return what a browser needs to ask for a passkey."""
    return Response(await log_ins.passkey_options(client, site_url), media_type="application/json")


@router.post("/login/passkey")
async def log_in_by_passkey(
    viewer: Viewer,
    guests: Part[Guests],
    log_ins: Part[LogIns],
    client: ClientDep,
    site_url: SiteUrl,
    sign_in: SignInDep,
    submission: SubmissionDep,
) -> Response:
    """Log in by a passkey and go on to the page that the visitor came from."""
    try:
        form = submission.parse(PasskeyForm)
        entered = await log_ins.log_in_by_passkey(form.credential, client, site_url, presented=viewer)
    except InvalidError as error:
        return await _login(guests, viewer, _next(submission), error, submission.values)
    return _go_on(sign_in, entered, _next(submission))


@router.get("/register")
async def register_page(
    viewer: Viewer, accounts: Part[Accounts], next_page: NextPage = "/lobby", invitation: str = ""
) -> Response:
    """Show the form for a new account, or why there is none."""
    if viewer is not None and not viewer.is_guest:
        return RedirectResponse(next_page, 303)
    return page(
        "pages/register.html",
        form_values={"invitation": invitation},
        next=next_page,
        obstacle=await accounts.obstacle_to_registering(invitation),
    )


@router.post("/register")
async def register(
    viewer: Viewer, accounts: Part[Accounts], client: ClientDep, sign_in: SignInDep, submission: SubmissionDep
) -> Response:
    """Register an account, log it in and go on to the page that the visitor came from.

    A guest becomes that account and keeps all games.
    """
    try:
        form = submission.parse(RegisterForm)
        token = await accounts.register(
            form.username, form.password, client, presented=viewer, invitation=form.invitation
        )
    except (InvalidError, ForbiddenError) as error:
        return page(
            "pages/register.html",
            failure=error,
            form_values=submission.values,
            next=_next(submission),
            obstacle="",
        )
    sign_in.logged_in(token)
    return sign_in.finish(RedirectResponse(_next(submission), 303))


@router.post("/guest")
async def play_as_guest(viewer: Viewer, sign_in: SignInDep, submission: SubmissionDep) -> Response:
    """Log a visitor in as a new guest."""
    await sign_in.viewer_or_guest(viewer)
    return sign_in.finish(go(_next(submission)))


@router.post("/logout")
async def logout(viewer: Viewer, log_ins: Part[LogIns], client: ClientDep, sign_in: SignInDep) -> Response:
    """Log out, whoever the page was opened for; live connections of the browser's other pages close."""
    if viewer is None:
        raise UnauthenticatedError
    await log_ins.log_out(viewer, client)
    return sign_in.forget(RedirectResponse("/", 303))


def _next(submission: Submission) -> str:
    return own_path(submission.values.get("next", "/lobby"))


def _go_on(sign_in: SignIn, entered: LoggedIn, next_page: str) -> Response:
    """Set the cookies of a log-in and go on; a guest who has games or runs is asked about them first."""
    sign_in.logged_in(entered.token)
    if entered.guest_token is not None:
        sign_in.keep_guest_aside(entered.guest_token)
        next_page = f"/login/guest?{urlencode({'next': next_page})}"
    return sign_in.finish(RedirectResponse(next_page, 303))


def _ask_for_code(submission: Submission, pending: str, error: AppError | None = None) -> Response:
    return page("pages/login_code.html", failure=error, pending=pending, next=_next(submission))


async def _login(
    guests: Guests,
    viewer: Identity | None,
    next_page: str,
    error: AppError | None = None,
    values: Mapping[str, str] = NO_VALUES,
    *,
    notice: str = "",
) -> Response:
    return page(
        "pages/login.html",
        failure=error,
        form_values=values,
        next=next_page,
        notice=notice,
        guest_waits=await guests.has_any(viewer),
    )


@router.get("/login/guest")
async def guest_page(
    viewer: SignedIn, guest: GuestAside, guests: Part[Guests], next_page: NextPage = "/lobby"
) -> Response:
    """Ask whether what the guest has comes along into the account."""
    if guest is None or not await guests.has_any(guest):
        return RedirectResponse(next_page, 303)
    return _guest_page(guest, await guests.plan(guest.id, viewer.id), next_page)


@router.post("/login/guest")
async def bring_along(
    viewer: Stepping, guest: GuestAside, guests: Part[Guests], sign_in: SignInDep, submission: SubmissionDep
) -> Response:
    """Bring along what may come, and say what may not, or keep everything apart."""
    form = submission.parse(GuestForm)
    gone_on = RedirectResponse(form.next, 303)
    if guest is None or form.choice == "apart":
        return gone_on
    brought = await guests.bring(guest, viewer)
    if brought.left:
        return _guest_page(guest, await guests.plan(guest.id, viewer.id), form.next)
    return sign_in.forget_guest(gone_on)


def _guest_page(guest: Identity, plan: Plan, next_page: str) -> Response:
    return page(
        "pages/guest.html",
        guest=guest.username,
        brought=brought_texts(plan),
        left=left_texts(plan),
        next=next_page,
    )
