"""The settings: how pages look and sound, and whether a program plays."""

from typing import Any

from starlette.responses import RedirectResponse, Response

from app.core.errors import AppError
from app.core.settings import Settings
from app.core.web.addresses import own_path
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.language import keep_language
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.viewer import ClientDep, GuestAside, PageOwner, SignedIn, Viewer
from app.site.accounts import preferences, views
from app.site.accounts.schemas import LanguageForm
from app.site.accounts.service import Accounts

router = page_router()


@router.get("/account")
async def account_page(viewer: PageOwner, guest: GuestAside, saved: str = "") -> Response:
    """Show the settings."""
    return _settings(viewer, guest, notice=views.SAVED.get(saved, ""))


@router.get("/account/computer")
async def back() -> Response:
    """Redirect a reload of a form's address to the settings."""
    return RedirectResponse("/account", 303)


@router.post("/account/preferences")
async def set_preferences(viewer: SignedIn, accounts: Part[Accounts], submission: SubmissionDep) -> Response:
    """Store preferences."""
    await accounts.set_preferences(viewer, submission.values)
    return RedirectResponse("/account?saved=preferences", 303)


@router.post("/language")
async def choose_language(
    viewer: Viewer, accounts: Part[Accounts], settings: Part[Settings], submission: SubmissionDep
) -> Response:
    """Show all pages in another language from now on, and keep it in the account if there is one."""
    form = submission.parse(LanguageForm)
    if viewer is not None:
        await accounts.set_preferences(viewer, {"language": form.language})
    answer = RedirectResponse(own_path(form.next), 303)
    return keep_language(answer, form.language, secure=settings.secure)


@router.post("/account/computer")
async def declare_computer(
    viewer: SignedIn, guest: GuestAside, accounts: Part[Accounts], client: ClientDep
) -> Response:
    """Label the account as one that a program plays with."""
    try:
        await accounts.declare_computer(viewer, client)
    except AppError as error:
        return _settings(viewer, guest, status=error.status, form_errors={"computer": error.message})
    return RedirectResponse("/account?saved=computer", 303)


def _settings(viewer: Identity, guest: Identity | None, *, notice: str = "", **context: Any) -> Response:
    return page(
        "pages/account.html",
        notice=notice,
        guest=guest,
        preferences=preferences.PREFERENCES,
        chosen=preferences.chosen(viewer.preferences),
        **context,
    )
