"""Which season the points of the server's competitions count for, and when they are awarded."""

from datetime import UTC, datetime

import pytest

from app.compete.tournaments.seasons import FEWEST, Seasons, update_seasons
from app.core.database.session import Database
from app.core.moments import utc_now
from app.nugget.models import Competition, Entry
from app.nugget.standings import place
from app.people.identity.models import Account
from engine.golden_nugget.ranking import mean_of
from tests.support.players import fresh_name


@pytest.fixture
async def database(new_database):
    """Return a database without a server, which would award the points by itself."""
    database = await Database.open(new_database("seasons"), pool_size=1)
    yield database
    await database.close()


async def test_a_sealed_competition_counts_for_its_quarter_once_its_entries_are_released(database):
    starts_at, ends_at = datetime(2019, 7, 1, tzinfo=UTC), datetime(2019, 10, 1, tzinfo=UTC)
    competition = Competition(
        id="quarter-2019-3",
        title="",
        text="",
        starts_at=starts_at,
        ends_at=ends_at,
        min_boards=20,
        max_boards=20,
        visibility="sealed",
    )
    async with database.transaction() as session:
        session.add(competition)
        for number in range(FEWEST):
            account = Account(username=fresh_name())
            session.add(account)
            await session.flush()
            counts = [40] * 20
            entry = Entry(
                id=f"entry{number}",
                account_id=account.id,
                competition_id=competition.id,
                counts=counts,
                mean_key=mean_of(counts).key,
                record="",
                record_sha256=f"hash {number}",
                submitted_at=starts_at,
            )
            session.add(entry)
            await session.flush()
            await place(session, entry, account, starts_at)
    await update_seasons(database)
    assert await Seasons(database).all() == []

    async with database.transaction() as session:
        (await session.get_one(Competition, competition.id)).released_at = utc_now()
    await update_seasons(database)
    assert await Seasons(database).all() == ["2019-3"]
    assert (await Seasons(database).table("2019-3", "", 10)).is_final
