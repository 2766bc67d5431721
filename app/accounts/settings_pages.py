"""The settings: preferences, password, devices, API tokens, and closing the account."""

from collections.abc import Mapping
from types import MappingProxyType

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.accounts import preferences, views
from app.accounts.deps import AccountsDep
from app.accounts.forms import CloseForm, LanguageForm, PasswordForm, TokenForm
from app.accounts.service import Accounts
from app.errors import AppError, InvalidError
from app.identity.service import Identity
from app.identity.viewer import ClientDep, SignedIn, SignInDep, Viewer
from app.web.addresses import own_path
from app.web.deps import SettingsDep
from app.web.forms import SubmissionDep, form_errors
from app.web.language import keep_language
from app.web.render import page

router = APIRouter(include_in_schema=False)

_NEW_TOKEN = {"name": "", "scope": "play", "days": "365"}
_NONE: Mapping[str, str] = MappingProxyType({})


@router.get("/account")
async def account_page(request: Request, viewer: Viewer, accounts: AccountsDep, saved: str = "") -> Response:
    """Show the settings."""
    if viewer is None:
        return RedirectResponse("/login?next=/account", 303)
    return await _settings(request, accounts, viewer, notice=views.SAVED.get(saved, ""))


@router.get("/account/{form}")
async def back(form: str) -> Response:  # noqa: ARG001 - every form has its own address
    """Redirect a reload of a form's address to the settings."""
    return RedirectResponse("/account", 303)


@router.post("/account/preferences")
async def set_preferences(viewer: SignedIn, accounts: AccountsDep, submission: SubmissionDep) -> Response:
    """Store preferences."""
    await accounts.set_preferences(viewer, submission.values)
    return RedirectResponse("/account?saved=preferences", 303)


@router.post("/language")
async def choose_language(
    viewer: Viewer, accounts: AccountsDep, settings: SettingsDep, submission: SubmissionDep
) -> Response:
    """Show all pages in another language from now on, and keep it in the account if there is one."""
    form = submission.parse(LanguageForm)
    if viewer is not None:
        await accounts.set_preferences(viewer, {"language": form.language})
    answer = RedirectResponse(own_path(form.next), 303)
    return keep_language(answer, form.language, secure=settings.secure)


@router.post("/account/password")
async def change_password(
    request: Request,
    viewer: SignedIn,
    accounts: AccountsDep,
    client: ClientDep,
    submission: SubmissionDep,
) -> Response:
    """Change the password and log the account's other browsers out, and programs if asked to."""
    try:
        form = submission.parse(PasswordForm)
        await accounts.change_password(
            viewer,
            client,
            current=form.current_password,
            new=form.new_password,
            revoke_tokens=form.revoke_tokens,
        )
    except InvalidError as error:
        return await _settings(request, accounts, viewer, status=error.status, errors=form_errors(error))
    return RedirectResponse("/account?saved=password", 303)


@router.post("/account/tokens")
async def create_token(
    request: Request,
    viewer: SignedIn,
    accounts: AccountsDep,
    client: ClientDep,
    submission: SubmissionDep,
) -> Response:
    """Create an API token and show it. It is not shown again."""
    try:
        form = submission.parse(TokenForm)
        token = await accounts.create_token(
            viewer, client, name=form.name, scopes=[form.scope], lifetime=form.lifetime
        )
    except AppError as error:
        return await _settings(
            request,
            accounts,
            viewer,
            status=error.status,
            errors=form_errors(error),
            values=submission.values,
        )
    return await _settings(request, accounts, viewer, token=token)


@router.post("/account/keys/{handle}/revoke")
async def revoke(handle: str, viewer: SignedIn, accounts: AccountsDep, client: ClientDep) -> Response:
    """Log a browser out or revoke an API token; its live connections close."""
    await accounts.revoke(viewer, handle, client)
    return RedirectResponse("/account?saved=revoked", 303)


@router.post("/account/computer")
async def declare_computer(
    request: Request, viewer: SignedIn, accounts: AccountsDep, client: ClientDep
) -> Response:
    """Label the account as one that a program plays with."""
    try:
        await accounts.declare_computer(viewer, client)
    except AppError as error:
        return await _settings(
            request, accounts, viewer, status=error.status, errors={"computer": error.message}
        )
    return RedirectResponse("/account?saved=computer", 303)


@router.post("/account/close")
async def close(
    request: Request,
    viewer: SignedIn,
    accounts: AccountsDep,
    client: ClientDep,
    sign_in: SignInDep,
    submission: SubmissionDep,
) -> Response:
    """Close the account."""
    try:
        form = submission.parse(CloseForm)
        await accounts.close(viewer, form.close_password, client)
    except InvalidError as error:
        return await _settings(request, accounts, viewer, status=error.status, errors=form_errors(error))
    return sign_in.forget(RedirectResponse("/", 303))


async def _settings(
    request: Request,
    accounts: Accounts,
    viewer: Identity,
    *,
    status: int = 200,
    errors: Mapping[str, str] = _NONE,
    values: Mapping[str, str] = _NONE,
    notice: str = "",
    token: str = "",
) -> Response:
    """Return the settings with messages by field, or with a notice, or with a new token."""
    keys = await accounts.keys(viewer)
    return page(
        request,
        "pages/account.html",
        status=status,
        form_errors=errors,
        form_values={**_NEW_TOKEN, **values},
        notice=notice,
        token=token,
        preferences=preferences.PREFERENCES,
        chosen=preferences.chosen(viewer.preferences),
        scopes=views.SCOPES,
        expiries=views.EXPIRY_CHOICES,
        sessions=keys.sessions,
        tokens=keys.tokens,
        events=[views.event_row(event) for event in await accounts.events(viewer)],
    )
