"""Links that prove who their reader is until they expire: in mails, and at a log-in that is refused."""

from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import AppError
from app.core.i18n.text import _
from app.core.moments import utc_now
from app.people.identity.service import new_token, token_hash
from app.people.mail.models import MailLink


class Purpose(StrEnum):
    """What a link is for."""

    CONFIRM = "confirm"
    RESET = "reset"
    APPEAL = "appeal"


LIFETIMES = {
    Purpose.CONFIRM: timedelta(days=1),
    Purpose.RESET: timedelta(minutes=10),
    Purpose.APPEAL: timedelta(days=7),
}
"""How long a link may be used."""


class BadLinkError(AppError):
    """The link was used, has expired, or was replaced by a newer one."""

    def __init__(self) -> None:
        super().__init__(
            "bad_link",
            410,
            _("This link was used already or is too old. Ask for a new one."),
        )


async def new_link(session: AsyncSession, account_id: int, purpose: Purpose, address: str) -> str:
    """Return the token of a new link to an address; the one before is no longer valid."""
    token = new_token()
    link = insert(MailLink).values(
        account_id=account_id,
        purpose=purpose,
        token_hash=token_hash(token),
        address=address,
        created_at=func.now(),
        expires_at=utc_now() + LIFETIMES[purpose],
    )
    columns = ("token_hash", "address", "created_at", "expires_at")
    await session.execute(
        link.on_conflict_do_update(
            index_elements=[MailLink.account_id, MailLink.purpose],
            set_={column: link.excluded[column] for column in columns},
        )
    )
    return token


async def owner_of(session: AsyncSession, token: str, purpose: Purpose) -> int:
    """Return the account that a link was sent to. Raise BadLinkError."""
    account_id = await session.scalar(select(MailLink.account_id).where(*_is_valid(token, purpose)))
    if account_id is None:
        raise BadLinkError
    return account_id


async def revoke(session: AsyncSession, account_id: int, purpose: Purpose) -> None:
    """Make the link of an account for a purpose invalid, if there is one."""
    await session.execute(
        delete(MailLink).where(MailLink.account_id == account_id, MailLink.purpose == purpose)
    )


async def use(session: AsyncSession, token: str, purpose: Purpose) -> str:
    """Use a link up, and return the address that it was sent to. Raise BadLinkError."""
    used = delete(MailLink).where(*_is_valid(token, purpose)).returning(MailLink.address)
    address: str | None = await session.scalar(used)
    if address is None:
        raise BadLinkError
    return address


def _is_valid(token: str, purpose: Purpose) -> Sequence[ColumnElement[bool]]:
    """Return the conditions of the link with a token, until it expires."""
    is_link = (MailLink.token_hash == token_hash(token), MailLink.purpose == purpose)
    return (*is_link, MailLink.expires_at > func.now())
