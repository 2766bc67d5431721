"""Exports as responses."""

from starlette.responses import StreamingResponse

from app.core.web.downloads import attachment
from app.site.privacy.models import Export
from app.site.privacy.service import Privacy


def zip_response(privacy: Privacy, export: Export) -> StreamingResponse:
    """Return the ZIP file of an export, which is read in parts."""
    headers = {"Content-Length": str(export.size), **attachment(f"gorrion-{export.asked_at:%Y-%m-%d}.zip")}
    return StreamingResponse(privacy.content(export), headers=headers, media_type="application/zip")
