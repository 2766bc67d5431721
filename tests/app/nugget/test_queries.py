"""Entries as they are read from the database."""

import pytest
from sqlalchemy import event, text

from app.core.database.session import Database
from app.core.realtime.bus import MemoryBus
from app.core.realtime.hub import Hub
from app.nugget.entries import Entries
from app.nugget.lineage import entries_with
from app.nugget.models import Entry
from tests.support.nugget import new_record
from tests.support.players import Program


@pytest.fixture
def loaded():
    """Return a list that gets every entry that is loaded from a database."""
    entries = []

    def add(entry, _context):
        entries.append(entry)

    event.listen(Entry, "load", add)
    yield entries
    event.remove(Entry, "load", add)


async def test_a_list_of_entries_is_read_without_their_records(server, database_url, loaded):
    player = Program(server)
    accepted = player.http.post("/nugget/entries", json={"boards": new_record(detours=12)})
    assert accepted.status_code == 201, accepted.text
    database = await Database.open(database_url, pool_size=1)
    _name, entries = await Entries(database, MemoryBus(Hub())).of_player(player.username, None, "", 10)
    await database.close()
    assert [entry.rank is not None for entry in entries.rows] == [True]
    assert len(loaded) == 1
    assert "record" not in vars(loaded[0])


async def test_the_entries_of_a_player_are_read_in_pages(server, database_url):
    player = Program(server)
    submitted = []
    for detours in (13, 14, 15):
        accepted = player.http.post("/nugget/entries", json={"boards": new_record(detours=detours)})
        submitted.append(accepted.json()["id"])
    database = await Database.open(database_url, pool_size=1)
    entries = Entries(database, MemoryBus(Hub()))
    _name, first = await entries.of_player(player.username, None, "", 2)
    _name, second = await entries.of_player(player.username, None, first.next, 2)
    await database.close()
    assert [entry.id for entry in (*first.rows, *second.rows)] == submitted[::-1]
    assert second.next is None


@pytest.mark.parametrize("landmarks", [1, 300, 5_000])
async def test_landmarks_are_looked_up_by_their_index_however_many_they_are(database_url, landmarks):
    database = await Database.open(database_url, pool_size=1)
    positions = [4 * number for number in range(landmarks)]
    read = text(
        "SELECT seq_scan AS entries, current_setting('enable_seqscan') AS others"
        " FROM pg_stat_xact_user_tables WHERE relname = 'nugget_entries'"
    )
    async with database.transaction() as session:
        before = (await session.execute(read)).one()
        assert (await session.scalars(entries_with(positions))).all() == []
        assert (await session.execute(read)).one() == before == (0, "on")
    await database.close()
