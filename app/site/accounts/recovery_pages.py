"""Pages to enter an e-mail address, and to choose a new password by a link that was sent to it."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Annotated

from fastapi import Form, Query
from starlette.responses import RedirectResponse, Response

from app.core.errors import AppError
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep, form_errors
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.viewer import ClientDep, Owner
from app.people.mail.links import Purpose
from app.people.mail.pages import WHERE_OFFERED
from app.people.mail.service import Mail
from app.site.accounts.forms import EmailForm, NewPasswordForm
from app.site.accounts.recovery import Recovery

router = page_router(dependencies=WHERE_OFFERED)


@router.get("/email")
async def email_page(owner: Owner, mail: Part[Mail], saved: str = "") -> Response:
    """Show the e-mail address of the account, and the form for another one."""
    return await _email(mail, owner, is_saved=saved == "1")


@router.post("/email")
async def set_address(
    owner: Owner,
    recovery: Part[Recovery],
    mail: Part[Mail],
    client: ClientDep,
    submission: SubmissionDep,
) -> Response:
    """Send a link to an address."""
    return await submission.carry_out(
        EmailForm,
        lambda form: recovery.set_address(owner, form.email, client),
        then="/email?saved=1",
        refused=partial(_email, mail, owner, values=submission.values),
    )


@router.post("/email/remove")
async def remove_address(owner: Owner, recovery: Part[Recovery], client: ClientDep) -> Response:
    """Forget the address of the account."""
    await recovery.remove_address(owner, client)
    return RedirectResponse("/email?saved=1", 303)


async def _email(
    mail: Mail,
    owner: Identity,
    error: AppError | None = None,
    *,
    values: Mapping[str, str] = MappingProxyType({}),
    is_saved: bool = False,
) -> Response:
    return page(
        "pages/email.html",
        status=error.status if error else 200,
        email=await mail.address(owner),
        form_values=values,
        form_errors=form_errors(error) if error else {},
        is_saved=is_saved,
    )


@router.get("/password/forgot")
async def forgotten_page() -> Response:
    """Show the form of somebody who has forgotten the password."""
    return page("pages/forgotten.html", form_values={}, form_errors={}, is_sent=False)


@router.post("/password/forgot")
async def forgotten(recovery: Part[Recovery], client: ClientDep, submission: SubmissionDep) -> Response:
    """Send links to choose a new password, if the address is known; the answer is always the same."""
    try:
        await recovery.ask(submission.parse(EmailForm).email, client)
    except AppError as error:
        return page(
            "pages/forgotten.html",
            status=error.status,
            form_values=submission.values,
            form_errors=form_errors(error),
            is_sent=False,
        )
    return page("pages/forgotten.html", form_values={}, form_errors={}, is_sent=True)


@router.get("/password/reset")
async def reset_page(mail: Part[Mail], token: Annotated[str, Query(max_length=64)] = "") -> Response:
    """Show the form for a new password."""
    username = await mail.owner_of_link(token, Purpose.RESET)
    return await _reset(token, username)


@router.post("/password/reset")
async def reset(
    recovery: Part[Recovery], mail: Part[Mail], client: ClientDep, submission: SubmissionDep
) -> Response:
    """Set the new password, and lead to the log-in."""
    token = submission.values.get("token", "")
    username = await mail.owner_of_link(token, Purpose.RESET)
    return await submission.carry_out(
        NewPasswordForm,
        lambda form: recovery.reset(token, form.new_password, client, revoke_tokens=form.revoke_tokens),
        then="/login?saved=reset",
        refused=partial(_reset, token, username),
    )


@router.get("/email/undo")
async def undo_page(mail: Part[Mail], token: Annotated[str, Query(max_length=64)] = "") -> Response:
    """Ask whether to give an account the address back that a link was sent to."""
    username, address = await mail.owner_of_undo(token)
    return page("pages/undo_email.html", token=token, username=username, address=address)


@router.post("/email/undo")
async def undo(
    recovery: Part[Recovery], client: ClientDep, token: Annotated[str, Form(max_length=64)] = ""
) -> Response:
    """Restore the account's address, and redirect to the form for a new password."""
    return RedirectResponse(f"/password/reset?token={await recovery.undo(token, client)}", 303)


async def _reset(token: str, username: str, error: AppError | None = None) -> Response:
    return page(
        "pages/reset.html",
        status=error.status if error else 200,
        token=token,
        username=username,
        form_errors=form_errors(error) if error else {},
    )
