"""Pages to register, log in and out, play as a guest, and change a password."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from app.accounts.settings_pages import settings_page
from app.errors import AppError, FieldError
from app.events import ProofRevoked
from app.identity import service
from app.identity.viewer import (
    SignedIn,
    SignInDep,
    Viewer,
)
from app.realtime.bus import Bus
from app.web.deps import BusDep, DatabaseDep, ThrottleDep
from app.web.redirects import go, own_path
from app.web.render import page
from app.web.throttle import Limit, address

router = APIRouter(include_in_schema=False)

Text = Annotated[str, Form()]


@router.get("/login")
async def login_page(request: Request, viewer: Viewer, next: str = "/lobby") -> Response:  # noqa: A002
    """Show the log-in form."""
    if viewer is not None and not viewer.is_guest:
        return RedirectResponse(own_path(next), 303)
    return page(request, "pages/login.html", form_values={}, form_errors={}, next=own_path(next))


@router.post("/login")
async def login(
    request: Request,
    database: DatabaseDep,
    throttle: ThrottleDep,
    sign_in: SignInDep,
    username: Text = "",
    password: Text = "",
    next: Text = "/lobby",  # noqa: A002
) -> Response:
    """Log in, and go on to where the visitor wanted to go."""
    await throttle.hit(Limit.LOGIN, address(request))
    await throttle.hit(Limit.LOGIN, f"name:{username.lower()}")
    try:
        async with database.transaction() as session:
            account = await service.authenticate(session, username, password)
            sign_in.remember(await service.open_session(session, account, sign_in.browser))
    except AppError as error:
        return page(
            request,
            "pages/login.html",
            status=error.status,
            form_values={"username": username},
            form_errors={"form": error.message},
            next=own_path(next),
        )
    return sign_in.finish(RedirectResponse(own_path(next), 303))


@router.get("/register")
async def register_page(request: Request, viewer: Viewer) -> Response:
    """Show the form for a new account."""
    if viewer is not None and not viewer.is_guest:
        return RedirectResponse("/account", 303)
    return page(request, "pages/register.html", form_values={}, form_errors={})


@router.post("/register")
async def register(
    request: Request,
    viewer: Viewer,
    database: DatabaseDep,
    throttle: ThrottleDep,
    sign_in: SignInDep,
    username: Text = "",
    password: Text = "",
) -> Response:
    """Make an account and log it in; a guest becomes that account and keeps all games."""
    await throttle.hit(Limit.REGISTER, address(request))
    try:
        async with database.transaction() as session:
            account = await service.register(session, username, password, guest=viewer)
            sign_in.remember(await service.open_session(session, account, sign_in.browser))
    except FieldError as error:
        return page(
            request,
            "pages/register.html",
            status=error.status,
            form_values={"username": username},
            form_errors={error.field: error.message},
        )
    return sign_in.finish(RedirectResponse("/lobby", 303))


@router.post("/guest")
async def guest(
    request: Request,
    viewer: Viewer,
    sign_in: SignInDep,
    next: Text = "/lobby",  # noqa: A002
) -> Response:
    """Let somebody play at once."""
    await sign_in.viewer_or_guest(viewer)
    return sign_in.finish(go(request, own_path(next)))


@router.post("/logout")
async def logout(viewer: SignedIn, database: DatabaseDep, bus: BusDep, sign_in: SignInDep) -> Response:
    """Log out; pages that are still open elsewhere in this browser stop being pushed to."""
    async with database.transaction() as session:
        await service.end_session(session, viewer)
    bus.publish(ProofRevoked(viewer.proof.hex()))
    return sign_in.forget(RedirectResponse("/", 303))


@router.post("/account/password")
async def change_password(
    request: Request,
    viewer: SignedIn,
    database: DatabaseDep,
    throttle: ThrottleDep,
    bus: BusDep,
    current_password: Text = "",
    new_password: Text = "",
) -> Response:
    """Change the password and log the account's other sessions out."""
    await throttle.hit(Limit.LOGIN, f"name:{viewer.username.lower()}")
    try:
        async with database.transaction() as session:
            ended = await service.change_password(session, viewer, current_password, new_password)
    except FieldError as error:
        return await settings_page(
            request, database, viewer, status=error.status, errors={error.field: error.message}
        )
    _announce_ended(bus, ended)
    return RedirectResponse("/account?saved=password", 303)


def _announce_ended(bus: Bus, proofs: list[bytes]) -> None:
    for proof in proofs:
        bus.publish(ProofRevoked(proof.hex()))
