"""A person's data for programs."""

from typing import Annotated, Any

from pydantic import BaseModel
from starlette.responses import StreamingResponse

from app.core.web.deps import Part
from app.core.web.downloads import attachment
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.core.web.shown import Id, example
from app.people.identity.viewer import ClientDep, KnownProgram, PlayingProgram
from app.site.accounts.schemas import Confirmed
from app.site.accounts.security import Security
from app.site.privacy.models import Export
from app.site.privacy.service import Privacy


class ExportRequest(Confirmed):
    """A request for an export, confirmed by the password."""


class ExportAsked(BaseModel):
    """An export that is being written: its ZIP file will be at `url`."""

    id: Id
    url: Annotated[str, example("/api/v1/me/exports/k7m2wq9xab")]


router = Router(prefix="/api/v1", tags=["accounts"])

_ZIP: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The ZIP file",
        "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
    },
    **problems(409),
}


@router.post("/me/export", status_code=202, responses=problems(409, 429))
async def ask(
    body: ExportRequest,
    program: PlayingProgram,
    privacy: Part[Privacy],
    security: Part[Security],
    client: ClientDep,
) -> ExportAsked:
    """Ask for a ZIP file with everything about the token's account. The event `export_ready` has its URL."""
    await security.check_password(program, body.password, client)
    export_id = await privacy.ask(program)
    return ExportAsked(id=export_id, url=f"/api/v1/me/exports/{export_id}")


@router.get("/me/exports/{export_id:id}", response_class=StreamingResponse, responses=_ZIP)
async def download(export_id: str, program: KnownProgram, privacy: Part[Privacy]) -> StreamingResponse:
    """Return the ZIP file of an export of the token's account. It is deleted after 7 days.

    409 `not_ready` while it is being written.
    """
    return zip_response(privacy, await privacy.export(program, export_id))


def zip_response(privacy: Privacy, export: Export) -> StreamingResponse:
    """Return the ZIP file of an export, which is read in parts."""
    headers = {"Content-Length": str(export.size), **attachment(f"gorrion-{export.asked_at:%Y-%m-%d}.zip")}
    return StreamingResponse(privacy.content(export), headers=headers, media_type="application/zip")
