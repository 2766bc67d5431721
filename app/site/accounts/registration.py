"""Who may register: everybody, those with an invitation, or nobody; and the names that are kept free."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.deleting import delete_in_parts
from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError, read_row
from app.core.errors import FieldError, ForbiddenError, InvalidError
from app.core.i18n.text import NO_TEXT, Text, _
from app.core.ids import new_id
from app.core.moments import utc_now
from app.people.identity import audit, names
from app.people.identity.audit import SiteAction
from app.people.identity.clients import Client
from app.people.identity.models import ReservedName
from app.site.accounts.models import Invitation, RegistrationMode

MOST_USES = 10_000
_MOST_INVITATIONS = 200  # at a time
_MOST_NAMES = 5_000

_VALID = (Invitation.used < Invitation.most, Invitation.ends_at > func.now())


class Registration(StrEnum):
    """Who may register."""

    OPEN = "open"
    INVITATION = "invitation"
    CLOSED = "closed"


async def mode(session: AsyncSession) -> Registration:
    """Return who may register: nobody if that cannot be read."""
    row = await session.get(RegistrationMode, True)
    if row is None:
        return Registration.OPEN
    try:
        return read_row(lambda row: Registration(row.mode), row)
    except UnreadableError:
        return Registration.CLOSED


async def admit(session: AsyncSession, code: str | None) -> None:
    """Use an invitation where one is needed, in the transaction that makes an account of somebody.

    Raise ForbiddenError `registration_closed`, `needs_invitation`, `invitation_over`.
    """
    now = await mode(session)
    if now is Registration.INVITATION and code:
        use = update(Invitation).where(Invitation.code == code, *_VALID).values(used=Invitation.used + 1)
        if await session.scalar(use.returning(Invitation.code)) is None:
            raise _refusal(now, code)
    elif now is not Registration.OPEN:
        raise _refusal(now, code)


def _refusal(now: Registration, code: str | None) -> ForbiddenError:
    if now is Registration.CLOSED:
        return ForbiddenError("registration_closed", _("No new accounts are made here at the moment."))
    if code:
        return ForbiddenError("invitation_over", _("This invitation is used up or over. Ask for a new one."))
    return ForbiddenError(
        "needs_invitation", _("Accounts are made by invitation: open the link that you got.")
    )


async def obstacle(session: AsyncSession, code: str) -> Text:
    """Return why a visitor with the code of an invitation, if any, cannot register; empty if they can."""
    now = await mode(session)
    is_valid = select(Invitation.code).where(Invitation.code == code, *_VALID)
    if now is Registration.OPEN or (
        now is Registration.INVITATION and code.isalnum() and await session.scalar(is_valid)
    ):
        return NO_TEXT
    return _refusal(now, code).message


async def set_mode(database: Database, wanted: str, by: Client = audit.OPERATOR) -> None:
    """Decide who may register. Raise InvalidError `bad_mode`."""
    if wanted not in set(Registration):
        raise InvalidError("bad_mode", _("Choose open, invitation or closed."))
    async with database.transaction() as session:
        statement = insert(RegistrationMode).values(mode=wanted)
        await session.execute(
            statement.on_conflict_do_update(index_elements=["single"], set_={"mode": wanted})
        )
        audit.record_of_site(session, SiteAction.REGISTRATION_CHANGED, by, wanted)


async def invite(database: Database, most: int, ends_at: datetime, by: Client = audit.OPERATOR) -> str:
    """Return the code of a new invitation for a number of people, until a moment. Raise FieldError."""
    if not 1 <= most <= MOST_USES:
        raise FieldError("most", "bad_number", _("Invite 1 to %(most)s people.", most=MOST_USES))
    if ends_at <= utc_now():
        raise FieldError("invited_until", "is_over", _("Choose an end that is still to come."))
    async with database.transaction() as session:
        if len(await open_invitations(session)) >= _MOST_INVITATIONS:
            raise FieldError("most", "too_many", _("There are too many invitations. End some of them first."))
        code = new_id()
        session.add(Invitation(code=code, most=most, ends_at=ends_at))
        audit.record_of_site(session, SiteAction.INVITATION_MADE, by, f"{most}")
    return code


async def end_invitation(database: Database, code: str, by: Client = audit.OPERATOR) -> bool:
    """End an invitation, and return whether there was one. Its accounts stay."""
    async with database.transaction() as session:
        ended = delete(Invitation).where(Invitation.code == code).returning(Invitation.used)
        used = await session.scalar(ended)
        if used is not None:
            audit.record_of_site(session, SiteAction.INVITATION_ENDED, by, f"{used}")
    return used is not None


async def open_invitations(session: AsyncSession) -> Sequence[Invitation]:
    """Return the invitations that can be used, the newest first."""
    query = select(Invitation).where(*_VALID).order_by(Invitation.created_at.desc(), Invitation.code)
    return (await session.scalars(query)).all()


async def delete_old_invitations(database: Database) -> None:
    """Delete the invitations that have ended."""
    await delete_in_parts(database, Invitation, Invitation.ends_at <= func.now())


async def reserve(database: Database, name: str, by: Client = audit.OPERATOR) -> None:
    """Keep a name, and those that look like it, from being registered. Raise FieldError.

    An account that has it keeps it.
    """
    name = name.strip()
    if not 1 <= len(name) <= 20 or not name.isascii() or not names.folded(name).isalnum():
        raise FieldError("name", "bad_name", _("Names have 1 to 20 letters, digits, - or _."))
    async with database.transaction() as session:
        if (await session.scalar(select(func.count()).select_from(ReservedName)) or 0) >= _MOST_NAMES:
            raise FieldError(
                "name", "too_many", _("Too many names are reserved. Release some of them first.")
            )
        statement = insert(ReservedName).values(folded=names.folded(name), name=name)
        statement = statement.on_conflict_do_nothing()
        if await session.scalar(statement.returning(ReservedName.name)) is not None:
            audit.record_of_site(session, SiteAction.NAME_RESERVED, by, name)


async def release(database: Database, name: str, by: Client = audit.OPERATOR) -> bool:
    """Let a reserved name be registered again, and return whether it was reserved."""
    async with database.transaction() as session:
        ended = delete(ReservedName).where(ReservedName.folded == names.folded(name))
        is_reserved = await session.scalar(ended.returning(ReservedName.name)) is not None
        if is_reserved:
            audit.record_of_site(session, SiteAction.NAME_RELEASED, by, name)
    return is_reserved


async def reserved(session: AsyncSession) -> Sequence[str]:
    """Return the names that administrators reserved, in alphabetical order."""
    return (await session.scalars(select(ReservedName.name).order_by(func.lower(ReservedName.name)))).all()
