"""Accounts as they are stored, and what pages and calls do not change."""

import secrets

from sqlalchemy.dialects.postgresql import insert

from app.core.moments import utc_now
from app.people.identity.locking import lock_account
from app.people.identity.models import Account, Erasure
from app.site.privacy.service import erase
from tests.support.database import execute, fetch, on_database
from tests.support.players import fresh_name


def id_of(database_url, player):
    return fetch(database_url, "SELECT id FROM accounts WHERE username = $1", player.username)["id"]


def grant(database_url, player, *rights):
    """Grant a player the rights of an organiser or a moderator, and return the player."""
    execute(
        database_url, "UPDATE accounts SET rights = $2 WHERE username = $1", player.username, list(rights)
    )
    return player


async def new_accounts(session, count, **columns):
    """Add accounts with fresh names, which have a password unless `columns` say otherwise; return them."""
    accounts = [Account(username=fresh_name(), **{"password_hash": "none", **columns}) for _ in range(count)]
    session.add_all(accounts)
    await session.flush()
    return accounts


def give_address(database_url, player, address, language="en"):
    """Set and confirm the e-mail address of a player."""
    execute(
        database_url,
        "INSERT INTO email_addresses (account_id, address, language, unsubscribe_key) "
        "VALUES ($1, $2, $3, $4)",
        *(id_of(database_url, player), address, language, secrets.token_urlsafe(32)),
    )


def erase_now(database_url, account_id):
    """Erase an account, closed or not, without the days in which its owner may come back.

    The servers that use the database are not told.
    """

    async def erase_at_once(database):
        async with database.transaction() as session:
            await lock_account(session, account_id)
            due = insert(Erasure).values(account_id=account_id, due_at=utc_now())
            await session.execute(due.on_conflict_do_nothing())
            await erase(session, account_id)

    on_database(database_url, erase_at_once)
