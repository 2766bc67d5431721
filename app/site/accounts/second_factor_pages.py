"""The settings of the second factor and of recovery codes."""

from starlette.responses import RedirectResponse, Response

from app.core.errors import InvalidError
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep, form_errors
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.viewer import ClientDep, Owner
from app.site.accounts.forms import CodeForm
from app.site.accounts.second_factor import Setup
from app.site.accounts.security import Security

router = page_router()

_SETTINGS = "/account/security"


@router.get("/account/second-factor")
@router.get("/account/second-factor/confirm")
@router.get("/account/recovery-codes")
async def back() -> Response:
    """Redirect a reload of a form's address to the settings about security."""
    return RedirectResponse(_SETTINGS, 303)


@router.post("/account/second-factor")
async def begin(owner: Owner, security: Part[Security]) -> Response:
    """Show the secret for an authenticator app, and ask for its first code."""
    return _setup(await security.begin_second_factor(owner))


@router.post("/account/second-factor/confirm")
async def confirm(
    owner: Owner, security: Part[Security], client: ClientDep, submission: SubmissionDep
) -> Response:
    """Put the second factor into effect, and show recovery codes if there were none."""
    try:
        form = submission.parse(CodeForm)
        codes = await security.add_second_factor(owner, form.code, client)
    except InvalidError as error:
        return _setup(await security.second_factor_setup(owner), error)
    return _codes(codes) if codes else RedirectResponse(f"{_SETTINGS}?saved=second_factor", 303)


@router.post("/account/second-factor/remove")
async def remove(owner: Owner, security: Part[Security], client: ClientDep) -> Response:
    """Remove the second factor."""
    await security.remove_second_factor(owner, client)
    return RedirectResponse(f"{_SETTINGS}?saved=second_factor_removed", 303)


@router.post("/account/recovery-codes")
async def new_codes(owner: Owner, security: Part[Security], client: ClientDep) -> Response:
    """Make new recovery codes and show them. They are not shown again."""
    return _codes(await security.new_recovery_codes(owner, client))


def _setup(setup: Setup, error: InvalidError | None = None) -> Response:
    return page(
        "pages/second_factor.html",
        status=error.status if error else 200,
        form_errors=form_errors(error) if error else {},
        setup=setup,
    )


def _codes(codes: list[str]) -> Response:
    return page("pages/recovery_codes.html", codes=codes)
