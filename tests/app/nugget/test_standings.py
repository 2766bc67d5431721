"""Rankings in PostgreSQL compared with a sort in Python: ties, equal means of different lengths."""

import random
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from sqlalchemy import delete, select, update

from app.core.database.session import Database
from app.core.errors import InvalidError
from app.core.moments import utc_now
from app.nugget import standings
from app.nugget.models import Entry, Standing
from app.nugget.rankings import HistoryReader
from app.people.identity.models import Account
from engine.golden_nugget.ranking import mean_of, ranking_key
from tests.support.players import fresh_name

_hashes = count()


@pytest.fixture
async def session(database_url):
    """Return a session with empty rankings, whose changes are rolled back."""
    database = await Database.open(database_url, pool_size=1)
    async with database._sessions() as session:
        await session.execute(delete(Standing))
        yield session
        await session.rollback()
    await database.close()


def random_counts(rng):
    """Return numbers of moves that often agree in mean, length and last boards."""
    boards = rng.choice([20, 20, 21, 40, 50])
    counts = [40] * boards
    for _ in range(rng.choice([0, 0, 1, 2])):
        more, fewer = rng.randrange(boards), rng.randrange(boards)
        counts[more] += 1
        counts[fewer] -= rng.choice([0, 1, 1])
    return counts


async def fill(session, rng, players, entries):
    """Submit entries of players, and return each player's best: (sort key, entry, account)."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    best = {}
    for number in range(players):
        account = Account(username=fresh_name(), is_computer=number % 5 == 0)
        session.add(account)
        await session.flush()
        for _ in range(rng.randint(1, entries)):
            counts = random_counts(rng)
            entry = Entry(
                id=f"{next(_hashes):010}",
                account_id=account.id,
                counts=counts,
                mean_key=mean_of(counts).key,
                record="",
                record_sha256=f"hash {next(_hashes)}",
                submitted_at=start + timedelta(seconds=rng.randrange(10**6)),
            )
            session.add(entry)
            await session.flush()
            await standings.place(session, entry, account, entry.submitted_at)
            key = (ranking_key(entry.counts), entry.submitted_at)
            if account.id not in best or key < best[account.id][0]:
                best[account.id] = (key, entry, account)
    return best


@pytest.mark.parametrize("seed", range(4))
async def test_the_order_is_that_of_the_rules(session, seed):
    rng = random.Random(seed)
    best = await fill(session, rng, players=40, entries=3)
    expected = sorted(best.values(), key=lambda entered: (entered[0], entered[2].id))
    rows, cursor = [], ""
    while True:
        page = await standings.ranking(standings.WORLD).page(session, cursor, 7)
        rows += page.rows
        if (cursor := page.next) is None:
            break
    assert [row.entry_id for row in rows] == [entry.id for _, entry, _ in expected]
    keys = [ranking_key(entry.counts) for _, entry, _ in expected]
    assert [row.rank for row in rows] == [1 + sum(other < key for other in keys) for key in keys]
    assert len({row.rank for row in rows}) < len(rows)  # some of them are ties
    for row, key in zip(rows, keys, strict=True):
        assert await standings.rank_of(session, row.counts) == 1 + sum(other < key for other in keys)
        assert await standings.ranking(standings.WORLD).row_of(session, row.account_id) == row


async def test_the_ranks_of_many_entries_are_those_of_each(session):
    await fill(session, random.Random(11), players=15, entries=4)
    is_open = Account.closed_at.is_(None)  # other tests have left entries, too
    entries = (await session.scalars(select(Entry).join(Account).where(is_open))).all()
    ranks = await standings.ranks_of(session, entries)
    assert ranks == {entry.id: await standings.rank_of(session, entry.counts) for entry in entries}
    assert await standings.ranks_of(session, []) == {}


async def test_each_ranking_has_its_own_best(session):
    rng = random.Random(9)
    best = await fill(session, rng, players=20, entries=4)
    for players in standings.PLAYERS:
        page = await standings.ranking(f"{players}:20").page(session, "", 100)
        assert all(len(row.counts) == 20 for row in page.rows)
        assert all(row.is_computer == (players == "computers") for row in page.rows if players != "everybody")
    year = await standings.ranking("everybody:2026").page(session, "", 100)
    assert {row.account_id for row in year.rows} == set(best)


async def test_a_withdrawn_entry_is_replaced_by_the_players_next_best(session):
    rng = random.Random(5)
    best = await fill(session, rng, players=10, entries=3)
    for _, entry, account in best.values():
        entry.withdrawn_at = utc_now()
        await session.flush()
        await standings.displace(session, entry, account, entry.withdrawn_at)
    page = await standings.ranking(standings.WORLD).page(session, "", 100)
    withdrawn = {entry.id for _, entry, _ in best.values()}
    assert not withdrawn & {row.entry_id for row in page.rows}


@pytest.mark.parametrize("part", [1, 2, 7, 10_000])
async def test_the_history_has_every_record(session, monkeypatch, part):
    monkeypatch.setattr("app.nugget.rankings._PART", part)
    await session.execute(update(Entry).where(Entry.withdrawn_at.is_(None)).values(withdrawn_at=utc_now()))
    best = await fill(session, random.Random(3), players=30, entries=3)
    entries = (await session.scalars(select(Entry).where(Entry.withdrawn_at.is_(None)))).all()
    assert len(entries) >= len(best)
    expected, smallest = [], None
    for entry in sorted(entries, key=lambda entry: entry.submitted_at):
        if smallest is None or entry.mean_key < smallest:
            smallest = entry.mean_key
            expected.append(entry.id)
    history = await HistoryReader().read(session)
    assert [point.entry_id for point in history.records] == expected
    assert len(history.entries) == len(entries)


async def test_every_ranking_with_entries_can_be_read_in_later_years(session, monkeypatch):
    await fill(session, random.Random(5), players=5, entries=2)
    names = (await session.scalars(select(Standing.ranking).distinct())).all()
    assert any(name.endswith(":2026") for name in names)
    monkeypatch.setattr(standings, "utc_now", lambda: datetime(2029, 1, 1, tzinfo=UTC))
    for name in names:
        assert standings.name_of(*name.split(":")) == name
    assert standings.periods()[:5] == ["all", "2029", "2028", "2027", "2026"]
    for year in ("2025", "2030"):
        with pytest.raises(InvalidError):
            standings.name_of("people", year)
