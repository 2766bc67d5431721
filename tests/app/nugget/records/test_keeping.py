"""Records as they are kept, compared with what follows from all entries, after every kind of change."""

import asyncio
import random
from datetime import UTC, datetime, timedelta
from itertools import accumulate, count

import pytest
from sqlalchemy import delete, select, update

from app.core.database.session import Database
from app.core.moments import utc_now
from app.nugget import judging, ledger, standings
from app.nugget.models import Competition, Entry
from app.nugget.records import keeping, retelling
from app.nugget.records.models import RecordChange
from app.people.identity.models import Account
from engine.golden_nugget.ranking import mean_of
from tests.support.players import fresh_name

_serial = count()


@pytest.fixture
async def session(database_url):
    """Return a session without records and without entries that count; its changes are rolled back."""
    database = await Database.open(database_url, pool_size=1)
    async with database._sessions() as session:
        await session.execute(delete(RecordChange))
        await session.execute(update(Entry).values(withdrawn_at=utc_now()))
        yield session
        await session.rollback()
    await database.close()


class History:
    """Entries that come, go, are found to be assisted or common, and wait for a sealed competition."""

    def __init__(self, session, rng):
        self.session, self.rng = session, rng
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.accounts = []

    async def begin(self, players):
        for number in range(players):
            self.accounts.append(Account(username=fresh_name(), is_computer=number == 0))
        self.session.add_all(self.accounts)
        self.competition = Competition(
            id=f"c{next(_serial):09}",
            title="",
            text="",
            starts_at=self.now,
            ends_at=self.now + timedelta(days=9_000 / 24),
            min_boards=20,
            max_boards=200,
            visibility="sealed",
        )
        self.session.add(self.competition)
        await self.session.flush()

    def pass_time(self):
        self.now += timedelta(seconds=self.rng.randrange(3))  # some come at the same moment
        return self.now

    async def accept(self):
        account = self.rng.choice(self.accounts)
        sealed = self.competition.released_at is None and self.rng.random() < 0.3
        boards = self.rng.choice([20, 21, 50, 55])
        counts = [self.rng.randint(8, 12) for _ in range(boards)]
        entry = Entry(
            id=f"{next(_serial):010}",
            account_id=account.id,
            counts=counts,
            mean_key=mean_of(counts).key,
            record="",
            record_sha256=f"record {next(_serial)}",
            submitted_at=self.pass_time(),
            competition_id=self.competition.id if sealed else None,
        )
        self.session.add(entry)
        await self.session.flush()
        await standings.place_new(self.session, entry, account, self.now)

    async def drop(self):
        """Withdraw an entry, or find that it is assisted or common, whether it counts or not."""
        entries = (await self.session.scalars(select(Entry).where(Entry.record == ""))).all()
        if entries:
            entry = self.rng.choice(entries)
            account = await self.session.get_one(Account, entry.account_id)
            reason = self.rng.choice(["withdrawn_at", "withdrawn_at", "assisted", "common"])
            if getattr(entry, reason):
                return
            moment = self.pass_time()
            if reason == "withdrawn_at":
                entry.withdrawn_at = moment
            else:
                setattr(entry, reason, True)
                entry.assisted_at = moment
            await self.session.flush()
            await standings.displace(self.session, entry, account, self.now)

    async def release(self):
        if self.competition.released_at is None:
            self.now += timedelta(seconds=1)  # what is released is never accepted at that moment
            self.competition.ends_at = self.now
            await judging._release(self.session, self.competition, self.now)
            self.now += timedelta(seconds=1)

    async def step(self):
        act = self.rng.choices([self.accept, self.drop, self.release], [10, 4, 0.4])[0]
        await act()

    async def expected(self):
        """Return all changes, and the number of holders of each record, by the rules alone."""
        rows = (
            await self.session.execute(
                select(Entry, Account.is_computer)
                .join(Account)
                .where(Entry.record == "", Entry.withdrawn_at.is_(None), Entry.is_own)
            )
        ).all()
        public = []
        for entry, is_computer in rows:
            at = self.competition.released_at if entry.competition_id else entry.submitted_at
            if at is not None:
                public.append((at, entry.submitted_at, entry.id, entry, is_computer))
        changes, holders, fewest = set(), {}, {}
        for at, _submitted, _id, entry, is_computer in sorted(public, key=lambda each: each[:3]):
            sums = list(accumulate(entry.counts))
            figures = {("board", number): moves for number, moves in enumerate(entry.counts, 1)}
            figures |= {
                ("mean", boards): sums[boards - 1] for boards in (20, 50, 100, 200) if boards <= len(sums)
            }
            for players in ("everybody",) if is_computer else ("everybody", "people"):
                for what, moves in figures.items():
                    key = (players, *what)
                    if moves < fewest.get(key, moves + 1):
                        fewest[key] = moves
                        changes.add((*key, moves, entry.account_id, entry.id, at))
                        holders[key] = set()
                    if moves == fewest[key]:
                        holders[key].add(entry.account_id)
        return changes, {key: len(accounts) for key, accounts in holders.items()}

    async def kept(self):
        stored = select(RecordChange).execution_options(populate_existing=True)
        rows = (await self.session.scalars(stored)).all()
        changes = {
            (row.players, row.kind, row.number, row.moves, row.account_id, row.entry_id, row.at)
            for row in rows
        }
        assert len(changes) == len(rows)
        last = sorted(rows, key=lambda row: -row.moves)
        return changes, {(row.players, row.kind, row.number): row.holders for row in last}


class PresentHistory(History):
    """The same at the time of the database."""

    def pass_time(self):
        self.now = utc_now()
        return self.now

    async def release(self):
        self.now = utc_now() - timedelta(seconds=1)
        await super().release()


@pytest.mark.parametrize("seed", range(6))
async def test_records_are_those_that_follow_from_the_entries(session, seed):
    history = History(session, random.Random(seed))
    await history.begin(players=5)
    for _ in range(40):
        await history.step()
        assert await history.kept() == await history.expected()


@pytest.fixture(scope="module")
def own_database(new_database):
    """Return the URL of a database whose entries are those of the tests that commit."""
    return new_database("retelling")


@pytest.fixture
async def retold(own_database):
    """Return a session of a database without entries that count, and that database."""
    database = await Database.open(own_database, pool_size=3)
    async with database.transaction() as session:
        await session.execute(delete(RecordChange))
        await session.execute(update(Entry).values(withdrawn_at=datetime(2020, 1, 1, tzinfo=UTC)))
    async with database._sessions() as session:
        yield session, database
    await database.close()


@pytest.mark.parametrize("seed", range(3))
async def test_telling_them_again_finds_the_same_and_changes_no_row(retold, seed):
    session, database = retold
    history = History(session, random.Random(seed))
    await history.begin(players=5)
    for _ in range(25):
        await history.step()
    await session.commit()
    ids = set(await session.scalars(select(RecordChange.id)))
    await session.commit()
    await retelling.retell(database)
    assert set(await session.scalars(select(RecordChange.id))) == ids
    await session.execute(delete(RecordChange))
    await session.commit()
    await retelling.retell(database)
    assert await history.kept() == await history.expected()


@pytest.mark.parametrize("seed", range(4))
async def test_what_happens_while_they_are_told_again_counts(retold, monkeypatch, seed):
    """Entries come and go between the parts, which are read without the lock of the ledger."""
    session, database = retold
    history = PresentHistory(session, random.Random(seed))
    await history.begin(players=5)
    for _ in range(25):
        await history.step()
    await session.execute(delete(RecordChange))  # so that all has to be found
    await session.commit()
    read, parts = retelling.counting_part, count()

    async def read_and_go_on(*arguments):
        part = await read(*arguments)
        if next(parts) < 4:
            for _ in range(3):
                await history.step()
            await session.commit()
        return part

    monkeypatch.setattr(keeping, "_AT_ONCE", 7)
    monkeypatch.setattr(retelling, "counting_part", read_and_go_on)
    await retelling.retell(database)
    assert next(parts) > 4
    assert await history.kept() == await history.expected()


async def test_the_ledger_is_free_while_entries_are_read(retold, monkeypatch):
    session, database = retold
    history = History(session, random.Random(1))
    await history.begin(players=5)
    for _ in range(25):
        await history.step()
    await session.commit()
    read, taken = retelling.counting_part, []

    async def read_while_it_is_free(*arguments):
        async with database.transaction() as other, asyncio.timeout(5):
            taken.append(await ledger.lock(other))
        return await read(*arguments)

    monkeypatch.setattr(retelling, "counting_part", read_while_it_is_free)
    await retelling.retell(database)
    assert taken
