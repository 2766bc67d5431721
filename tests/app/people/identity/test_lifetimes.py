"""How long sessions last, by whose they are."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from app.core.importing import import_all
from app.core.moments import utc_now
from app.people.identity.cleanup import delete_expired_keys
from app.people.identity.models import BrowserSession
from app.people.identity.service import SESSION_IDLE, SESSION_LIFETIME, identify_session, open_session
from tests.support.accounts import new_accounts
from tests.support.web_processes import web_processes

import_all("models")


@pytest.fixture
async def database(new_database):
    async with web_processes(new_database("lifetimes"), 1) as (process,):
        yield process.database


@pytest.mark.parametrize("early", [timedelta(minutes=1), timedelta(minutes=-1)])
@pytest.mark.parametrize(("password_hash", "lasts"), [("none", SESSION_IDLE), (None, SESSION_LIFETIME)])
async def test_a_session_that_is_not_used_lasts_as_long_as_is_said(database, password_hash, lasts, early):
    used_at = utc_now() - lasts + early
    async with database.transaction() as session:
        (account,) = await new_accounts(session, 1, password_hash=password_hash)
        token = await open_session(session, account)
        used = update(BrowserSession).where(BrowserSession.account_id == account.id)
        await session.execute(used.values(used_at=used_at, expires_at=used_at + SESSION_LIFETIME))
    await delete_expired_keys(database)
    assert (await identify_session(database, token) is not None) == (early > timedelta())
