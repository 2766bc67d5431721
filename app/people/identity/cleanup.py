"""Deleting expired sessions, tokens, devices and events, and guests who are used no more."""

from datetime import timedelta

from sqlalchemy import Column, and_, exists, func

from app.core.database.base import Base
from app.core.database.deleting import delete_in_parts
from app.core.database.session import Database
from app.people.identity.audit import KEPT_FOR
from app.people.identity.devices import LIFETIME
from app.people.identity.models import Account, ApiToken, BrowserSession, Device, SecurityEvent
from app.people.identity.service import valid_session, valid_token

GUEST_LIFETIME = timedelta(days=30)
"""How long a guest without a session is kept."""


async def delete_expired_keys(database: Database) -> None:
    """Delete the sessions and API tokens that have expired, and the devices that are forgotten."""
    await delete_in_parts(database, BrowserSession, ~and_(*valid_session()))
    await delete_in_parts(database, ApiToken, ~valid_token())
    await delete_in_parts(database, Device, Device.used_at <= func.now() - LIFETIME)


async def delete_old_events(database: Database) -> None:
    """Delete the lines of the audit log older than `audit.KEPT_FOR`."""
    await delete_in_parts(database, SecurityEvent, SecurityEvent.at < func.now() - KEPT_FOR)


async def delete_unused_guests(database: Database) -> None:
    """Delete guests older than GUEST_LIFETIME without a valid session, to whom no game or other row refers.

    Nobody can go on as such a guest, or see what is deleted with the account.
    """
    no_session = ~exists().where(BrowserSession.account_id == Account.id, *valid_session())
    no_references = [~exists().where(column == Account.id) for column in _references()]
    is_old_guest = Account.password_hash.is_(None), Account.created_at < func.now() - GUEST_LIFETIME
    await delete_in_parts(database, Account, *is_old_guest, no_session, *no_references)


def _references() -> list[Column[int]]:
    """Return all columns that refer to accounts, but those of what is deleted with an account."""
    return [
        column
        for table in Base.metadata.sorted_tables
        for column in table.columns
        for key in column.foreign_keys
        if key.column.table is Account.__table__ and key.ondelete != "CASCADE"
    ]
