"""What counts as the time of a record that was committed to: for rankings, and where boards come from."""

import pytest
from sqlalchemy import select, text

from app.core.errors import ConflictError
from app.core.moments import utc_now
from app.nugget.judging import release_ended, retrace
from app.nugget.rankings import Rankings
from app.nugget.records import retelling
from app.nugget.records.models import RecordChange
from engine.golden_nugget import sealing
from engine.golden_nugget.record import parse
from tests.support.nugget import RECORD, new_record, sample_moves, sealed


def long_record(boards):
    """Return the first boards of a long record."""
    return [list(board.moves) for board in parse(RECORD.read_text()).record.boards[:boards]]


async def commit(site, player, file, competition=None):
    return await site.commitments.commit(player, sealing.hash_of(file), competition)


async def reveal(site, player, commitment, file):
    return (await site.commitments.reveal(player, commitment.id, file)).entry


async def test_what_is_published_after_a_commitment_does_not_make_it_a_copy(site):
    first, second = await site.player(), await site.player()
    file = sealed(new_record(detours=3))
    commitment = await commit(site, first, file)
    other = await site.submit(second, sample_moves(), published=True)
    entry = await reveal(site, first, commitment, file)
    assert entry.submitted_at == commitment.committed_at < other.submitted_at < entry.revealed_at
    assert (entry.lineage.boards, entry.common) == (0, False)
    assert (await site.get(other)).lineage.boards == 0


async def test_what_is_submitted_before_the_reveal_is_no_copy_and_what_comes_later_is(site):
    first, second, third = await site.player(), await site.player(), await site.player()
    file = sealed(new_record(detours=3))
    commitment = await commit(site, first, file)
    before = await site.submit(second, new_record(detours=3))
    entry = await reveal(site, first, commitment, file)
    await site.entries.publish(entry.id, first.id)
    later = await site.submit(third, new_record(detours=3))
    assert ((await site.get(before)).common, (await site.get(before)).lineage.boards) == (False, 0)
    assert (later.common, later.lineage.source) == (True, entry.id)
    last = None
    while traced := await retrace(site.database, last):
        last = traced[-1]
    assert [(await site.get(each)).common for each in (entry, before, later)] == [False, False, True]


async def test_a_commitment_to_boards_that_were_public_is_a_copy(site):
    first, second = await site.player(), await site.player()
    source = await site.submit(first, sample_moves(), published=True)
    file = sealed(new_record(detours=3))
    entry = await reveal(site, second, await commit(site, second, file), file)
    assert (entry.common, entry.lineage.source) == (True, source.id)
    cup = await site.competition(first)
    again = sealed(new_record(detours=3))
    commitment = await commit(site, second, again, cup)
    with pytest.raises(ConflictError) as refused:
        await reveal(site, second, commitment, again)
    assert refused.value.code == "common"


async def test_help_with_boards_that_were_committed_to_is_no_help(site):
    player = await site.player()
    boards = long_record(20)
    file = sealed(boards)
    commitment = await commit(site, player, file)
    await site.solve_by_run(await site.player(), boards, helped=range(1, 21))
    entry = await reveal(site, player, commitment, file)
    assert (entry.assisted, entry.lineage.helped) == (False, ())


async def test_of_equal_entries_the_one_that_was_committed_to_first_is_listed_first(site):
    first, second = await site.player(), await site.player()
    file = sealed(new_record(detours=2))
    commitment = await commit(site, first, file)
    other = await site.submit(second, new_record(detours=2))
    entry = await reveal(site, first, commitment, file)
    rows = (await site.rankings.page("people:all", "", 10)).rows
    assert [(row.rank, row.entry_id) for row in rows] == [(1, entry.id), (1, other.id)]


async def test_the_history_has_a_record_where_it_was_committed_to(site):
    first, second, third = await site.player(), await site.player(), await site.player()
    file = sealed(new_record(detours=2))
    commitment = await commit(site, first, file)
    worse = await site.submit(second, new_record(detours=3))
    better = await site.submit(third, new_record(detours=1))
    history, _holders = await site.rankings.history()
    assert [point.entry_id for point in history.records] == [worse.id, better.id]
    entry = await reveal(site, first, commitment, file)
    for rankings in (site.rankings, Rankings(site.database)):  # one that goes on, one that reads all
        history, _holders = await rankings.history()
        assert [point.entry_id for point in history.records] == [entry.id, better.id]
        assert [point.entry_id for point in history.entries] == [entry.id, worse.id, better.id]


@pytest.mark.parametrize("visibility", ["open", "sealed"])
async def test_records_are_set_when_they_are_revealed(site, visibility):
    organiser, first, second = await site.player(), await site.player(), await site.player()
    cup = await site.competition(organiser, visibility=visibility)
    file = sealed(new_record(detours=1))
    commitment = await commit(site, first, file, cup)
    other = await site.submit(second, new_record(detours=1))
    await end(site, cup)
    entry = await reveal(site, first, commitment, file)
    told = await changes(site)
    assert {change.entry_id for change in told} == {other.id}, "who equals a record does not take it"
    await site.entries.withdraw(other.id, second.id)
    told = await changes(site)
    assert {(change.entry_id, change.at) for change in told} == {(entry.id, entry.revealed_at)}
    await retelling.retell(site.database)
    assert await changes(site) == told


async def end(site, cup):
    """End a competition, and release its entries."""
    over = {"cup": cup, "at": utc_now()}
    async with site.database.transaction() as session:
        await session.execute(text("UPDATE nugget_competitions SET ends_at = :at WHERE id = :cup"), over)
    assert await release_ended(site.database, site.bus) == 1


async def changes(site):
    """Return all changes of records."""
    columns = (
        RecordChange.number,
        RecordChange.kind,
        RecordChange.players,
        RecordChange.entry_id,
        RecordChange.at,
    )
    async with site.database.reading_now() as session:
        return (await session.execute(select(*columns).order_by(*columns))).all()
