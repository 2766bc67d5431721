"""What a guest has in any table: it comes along into the account, or the guest can still be entered."""

import pytest
from sqlalchemy import func, select

from app.core.database.base import personal_tables, table
from app.core.database.personal import Handover
from app.core.importing import import_all
from app.people.identity.models import Account, BrowserSession
from app.people.identity.service import create_guest, identity_of, open_session
from app.site.accounts.guests import Guests
from tests.support.players import fresh_name
from tests.support.rows import add_row
from tests.support.web_processes import web_processes

import_all("models")

TABLES = {name: each for name, each in personal_tables().items() if each.handover is not Handover.STAY}
BY_TABLE = [name for name, each in TABLES.items() if each.handover is not Handover.CHOSEN]


@pytest.fixture
async def process(new_database):
    async with web_processes(new_database("belongings"), 1) as (process,):
        yield process


class People:
    """A guest with a session, the account to which the guest has logged in, and somebody else."""

    def __init__(self, process):
        self.process = process

    async def come(self):
        async with self.process.database.transaction() as session:
            self.account, self.other = (Account(username=fresh_name(), password_hash="-") for _ in range(2))
            session.add_all((self.account, self.other))
            self.guest = await create_guest(session)
            await open_session(session, self.guest)
        return self

    async def give(self, name, column, *owners):
        """Insert the same row for each owner, who is in a column."""
        async with self.process.database.transaction() as session:
            row = {}
            for owner in owners:
                keys = {
                    key: value for key, value in row.items() if key != column and self._is_shared(name, key)
                }
                row = await add_row(session, name, of_others=self.other.id, **{**keys, column: owner.id})

    def _is_shared(self, name, key):
        return not table(name).columns[key].unique and key != "id"

    async def bring(self):
        guests = self.process.parts.get(Guests)
        return await guests.bring(identity_of(self.guest), identity_of(self.account))

    async def count(self, name, column, owner):
        rows = select(func.count()).select_from(table(name)).where(table(name).c[column] == owner.id)
        return await self._read(rows)

    async def may_enter(self):
        return bool(await self._read(select(func.count()).where(BrowserSession.account_id == self.guest.id)))

    async def _read(self, query):
        async with self.process.database.reading_now() as session:
            return await session.scalar(query)


async def test_a_row_of_a_guest_in_any_table_comes_along(process):
    for name, personal in TABLES.items():
        for column in personal.owners:
            people = await People(process).come()
            await people.give(name, column, people.guest)
            assert not (await people.bring()).left, name
            counts = [await people.count(name, column, owner) for owner in (people.guest, people.account)]
            assert (name, counts) == (name, [0, 1])
            assert not await people.may_enter()


async def test_of_what_the_account_has_as_well_nothing_is_lost(process):
    for name in BY_TABLE:
        personal = TABLES[name]
        people = await People(process).come()
        await people.give(name, personal.owners[0], people.account, people.guest)
        await people.bring()
        left = await people.count(name, personal.owners[0], people.guest)
        assert left == (1 if personal.handover is Handover.UNLESS_KNOWN else left), name
        assert not left or personal.handover is not Handover.ONCE, name
        assert await people.count(name, personal.owners[0], people.account) >= 1, name
        assert await people.may_enter() or not left, name
