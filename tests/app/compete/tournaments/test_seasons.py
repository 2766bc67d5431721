"""Which season the points of the server's competitions count for, and when they are awarded."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from app.compete.tournaments.models import SeasonAward
from app.compete.tournaments.seasons import FEWEST, Seasons, update_seasons
from app.core.moments import utc_now
from app.nugget.commitments.models import Commitment
from app.nugget.models import Competition, Entry
from app.nugget.standings import displace, place
from app.people.identity.models import Account
from engine.golden_nugget.ranking import mean_of
from tests.support.players import fresh_name

QUARTER = "quarter-2019-3"
STARTS_AT = datetime(2019, 7, 1, tzinfo=UTC)


@pytest.fixture
def database_url(new_database):
    """Return the URL of a database without a server, which would award the points by itself."""
    return new_database("seasons")


def competition(competition_id, ends_at, released_at):
    return Competition(
        id=competition_id,
        title="",
        text="",
        starts_at=STARTS_AT,
        ends_at=ends_at,
        min_boards=20,
        max_boards=20,
        visibility="sealed",
        released_at=released_at,
    )


async def end_quarter(database, ends_at, released_at):
    """Store a sealed competition that has ended, with an entry of each of the fewest players."""
    async with database.transaction() as session:
        session.add(competition(QUARTER, ends_at, released_at))
        for _ in range(FEWEST):
            await enter(session, await new_account(session), 40)


async def new_account(session):
    account = Account(username=fresh_name())
    session.add(account)
    await session.flush()
    return account


async def enter(session, account, moves):
    """Store an entry with so many moves on each board, and return it."""
    counts = [moves] * 20
    entry = Entry(
        id=f"entry of {account.id}",
        account_id=account.id,
        competition_id=QUARTER,
        counts=counts,
        mean_key=mean_of(counts).key,
        record="",
        record_sha256=f"hash of {account.id}",
        submitted_at=STARTS_AT,
    )
    session.add(entry)
    await session.flush()
    await place(session, entry, account, utc_now())
    return entry


async def commit(database, competition_id=QUARTER):
    """Store a commitment of a new account that is to be revealed."""
    async with database.transaction() as session:
        account = await new_account(session)
        session.add(
            Commitment(
                id="late",
                account_id=account.id,
                competition_id=competition_id,
                sha256="hash",
                committed_at=STARTS_AT,
            )
        )


async def reveal(database, moves):
    """Make an entry of the commitment, and return the name of its player."""
    async with database.transaction() as session:
        commitment = await session.get_one(Commitment, "late")
        account = await session.get_one(Account, commitment.account_id)
        commitment.entry_id = (await enter(session, account, moves)).id
        return account.username


async def test_a_sealed_competition_counts_for_its_quarter_once_its_entries_are_released(database):
    await end_quarter(database, datetime(2019, 10, 1, tzinfo=UTC), None)
    await update_seasons(database)
    assert await Seasons(database).all() == []

    async with database.transaction() as session:
        (await session.get_one(Competition, QUARTER)).released_at = utc_now()
    await update_seasons(database)
    assert await Seasons(database).all() == ["2019-3"]
    assert (await Seasons(database).table("2019-3", "", 10)).is_final


async def test_a_commitment_that_is_revealed_after_the_end_has_its_part_in_the_points(database):
    ended_at = utc_now() - timedelta(days=1)
    await end_quarter(database, ended_at, ended_at)
    await commit(database)
    await update_seasons(database)
    assert await Seasons(database).all() == []

    winner = await reveal(database, 39)
    await update_seasons(database)
    table = await Seasons(database).table("2019-3", "", 10)
    assert table.is_final
    assert (table.rows[0].username, table.rows[0].points) == (winner, 25)
    assert [row.points for row in table.rows[1:]] == [18] * FEWEST


async def test_points_wait_for_a_commitment_only_until_it_expires(database, clock):
    ended_at = utc_now() - timedelta(days=1)
    await end_quarter(database, ended_at, ended_at)
    await commit(database)
    clock.advance(days=5)
    await update_seasons(database)
    assert await Seasons(database).all() == []

    clock.advance(days=1)
    await update_seasons(database)
    table = await Seasons(database).table("2019-3", "", 10)
    assert table.is_final
    assert [row.points for row in table.rows] == [25] * FEWEST


async def test_no_final_table_is_stored_while_another_competition_waits(database):
    ended_at = utc_now() - timedelta(days=1)
    await end_quarter(database, datetime(2019, 10, 1, tzinfo=UTC), ended_at)
    async with database.transaction() as session:
        session.add(competition("other", ended_at, ended_at))
    await commit(database, "other")
    await update_seasons(database)
    table = await Seasons(database).table("2019-3", "", 10)
    assert [row.points for row in table.rows] == [25] * FEWEST
    assert not table.is_final


async def entries(database):
    """Return the entries of the competition, the best first."""
    async with database.reading_now() as session:
        return list(await session.scalars(select(Entry).order_by(Entry.mean_key, Entry.account_id)))


async def close(database, account_id, *, closed_at):
    async with database.transaction() as session:
        (await session.get_one(Account, account_id)).closed_at = closed_at


async def withdraw(database, entry):
    async with database.transaction() as session:
        entry = await session.get_one(Entry, entry.id)
        entry.withdrawn_at = utc_now()
        await session.flush()
        await displace(session, entry, await session.get_one(Account, entry.account_id), utc_now())


async def points(database):
    """Return the points in the table of the season, and their sum in the awards."""
    table = await Seasons(database).table("2019-3", "", 10)
    async with database.reading_now() as session:
        awarded = await session.scalar(select(func.sum(SeasonAward.points)))
    return [row.points for row in table.rows], awarded


async def season_with_an_open_end(database):
    """End the competition in a season whose table is not final yet, since another one waits."""
    ended_at = utc_now() - timedelta(days=1)
    await end_quarter(database, ended_at, ended_at)
    async with database.transaction() as session:
        await enter(session, await new_account(session), 39)
        session.add(competition("other", ended_at, ended_at))
    await commit(database, "other")


async def test_points_are_decided_once_whoever_comes_back(database):
    ended_at = utc_now() - timedelta(days=1)
    await end_quarter(database, ended_at, ended_at)
    (one, *_) = await entries(database)
    await close(database, one.account_id, closed_at=utc_now())
    await update_seasons(database)
    await close(database, one.account_id, closed_at=None)
    await update_seasons(database)
    assert await Seasons(database).all() == []


async def test_points_are_awarded_again_when_an_entry_is_taken_out(database):
    await season_with_an_open_end(database)
    await update_seasons(database)
    assert await points(database) == ([25] + [18] * FEWEST, 25 + 18 * FEWEST)
    (best, *_) = await entries(database)
    await withdraw(database, best)
    await update_seasons(database)
    assert await points(database) == ([25] * FEWEST, 25 * FEWEST)


async def test_a_final_table_and_its_awards_stay(database, clock):
    await season_with_an_open_end(database)
    clock.advance(days=10)  # the commitment expires
    await update_seasons(database)
    before = await points(database)
    assert (await Seasons(database).table("2019-3", "", 10)).is_final
    (best, *_) = await entries(database)
    await withdraw(database, best)
    await update_seasons(database)
    assert await points(database) == before
