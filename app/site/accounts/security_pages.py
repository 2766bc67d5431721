"""The settings about security: the password, passkeys, codes, devices, API tokens, and closing."""

from collections.abc import Mapping
from functools import partial

from starlette.responses import RedirectResponse, Response

from app.core.database.unreadable import readable
from app.core.errors import AppError, ConflictError, InvalidError
from app.core.web.addresses import own_path
from app.core.web.deps import Part, SiteUrl
from app.core.web.forms import NO_VALUES, Submission, SubmissionDep
from app.core.web.params import NextPage
from app.core.web.render import page
from app.people.identity import audit
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.viewer import ClientDep, Owner, SignedIn, SignInDep
from app.site.accounts import schemas, views
from app.site.accounts.credentials import MAY_RETURN
from app.site.accounts.security import Security
from app.site.accounts.service import Accounts

router = page_router()

_PAGE = "/account/security"
_NEW_TOKEN = {"name": "", "scope": "play", "days": "365"}


@router.get("/account/security")
async def security_page(owner: Owner, security: Part[Security], saved: str = "") -> Response:
    """Show what protects the account."""
    return await _security(security, owner, notice=views.SAVED.get(saved, ""))


@router.get("/account/password")
@router.get("/account/passkeys")
@router.get("/account/tokens")
@router.get("/account/close")
@router.get("/account/second-factor")
@router.get("/account/second-factor/confirm")
@router.get("/account/recovery-codes")
async def back() -> Response:
    """Redirect a reload of a form's address to the settings about security."""
    return RedirectResponse(_PAGE, 303)


@router.get("/account/confirm")
async def confirm_page(viewer: SignedIn, security: Part[Security], next_page: NextPage = _PAGE) -> Response:
    """Ask for the password or a passkey."""
    return await _confirmation(viewer, security, next_page)


@router.post("/account/confirm")
async def confirm(
    viewer: SignedIn, security: Part[Security], client: ClientDep, submission: SubmissionDep
) -> Response:
    """Confirm by the password that the owner is there, and go on."""
    return await submission.carry_out(
        schemas.Confirmed,
        lambda form: security.confirm_by_password(viewer, form.password, client),
        then=_next(submission),
        refused=partial(_confirmation, viewer, security, _next(submission)),
    )


@router.post("/account/confirm/passkey")
async def confirm_by_passkey(
    viewer: SignedIn, security: Part[Security], site_url: SiteUrl, submission: SubmissionDep
) -> Response:
    """Confirm by a passkey that the owner is there, and go on."""
    return await submission.carry_out(
        schemas.PasskeyForm,
        lambda form: security.confirm_by_passkey(viewer, form.credential, site_url),
        then=_next(submission),
        refused=partial(_confirmation, viewer, security, _next(submission)),
    )


@router.post("/account/confirm/passkey/options")
async def passkey_options(viewer: SignedIn, security: Part[Security], site_url: SiteUrl) -> Response:
    """Return what a browser needs to ask for one of the account's passkeys."""
    return Response(await security.passkey_options(viewer, site_url), media_type="application/json")


@router.post("/account/password")
async def change_password(
    owner: Owner, security: Part[Security], client: ClientDep, submission: SubmissionDep
) -> Response:
    """Change the password and log the account's other browsers out, and programs if asked to."""
    return await submission.carry_out(
        schemas.PasswordForm,
        lambda form: security.change_password(
            owner, client, new=form.new_password, revoke_tokens=form.revoke_tokens
        ),
        then=f"{_PAGE}?saved=password",
        refused=partial(_security, security, owner),
    )


@router.post("/account/passkeys/options")
async def new_passkey_options(owner: Owner, security: Part[Security], site_url: SiteUrl) -> Response:
    """Return what a browser needs to make a passkey for the account."""
    return Response(await security.new_passkey_options(owner, site_url), media_type="application/json")


@router.post("/account/passkeys")
async def add_passkey(
    owner: Owner, security: Part[Security], client: ClientDep, site_url: SiteUrl, submission: SubmissionDep
) -> Response:
    """Store a passkey that the browser made."""
    return await submission.carry_out(
        schemas.NewPasskeyForm,
        lambda form: security.add_passkey(owner, form.passkey_name, form.credential, client, site_url),
        then=f"{_PAGE}?saved=passkey",
        refused=partial(_security, security, owner, values=submission.values),
    )


@router.post("/account/passkeys/{handle}/revoke")
async def remove_passkey(handle: str, owner: Owner, security: Part[Security], client: ClientDep) -> Response:
    """Delete a passkey."""
    await security.remove_passkey(owner, handle, client)
    return RedirectResponse(f"{_PAGE}?saved=revoked", 303)


@router.post("/account/tokens")
async def create_token(
    owner: Owner, security: Part[Security], client: ClientDep, submission: SubmissionDep
) -> Response:
    """Create an API token and show it. It is not shown again."""
    try:
        form = submission.parse(schemas.TokenForm)
        token = await security.create_token(
            owner, client, name=form.name, scopes=[form.scope], lifetime=form.lifetime
        )
    except (InvalidError, ConflictError) as error:
        return await _security(security, owner, error=error, values=submission.values)
    return await _security(security, owner, token=token)


@router.post("/account/keys/{handle}/revoke")
async def revoke(handle: str, viewer: SignedIn, security: Part[Security], client: ClientDep) -> Response:
    """Log a browser out or revoke an API token; its live connections close."""
    await security.revoke(viewer, handle, client)
    return RedirectResponse(f"{_PAGE}?saved=revoked", 303)


@router.post("/account/close")
async def close(
    owner: Owner,
    accounts: Part[Accounts],
    security: Part[Security],
    client: ClientDep,
    sign_in: SignInDep,
    submission: SubmissionDep,
) -> Response:
    """Close the account, and erase its name and texts if asked to."""
    try:
        form = submission.parse(schemas.CloseForm)
        await accounts.close(owner, client, erase=form.erase, keep_results=form.keep_results)
    except InvalidError as error:
        return await _security(security, owner, error=error)
    return sign_in.forget(RedirectResponse("/", 303))


def _next(submission: Submission) -> str:
    return own_path(submission.values.get("next", _PAGE))


async def _confirmation(
    viewer: Identity, security: Security, next_page: str, error: AppError | None = None
) -> Response:
    protection = await security.protection(viewer)
    return page("pages/confirm.html", failure=error, has_passkey=bool(protection.passkeys), next=next_page)


async def _security(
    security: Security,
    owner: Identity,
    error: AppError | None = None,
    *,
    values: Mapping[str, str] = NO_VALUES,
    notice: str = "",
    token: str = "",
) -> Response:
    """Return the settings with the messages of an error, or with a notice, or with a new token."""
    protection = await security.protection(owner)
    return page(
        "pages/security.html",
        protection=protection,
        failure=error,
        form_values={**_NEW_TOKEN, **values},
        notice=notice,
        token=token,
        scopes=views.SCOPES,
        expiries=views.EXPIRY_CHOICES,
        events=readable(views.event_row, protection.events),
        events_days=audit.KEPT_FOR.days,
        erasure_days=MAY_RETURN.days,
    )


@router.post("/account/second-factor")
async def begin_second_factor(owner: Owner, security: Part[Security]) -> Response:
    """Show the secret for an authenticator app, and ask for its first code."""
    return page("pages/second_factor.html", setup=await security.begin_second_factor(owner))


@router.post("/account/second-factor/confirm")
async def confirm_second_factor(
    owner: Owner, security: Part[Security], client: ClientDep, submission: SubmissionDep
) -> Response:
    """Put the second factor into effect, and show recovery codes if there were none."""
    try:
        form = submission.parse(schemas.CodeForm)
        codes = await security.add_second_factor(owner, form.code, client)
    except InvalidError as error:
        setup = await security.second_factor_setup(owner)
        return page("pages/second_factor.html", failure=error, setup=setup)
    if codes:
        return page("pages/recovery_codes.html", codes=codes)
    return RedirectResponse(f"{_PAGE}?saved=second_factor", 303)


@router.post("/account/second-factor/remove")
async def remove_second_factor(owner: Owner, security: Part[Security], client: ClientDep) -> Response:
    """Remove the second factor."""
    await security.remove_second_factor(owner, client)
    return RedirectResponse(f"{_PAGE}?saved=second_factor_removed", 303)


@router.post("/account/recovery-codes")
async def new_recovery_codes(owner: Owner, security: Part[Security], client: ClientDep) -> Response:
    """Make new recovery codes and show them. They are not shown again."""
    return page("pages/recovery_codes.html", codes=await security.new_recovery_codes(owner, client))
