"""The pages that links of mails lead to."""

from typing import Annotated

from fastapi import Depends, Form, Query
from starlette.responses import Response

from app.core.errors import NotFoundError
from app.core.settings import Settings
from app.core.web.deps import Part
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.viewer import ClientDep
from app.people.inbox.kinds import NewsKind
from app.people.mail.links import Purpose
from app.people.mail.service import Mail


async def _offered(settings: Part[Settings]) -> None:
    if not settings.has_mail:
        raise NotFoundError("page")


WHERE_OFFERED = [Depends(_offered)]
"""The dependencies of pages that do not exist where the server sends no mail."""


router = page_router(dependencies=WHERE_OFFERED)

Token = Annotated[str, Query(max_length=64)]


@router.get("/email/confirm")
async def confirm_page(mail: Part[Mail], token: Token = "") -> Response:
    """Ask to confirm an address by a button: programs that look for viruses follow the links of mails."""
    username = await mail.owner_of_link(token, Purpose.CONFIRM)
    return page("pages/confirm_email.html", token=token, username=username)


@router.post("/email/confirm")
async def confirm(
    mail: Part[Mail], client: ClientDep, token: Annotated[str, Form(max_length=64)]
) -> Response:
    """Confirm the address."""
    await mail.confirm(token, client)
    return page("pages/confirm_email.html", token="", username="")


@router.get("/unsubscribe")
async def unsubscribe_page(key: Token = "", kind: NewsKind | None = None) -> Response:
    """Ask whether to get no more e-mails of a kind, or of all kinds."""
    return page("pages/unsubscribe.html", key=key, kind=kind, is_done=False)


@router.post("/unsubscribe")
async def unsubscribe(mail: Part[Mail], key: Token = "", kind: NewsKind | None = None) -> Response:
    """Turn the mails of a kind off, or of all kinds: for people, and for mail programs (RFC 8058)."""
    await mail.unsubscribe(key, kind)
    return page("pages/unsubscribe.html", key=key, kind=kind, is_done=True)
