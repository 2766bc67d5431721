"""The pages of settings: how things look and sound, where one is logged in, and tokens for programs."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.accounts import access, views
from app.database.session import Database
from app.errors import ConflictError, FieldError
from app.events import ProofRevoked
from app.identity.service import Identity
from app.identity.viewer import SignedIn, Viewer
from app.web.deps import BusDep, DatabaseDep
from app.web.render import page

router = APIRouter(include_in_schema=False)

Text = Annotated[str, Form(max_length=256)]


@router.get("/account")
async def account_page(request: Request, viewer: Viewer, database: DatabaseDep, saved: str = "") -> Response:
    """Show what one may change about one's account."""
    if viewer is None:
        return RedirectResponse("/login?next=/account", 303)
    return await settings_page(request, database, viewer, saved=saved)


@router.get("/account/{form}")
async def back(form: str) -> Response:  # noqa: ARG001 - whichever it is
    """Lead who loads the address of one of the forms again back to the settings."""
    return RedirectResponse("/account", 303)


@router.post("/account/preferences")
async def prefer(request: Request, viewer: SignedIn, database: DatabaseDep) -> Response:
    """Keep how things are to look and sound."""
    form = await request.form()
    choices = {name: str(form[name]) for name in access.PREFERENCES if name in form}
    async with database.transaction() as session:
        await access.prefer(session, viewer, choices)
    return RedirectResponse("/account?saved=preferences", 303)


@router.post("/account/tokens")
async def make_token(
    request: Request,
    viewer: SignedIn,
    database: DatabaseDep,
    name: Text = "",
    scope: Text = "",
    days: Text = "",
) -> Response:
    """Make a token and show it, this once."""
    try:
        async with database.transaction() as session:
            lifetime = int(days) if days.isascii() and days.isdigit() else None
            token = await access.make_token(session, viewer, name, [scope], lifetime)
    except (FieldError, ConflictError) as error:
        field = error.field if isinstance(error, FieldError) else "form"
        return await settings_page(
            request,
            database,
            viewer,
            status=error.status,
            errors={field: error.message},
            values={"name": name},
        )
    return await settings_page(request, database, viewer, token=token)


@router.post("/account/keys/{handle}/revoke")
async def revoke(handle: str, viewer: SignedIn, database: DatabaseDep, bus: BusDep) -> Response:
    """Log a browser out or revoke a token; what it has open is closed."""
    async with database.transaction() as session:
        ended = await access.revoke(session, viewer, handle)
    bus.publish(ProofRevoked(ended.hex()))
    return RedirectResponse("/account?saved=revoked", 303)


async def settings_page(
    request: Request,
    database: Database,
    viewer: Identity,
    *,
    status: int = 200,
    errors: dict[str, str] | None = None,
    values: dict[str, str] | None = None,
    saved: str = "",
    token: str = "",
) -> Response:
    """Give the page of settings with what was entered, what is wrong with it, or what was saved."""
    async with database.transaction() as session:
        shown: dict[str, Any] = {
            "sessions": await access.sessions(session, viewer),
            "tokens": await access.tokens(session, viewer),
        }
    chosen = {name: viewer.preferences.get(name, offered[0]) for name, offered in access.PREFERENCES.items()}
    return page(
        request,
        "pages/account.html",
        status=status,
        form_errors=errors or {},
        form_values=values or {"name": ""},
        notice=views.SAVED.get(saved, ""),
        token=token,
        preferences=views.PREFERENCES,
        chosen=chosen,
        scopes=views.SCOPES,
        expiries=views.EXPIRY_CHOICES,
        **shown,
    )
