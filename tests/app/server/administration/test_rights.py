"""Rights that administrators change at the same moment, on two processes."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from app.core.errors import ConflictError, ForbiddenError
from app.core.settings import Settings
from app.people.identity.clients import Client
from app.people.identity.models import Account
from app.people.identity.service import ADMINISTRATOR, MODERATOR, identity_of
from app.server.administration.service import Administration
from tests.support.accounts import new_accounts
from tests.support.web_processes import web_processes

ADMINISTRATORS = 3
CHANGES = st.lists(
    st.tuples(
        st.integers(0, ADMINISTRATORS - 1),
        st.integers(0, ADMINISTRATORS - 1),
        st.sampled_from(["revoke", "revoke", "grant"]),
        st.sampled_from([ADMINISTRATOR, ADMINISTRATOR, MODERATOR]),
    ),
    min_size=2,
    max_size=8,
)
BROWSER = Client("127.0.0.1/32", "a browser", "")


@pytest.fixture
def site(database_url):
    """Return the administrations of two processes, and a function that runs a coroutine in their loop."""
    with asyncio.Runner() as runner:
        processes = web_processes(database_url, 2)
        first, second = runner.run(processes.__aenter__())
        for process in (first, second):
            process.parts.add(Settings, Settings(database_url=database_url))
        administrations = [process.parts.get(Administration) for process in (first, second)]
        yield first.database, administrations, runner.run
        runner.run(processes.__aexit__(None, None, None))


async def come(database):
    """Return new accounts, all of administrators."""
    async with database.transaction() as session:
        return await new_accounts(session, ADMINISTRATORS, rights=[ADMINISTRATOR])


async def change(administration, who, whom, what, right):
    """Return whether an administrator may change a right."""
    command = getattr(administration, what)
    try:
        await command(identity_of(who), BROWSER, whom.username, right)
    except (ConflictError, ForbiddenError):
        return False
    return True


async def rights_of(database, accounts):
    """Return the rights of accounts, in their order."""
    async with database.transaction() as session:
        query = select(Account.rights).where(Account.id.in_([each.id for each in accounts]))
        return list(await session.scalars(query.order_by(Account.id)))


def test_administrators_who_change_rights_at_once_leave_one(site):
    database, administrations, run = site

    @settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(CHANGES)
    def at_once(changes):
        async def check():
            accounts = await come(database)
            await asyncio.gather(
                *(
                    change(administrations[number % 2], accounts[who], accounts[whom], what, right)
                    for number, (who, whom, what, right) in enumerate(changes)
                )
            )
            assert any(ADMINISTRATOR in rights for rights in await rights_of(database, accounts))

        run(check())

    at_once()


@pytest.mark.parametrize("what", ["grant", "revoke"])
def test_who_has_lost_the_right_meanwhile_changes_none(site, what):
    database, (administration, _other), run = site

    async def check():
        one, other, player = accounts = await come(database)
        assert await change(administration, one, other, "revoke", ADMINISTRATOR)
        assert not await change(administration, other, player, what, ADMINISTRATOR)
        assert await rights_of(database, accounts) == [[ADMINISTRATOR], [], [ADMINISTRATOR]]

    run(check())
