"""What the schedule deletes: expired sessions and tokens, and guests who are used no more."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from app.core.importing import import_all
from app.core.moments import utc_now
from app.people.identity import names, service
from app.people.identity.cleanup import GUEST_LIFETIME, delete_expired_keys, delete_unused_guests
from app.people.identity.models import Account, BrowserSession
from app.play.games import creation
from tests.support.accounts import new_accounts
from tests.support.web_processes import web_processes

import_all("models")


@pytest.fixture
async def process(new_database, request):
    url = new_database(f"cleanup_{request.function.__name__[5:20]}")
    async with web_processes(url, 1) as (process,):
        yield process


async def test_expired_keys_are_deleted_and_others_stay(process):
    async with process.database.transaction() as session:
        (account,) = await new_accounts(session, 1)
        kept = [await service.open_session(session, account), await service.open_session(session, account)]
        for lifetime in (None, timedelta(days=1), timedelta()):
            await service.issue_token(session, account.id, "bot", ["play"], lifetime)
    await process.database.pool.execute(
        "UPDATE sessions SET expires_at = now() WHERE token_hash = (SELECT min(token_hash) FROM sessions)"
    )
    await delete_expired_keys(process.database)
    count = "SELECT count(*) FROM {}"
    assert await process.database.pool.fetchval(count.format("sessions")) == len(kept) - 1
    assert await process.database.pool.fetchval(count.format("api_tokens")) == 2


async def old_guests(process, count):
    """Return new guests who are as old as unused ones, without sessions."""
    async with process.database.transaction() as session:
        guests = [await service.create_guest(session) for _ in range(count)]
        for guest in guests:
            guest.created_at = utc_now() - GUEST_LIFETIME - timedelta(hours=1)
    return guests


async def left_of(process, accounts):
    """Delete unused guests, and return which of some accounts are left."""
    await delete_unused_guests(process.database)
    async with process.database.transaction() as session:
        return [each for each in accounts if await names.find(session, each.username)]


async def test_old_guests_whom_nobody_can_reach_and_nothing_needs_are_deleted(process):
    _unused, idle, active, player, registered = guests = await old_guests(process, 5)
    async with process.database.transaction() as session:
        new = await service.create_guest(session)
        for guest in (idle, active):
            await service.open_session(session, guest)
        await creation.create(session, "up_and_up", {"size": 4}, [player.id])
        await session.execute(update(Account).where(Account.id == registered.id).values(password_hash="none"))
        not_used = update(BrowserSession).where(BrowserSession.account_id == idle.id)
        await session.execute(not_used.values(used_at=utc_now() - service.SESSION_LIFETIME))
    assert await left_of(process, [*guests, new]) == [active, player, registered, new]
