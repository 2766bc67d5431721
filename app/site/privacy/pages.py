"""The page of a person's data."""

from starlette.responses import RedirectResponse, Response

from app.core.errors import ConflictError
from app.core.web.deps import Part
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.viewer import Owner, SignedIn
from app.site.privacy.api import zip_response
from app.site.privacy.service import KEPT_FOR, Privacy

router = page_router()


@router.get("/account/data")
async def data_page(viewer: SignedIn, privacy: Part[Privacy]) -> Response:
    """Show the exports of the viewer's data."""
    return await _data(viewer, privacy)


@router.post("/account/data")
async def ask(owner: Owner, privacy: Part[Privacy]) -> Response:
    """Ask for an export."""
    try:
        await privacy.ask(owner)
    except ConflictError as error:
        return await _data(owner, privacy, error)
    return RedirectResponse("/account/data", 303)


@router.get("/account/exports/{export_id:id}")
async def download(export_id: str, viewer: SignedIn, privacy: Part[Privacy]) -> Response:
    """Return the ZIP file of an export of the viewer's data."""
    return zip_response(privacy, await privacy.export(viewer, export_id))


async def _data(viewer: Identity, privacy: Privacy, error: ConflictError | None = None) -> Response:
    return page(
        "pages/account_data.html",
        failure=error,
        exports=[(export, export.asked_at + KEPT_FOR) for export in await privacy.exports(viewer)],
    )
