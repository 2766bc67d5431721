"""Pages to log in and out, to register, and to start playing as a guest."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.accounts.credentials import WrongCredentialsError
from app.accounts.deps import AccountsDep, LogInsDep, SiteDep
from app.accounts.forms import CredentialsForm, PasskeyForm
from app.errors import AppError, InvalidError
from app.identity.viewer import ClientDep, SignedIn, SignInDep, Viewer
from app.web.addresses import own_path
from app.web.forms import Submission, SubmissionDep, form_errors
from app.web.redirects import go
from app.web.render import page

router = APIRouter(include_in_schema=False)


@router.get("/login")
async def login_page(request: Request, viewer: Viewer, next: str = "/lobby") -> Response:  # noqa: A002
    """Show the log-in form."""
    if viewer is not None and not viewer.is_guest:
        return RedirectResponse(own_path(next), 303)
    return page(request, "pages/login.html", form_values={}, form_errors={}, next=own_path(next))


@router.post("/login")
async def login(
    request: Request,
    viewer: Viewer,
    log_ins: LogInsDep,
    client: ClientDep,
    sign_in: SignInDep,
    submission: SubmissionDep,
) -> Response:
    """Log in and go on to the page that the visitor came from."""
    try:
        form = submission.parse(CredentialsForm)
        token = await log_ins.log_in(form.username, form.password, client, presented=viewer)
    except (InvalidError, WrongCredentialsError) as error:
        return _refused(request, submission, error)
    sign_in.logged_in(token)
    return sign_in.finish(RedirectResponse(_next(submission), 303))


@router.post("/login/passkey/options")
async def passkey_options(log_ins: LogInsDep, client: ClientDep, site: SiteDep) -> Response:
    """Return what a browser needs to ask for a passkey."""
    return Response(await log_ins.passkey_options(client, site), media_type="application/json")


@router.post("/login/passkey")
async def log_in_by_passkey(
    request: Request,
    viewer: Viewer,
    log_ins: LogInsDep,
    client: ClientDep,
    site: SiteDep,
    sign_in: SignInDep,
    submission: SubmissionDep,
) -> Response:
    """Log in by a passkey and go on to the page that the visitor came from."""
    try:
        form = submission.parse(PasskeyForm)
        token = await log_ins.log_in_by_passkey(form.credential, client, site, presented=viewer)
    except InvalidError as error:
        return _refused(request, submission, error)
    sign_in.logged_in(token)
    return sign_in.finish(RedirectResponse(_next(submission), 303))


@router.get("/register")
async def register_page(request: Request, viewer: Viewer, next: str = "/lobby") -> Response:  # noqa: A002
    """Show the form for a new account."""
    if viewer is not None and not viewer.is_guest:
        return RedirectResponse(own_path(next), 303)
    return page(request, "pages/register.html", form_values={}, form_errors={}, next=own_path(next))


@router.post("/register")
async def register(
    request: Request,
    viewer: Viewer,
    accounts: AccountsDep,
    client: ClientDep,
    sign_in: SignInDep,
    submission: SubmissionDep,
) -> Response:
    """Register an account, log it in and go on to the page that the visitor came from.

    A guest becomes that account and keeps all games.
    """
    try:
        form = submission.parse(CredentialsForm)
        token = await accounts.register(form.username, form.password, client, presented=viewer)
    except InvalidError as error:
        return page(
            request,
            "pages/register.html",
            status=error.status,
            form_values=submission.values,
            form_errors=form_errors(error),
            next=_next(submission),
        )
    sign_in.logged_in(token)
    return sign_in.finish(RedirectResponse(_next(submission), 303))


@router.post("/guest")
async def guest(request: Request, viewer: Viewer, sign_in: SignInDep, submission: SubmissionDep) -> Response:
    """Log a visitor in as a new guest."""
    await sign_in.viewer_or_guest(viewer)
    return sign_in.finish(go(request, _next(submission)))


@router.post("/logout")
async def logout(viewer: SignedIn, log_ins: LogInsDep, client: ClientDep, sign_in: SignInDep) -> Response:
    """Log out; live connections of the browser's other pages close."""
    await log_ins.log_out(viewer, client)
    return sign_in.forget(RedirectResponse("/", 303))


def _next(submission: Submission) -> str:
    return own_path(submission.values.get("next", "/lobby"))


def _refused(request: Request, submission: Submission, error: AppError) -> Response:
    """Return the log-in form with what is wrong."""
    return page(
        request,
        "pages/login.html",
        status=error.status,
        form_values=submission.values,
        form_errors=form_errors(error),
        next=_next(submission),
    )
