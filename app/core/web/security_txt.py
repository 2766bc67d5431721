"""Where to report a vulnerability of this site (RFC 9116)."""

from datetime import timedelta

from fastapi import APIRouter
from starlette.responses import PlainTextResponse

from app.core.errors import NotFoundError
from app.core.moments import utc_now
from app.core.settings import Settings
from app.core.web.deps import Part

router = APIRouter()

_VALID_FOR = timedelta(days=180)


@router.get("/.well-known/security.txt", include_in_schema=False)
async def security_txt(settings: Part[Settings]) -> PlainTextResponse:
    """Return the contact of the settings. Raise NotFoundError if there is none."""
    if settings.security_contact is None:
        raise NotFoundError("page")
    expires = (utc_now() + _VALID_FOR).strftime("%Y-%m-%dT00:00:00Z")
    return PlainTextResponse(f"Contact: {settings.security_contact}\nExpires: {expires}\n")
