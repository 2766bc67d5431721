"""The FastAPI dependency of pages about mail."""

from fastapi import Depends

from app.core.errors import NotFoundError
from app.core.settings import Settings
from app.core.web.deps import Part


async def _offered(settings: Part[Settings]) -> None:
    if not settings.has_mail:
        raise NotFoundError("page")


WHERE_OFFERED = [Depends(_offered)]
"""The dependencies of pages that do not exist where the server sends no mail."""
