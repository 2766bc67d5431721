"""Undoing a change of address: by a link that was sent to the address before, for some days.

An older link outranks newer ones: whoever changed the address gets none with which to undo the undoing.
The functions run in the caller's transaction.
"""

from datetime import timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import AppError
from app.core.i18n.text import _
from app.core.moments import utc_now
from app.people.identity.service import new_token, token_hash
from app.people.mail.models import AddressUndo, EmailAddress

LIFETIME = timedelta(days=7)


class BadUndoError(AppError):
    """The link was used, has expired, or an older one was; or a moderator has closed the account."""

    def __init__(self) -> None:
        super().__init__(
            "bad_link",
            410,
            _(
                "This link was used already, or is older than a week. If your account is not in your hands, "
                "ask the operators of this site for help."
            ),
        )


async def keep(session: AsyncSession, email: EmailAddress) -> int:
    """Keep the address of an account, which is about to lose it, and return the id of the undoing."""
    undo = AddressUndo(
        account_id=email.account_id,
        address=email.address,
        language=email.language,
        expires_at=utc_now() + LIFETIME,
    )
    session.add(undo)
    await session.flush()
    return undo.id


async def new_link(session: AsyncSession, undo_id: int) -> str | None:
    """Return the token of a new link, which replaces the one before, or None if nothing can be undone."""
    token = new_token()
    given = update(AddressUndo).where(AddressUndo.id == undo_id, AddressUndo.expires_at > func.now())
    kept = await session.scalar(given.values(token_hash=token_hash(token)).returning(AddressUndo.id))
    return None if kept is None else token


async def find(session: AsyncSession, token: str) -> AddressUndo:
    """Return what a link undoes. Raise BadUndoError."""
    undo = await session.scalar(
        select(AddressUndo).where(
            AddressUndo.token_hash == token_hash(token), AddressUndo.expires_at > func.now()
        )
    )
    if undo is None:
        raise BadUndoError
    return undo


async def use(session: AsyncSession, token: str) -> AddressUndo:
    """Return what a link undoes, and use it up with all newer ones of its account. Raise BadUndoError.

    The account must be locked.
    """
    undo = await find(session, token)
    await session.execute(
        delete(AddressUndo).where(AddressUndo.account_id == undo.account_id, AddressUndo.id >= undo.id)
    )
    return undo
