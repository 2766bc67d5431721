"""FastAPI dependencies of routes about mail."""

from typing import Annotated

from fastapi import Depends

from app.core.errors import NotFoundError
from app.core.web.deps import SettingsDep, part
from app.people.mail.service import Mail

MailDep = Annotated[Mail, part("mail")]


async def _offered(settings: SettingsDep) -> None:
    if not settings.has_mail:
        raise NotFoundError("page")


WHERE_OFFERED = [Depends(_offered)]
"""The dependencies of pages that do not exist where the server sends no mail."""
