"""The pages on what is stored of a person, and of all."""

from starlette.responses import RedirectResponse, Response

from app.core.errors import ConflictError
from app.core.settings import Settings
from app.core.web.deps import Part
from app.core.web.render import page
from app.people.identity import audit
from app.people.identity.pages import page_router
from app.people.identity.service import SESSION_LIFETIME, Identity
from app.people.identity.viewer import Owner
from app.site.accounts.credentials import MAY_RETURN
from app.site.privacy.api import zip_response
from app.site.privacy.service import KEPT_FOR, Privacy

router = page_router()


@router.get("/privacy")
async def privacy_page(settings: Part[Settings]) -> Response:
    """Show which data are stored, why and for how long."""
    return page(
        "pages/privacy.html",
        operator=settings.operator,
        contact=settings.contact,
        events_days=audit.KEPT_FOR.days,
        session_days=SESSION_LIFETIME.days,
        erasure_days=MAY_RETURN.days,
    )


@router.get("/account/data")
async def data_page(owner: Owner, privacy: Part[Privacy]) -> Response:
    """Show the exports of the owner's data."""
    return await _data(owner, privacy)


@router.post("/account/data")
async def ask(owner: Owner, privacy: Part[Privacy]) -> Response:
    """Ask for an export."""
    try:
        await privacy.ask(owner)
    except ConflictError as error:
        return await _data(owner, privacy, error)
    return RedirectResponse("/account/data", 303)


@router.get("/account/exports/{export_id:id}")
async def download(export_id: str, owner: Owner, privacy: Part[Privacy]) -> Response:
    """Return the ZIP file of an export of the owner's data."""
    return zip_response(privacy, await privacy.export(owner, export_id))


async def _data(owner: Identity, privacy: Privacy, error: ConflictError | None = None) -> Response:
    return page(
        "pages/account_data.html",
        failure=error,
        exports=[(export, export.asked_at + KEPT_FOR) for export in await privacy.exports(owner)],
    )
