"""The settings: how pages look and sound, whether a program plays; and what is done by mail."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

from fastapi import Form, Query
from starlette.responses import RedirectResponse, Response

from app.core.errors import AppError
from app.core.settings import Settings
from app.core.web.deps import Part
from app.core.web.forms import NO_VALUES, SubmissionDep, drawn_with
from app.core.web.language import keep_language
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.viewer import ClientDep, GuestAside, Owner, PageOwner, Sender, SignedIn
from app.people.mail.links import Purpose
from app.people.mail.pages import WHERE_OFFERED
from app.people.mail.service import Mail
from app.site.accounts import preferences, views
from app.site.accounts.schemas import EmailForm, LanguageForm, NewPasswordForm, Preferences
from app.site.accounts.security import Security
from app.site.accounts.service import Accounts

router = page_router()

mail_router = page_router(dependencies=WHERE_OFFERED)


@router.get("/account")
async def account_page(
    viewer: PageOwner, guest: GuestAside, security: Part[Security], saved: str = ""
) -> Response:
    """Show the account, and on phones the list of the settings."""
    has_codes = viewer.is_guest or await security.count_recovery_codes(viewer.id) > 0
    return _settings(guest, notice=views.SAVED.get(saved, ""), has_codes=has_codes)


@router.get("/account/computer")
async def back() -> Response:
    """Redirect a reload of a form's address to the settings."""
    return RedirectResponse("/account", 303)


@router.get("/account/preferences")
async def preferences_page(viewer: PageOwner, saved: str = "") -> Response:
    """Show how pages look and sound."""
    return await _preferences(drawn_with(preferences.chosen(viewer.preferences)), is_saved=saved == "1")


@router.post("/account/preferences")
async def set_preferences(viewer: SignedIn, accounts: Part[Accounts], submission: SubmissionDep) -> Response:
    """Store preferences."""
    return await submission.change(
        partial(accounts.set_preferences, viewer),
        preferences.chosen,
        lambda sent: sent.parse(Preferences).given,
        then="/account/preferences?saved=1",
        refused=partial(_preferences, {**preferences.chosen(viewer.preferences), **submission.values}),
    )


async def _preferences(
    values: Mapping[str, str], error: AppError | None = None, *, is_saved: bool = False
) -> Response:
    return page(
        "pages/preferences.html",
        failure=error,
        is_saved=is_saved,
        preferences=preferences.PREFERENCES,
        form_values=values,
    )


@router.post("/language")
async def choose_language(
    viewer: Sender, accounts: Part[Accounts], settings: Part[Settings], submission: SubmissionDep
) -> Response:
    """Show all pages in another language from now on, and keep it in the account if there is one."""
    form = submission.parse(LanguageForm)
    if viewer is not None:
        await accounts.set_preferences(viewer, lambda _stored: {"language": form.language})
    answer = RedirectResponse(form.next, 303)
    return keep_language(answer, form.language, secure=settings.secure)


@router.post("/account/computer")
async def declare_computer(
    viewer: SignedIn, guest: GuestAside, accounts: Part[Accounts], client: ClientDep
) -> Response:
    """Label the account as one that a program plays with."""
    try:
        await accounts.declare_computer(viewer, client)
    except AppError as error:
        return _settings(guest, status=error.status, form_errors={"computer": error.message})
    return RedirectResponse("/account?saved=computer", 303)


def _settings(
    guest: Identity | None, *, notice: str = "", has_codes: bool = True, **context: Any
) -> Response:
    return page("pages/account.html", notice=notice, has_codes=has_codes, guest=guest, **context)


@mail_router.get("/email")
async def email_page(owner: Owner, mail: Part[Mail], saved: str = "") -> Response:
    """Show the e-mail address of the account, and the form for another one."""
    return await _email(mail, owner, is_saved=saved == "1")


@mail_router.post("/email")
async def set_address(
    owner: Owner, security: Part[Security], mail: Part[Mail], client: ClientDep, submission: SubmissionDep
) -> Response:
    """Send a link to an address."""
    return await submission.carry_out(
        EmailForm,
        lambda form: security.set_address(owner, form.email, client),
        then="/email?saved=1",
        refused=partial(_email, mail, owner, values=submission.values),
    )


@mail_router.post("/email/remove")
async def remove_address(owner: Owner, security: Part[Security], client: ClientDep) -> Response:
    """Forget the address of the account."""
    await security.remove_address(owner, client)
    return RedirectResponse("/email?saved=1", 303)


async def _email(
    mail: Mail,
    owner: Identity,
    error: AppError | None = None,
    *,
    values: Mapping[str, str] = NO_VALUES,
    is_saved: bool = False,
) -> Response:
    return page(
        "pages/email.html",
        failure=error,
        email=await mail.address(owner.id),
        form_values=values,
        is_saved=is_saved,
    )


@mail_router.get("/password/forgot")
async def forgotten_page() -> Response:
    """Show the form of somebody who has forgotten the password."""
    return page("pages/forgotten.html", form_values={}, is_sent=False)


@mail_router.post("/password/forgot")
async def forgotten(security: Part[Security], client: ClientDep, submission: SubmissionDep) -> Response:
    """Send links to choose a new password, if the address is known; the answer is always the same."""
    try:
        await security.ask_for_password(submission.parse(EmailForm).email, client)
    except AppError as error:
        return page("pages/forgotten.html", failure=error, form_values=submission.values, is_sent=False)
    return page("pages/forgotten.html", form_values={}, is_sent=True)


@mail_router.get("/password/reset")
async def reset_page(mail: Part[Mail], token: Annotated[str, Query(max_length=64)] = "") -> Response:
    """Show the form for a new password."""
    username = await mail.owner_of_link(token, Purpose.RESET)
    return await _reset(token, username)


@mail_router.post("/password/reset")
async def reset_password(
    security: Part[Security], mail: Part[Mail], client: ClientDep, submission: SubmissionDep
) -> Response:
    """Set the new password, and lead to the log-in."""
    token = submission.values.get("token", "")
    username = await mail.owner_of_link(token, Purpose.RESET)
    return await submission.carry_out(
        NewPasswordForm,
        lambda form: security.reset_password(
            token, form.new_password, client, revoke_tokens=form.revoke_tokens
        ),
        then="/login?saved=reset",
        refused=partial(_reset, token, username),
    )


@mail_router.get("/email/undo")
async def undo_page(security: Part[Security], token: Annotated[str, Query(max_length=64)] = "") -> Response:
    """Ask whether to give an account the address back that a link was sent to."""
    username, address = await security.owner_of_undo(token)
    return page("pages/undo_email.html", token=token, username=username, address=address)


@mail_router.post("/email/undo")
async def undo(
    security: Part[Security], client: ClientDep, token: Annotated[str, Form(max_length=64)] = ""
) -> Response:
    """Restore the account's address, and redirect to the form for a new password."""
    return RedirectResponse(f"/password/reset?token={await security.undo_address(token, client)}", 303)


async def _reset(token: str, username: str, error: AppError | None = None) -> Response:
    return page("pages/reset.html", failure=error, token=token, username=username)
