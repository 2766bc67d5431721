"""What the schedule deletes: expired sessions and tokens, and guests who left no trace."""

import asyncio
from datetime import timedelta

import pytest

from app.core.database.migrate import upgrade
from app.core.moments import utc_now
from app.people.identity import names, service
from app.people.identity.cleanup import GUEST_LIFETIME, delete_expired_keys, delete_unused_guests
from app.people.identity.models import Account
from app.play.games import creation
from tests.support.players import fresh_name
from tests.support.web_processes import web_processes


@pytest.fixture
async def process(new_database, request):
    url = new_database(f"cleanup_{request.function.__name__[5:20]}")
    await asyncio.to_thread(upgrade, url)
    async with web_processes(url, 1) as (process,):
        yield process


async def test_expired_keys_are_deleted_and_others_stay(process):
    async with process.database.transaction() as session:
        account = Account(username=fresh_name(), password_hash="none")
        session.add(account)
        await session.flush()
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


async def test_old_guests_without_a_trace_are_deleted(process):
    old = utc_now() - GUEST_LIFETIME - timedelta(hours=1)
    async with process.database.transaction() as session:
        unused, new, player = [await service.create_guest(session) for _ in range(3)]
        registered = Account(username=fresh_name(), password_hash="none", created_at=old)
        session.add(registered)
        unused.created_at = player.created_at = old
        await service.open_session(session, unused)
        await creation.create(session, "up_and_up", {"size": 4}, [player.id])
    await delete_unused_guests(process.database)
    async with process.database.transaction() as session:
        left = [
            account.username
            for account in (unused, new, player, registered)
            if await names.find(session, account.username)
        ]
    assert left == [new.username, player.username, registered.username]
