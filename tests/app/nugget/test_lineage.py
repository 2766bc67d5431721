"""Entries with boards of others: where they come from, what follows for rankings, and what stays secret."""

import asyncio
import random
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, text, update

from app.core.errors import ConflictError, UnauthenticatedError
from app.core.moments import utc_now
from app.nugget import judging, ledger, lineage
from app.nugget import rankings as rankings_module
from app.nugget.contents import boards_of
from app.nugget.entries import remove
from app.nugget.judging import release_ended, retrace, trace_older_entries
from app.nugget.models import Competition, Entry, HelpedPosition
from app.nugget.rankings import Rankings
from app.nugget.records.models import RecordChange
from app.nugget.standings import BoardsOf
from app.people.identity import service as identities
from app.people.identity.models import Account
from engine.golden_nugget.board import START, Move, push, pushes, turn
from engine.golden_nugget.entry import verify
from engine.golden_nugget.lineage import landmarks, paths_of, shared_boards
from engine.golden_nugget.record import Record, RecordedBoard, from_moves, parse, to_text
from tests.engine.golden_nugget.boards import walk
from tests.support.nugget import RECORD, new_record, sample_moves
from tests.support.nugget_site import open_site
from tests.support.players import fresh_name


@pytest.fixture(scope="module")
def own_database(new_database):
    """Return the URL of a database whose entries are those of these tests only."""
    return new_database("lineage")


@pytest.fixture
async def site(own_database):
    async with open_site(own_database) as site:
        yield site


def long_record(boards):
    """Return the first boards of a long record."""
    return [list(board.moves) for board in parse(RECORD.read_text()).record.boards[:boards]]


async def test_a_copy_of_a_published_entry_names_it(site):
    author, copier = await site.player(), await site.player()
    original = await site.submit(author, sample_moves(), published=True)
    copy = await site.submit(copier, new_record(detours=3))
    assert (copy.lineage.boards, copy.lineage.source, copy.assisted, copy.common) == (
        20,
        original.id,
        False,
        True,
    )
    assert not (await site.get(original)).lineage.boards


async def test_a_record_with_boards_of_others_ranks_among_common_ones_with_their_credit(site):
    author, copier, other = await site.player(), await site.player(), await site.player()
    original = await site.submit(author, new_record(detours=5), published=True)
    better = await site.submit(copier, new_record(detours=1), published=True)
    assert (better.rank, better.common, better.lineage.source) == (1, True, original.id)
    assert (await site.get(original)).rank == 1
    equal = await site.submit(other, new_record(detours=1))
    rows = (await site.rankings.page("common:all", "", 10)).rows
    assert [(row.rank, row.entry_id) for row in rows] == [(1, better.id), (1, equal.id)]
    assert rows[0].credits == (BoardsOf(author.username, 20),)
    assert sum(credit.boards for credit in rows[1].credits) == 20
    async with site.ranking("people") as people, site.ranking("everybody") as everybody:
        assert people == everybody == [original.id]


async def test_entries_become_common_when_their_source_is_published(site):
    author, other = await site.player(), await site.player()
    original = await site.submit(author, new_record(detours=4))
    later = await site.submit(other, new_record(detours=4))
    assert not later.common
    history, _holders = await site.rankings.history()
    assert [point.entry_id for point in history.entries] == [original.id, later.id]
    await site.entries.publish(original.id, author.id)
    assert (await site.get(later)).common
    async with site.ranking("people") as people, site.ranking("common") as common:
        assert (people, common) == ([original.id], [later.id])
    assert await site.rankings.history() == await Rankings(site.database).history()
    rows = (await site.rankings.page("common:all", "", 10)).rows
    assert rows[0].credits == (BoardsOf(author.username, 20),)


async def test_common_records_cannot_enter_competitions(site):
    author, copier = await site.player(), await site.player()
    await site.submit(author, new_record(detours=4), published=True)
    competition = await site.competition(author)
    with pytest.raises(ConflictError) as refused:
        await site.submit(copier, new_record(detours=3), competition_id=competition)
    assert refused.value.code == "common"


@pytest.mark.parametrize("is_program", [False, True])
@pytest.mark.parametrize(("of_program", "rankings"), [(False, "common"), (True, "assisted")])
async def test_a_copy_is_one_whether_its_player_is_a_person_or_a_program(
    site, is_program, of_program, rankings
):
    author, copier = await site.player(is_computer=of_program), await site.player(is_computer=is_program)
    original = await site.submit(author, new_record(detours=4), published=True)
    competition = await site.competition(author)
    boards = new_record(detours=3)
    rank, lineage = await site.entries.preview(verify(from_moves(boards)), copier.id)
    with pytest.raises(ConflictError) as refused:
        await site.submit(copier, boards, competition_id=competition)
    assert refused.value.code == rankings
    copy = await site.submit(copier, boards)
    assert (copy.assisted, copy.common) == (of_program, not of_program)
    assert (rank, lineage) == (copy.rank, copy.lineage)
    async with site.ranking("everybody") as everybody, site.ranking(rankings) as others:
        assert (everybody, others) == ([original.id], [copy.id])
    async with site.database.reading_now() as session:
        holders = await session.scalars(select(RecordChange.account_id).distinct())
        assert holders.all() == [author.id]


@pytest.mark.parametrize("is_program", [False, True])
async def test_a_copy_is_found_out_later_whether_its_player_is_a_person_or_a_program(site, is_program):
    author, copier = await site.player(), await site.player(is_computer=is_program)
    original = await site.submit(author, new_record(detours=4))
    copy = await site.submit(copier, new_record(detours=3))
    assert not copy.common
    await site.entries.publish(original.id, author.id)
    assert (await site.get(copy)).common
    async with site.database.transaction() as session:
        await session.execute(update(Entry).values(common=False))  # as older servers left it
    assert await retrace(site.database, None)
    assert [(await site.get(entry)).common for entry in (original, copy)] == [False, True]


async def test_what_the_computer_player_showed_and_entered_before_is_its_own(site):
    async with site.database.reading_now() as session:
        solver = identities.identity_of(await identities.solver(session))
    await site.solve_by_run(await site.player(), long_record(22), helped=set(range(1, 23)))
    entries = [await site.submit(solver, long_record(count), published=True) for count in (20, 50, 21)]
    shown = [await site.get(entry) for entry in entries]
    assert [(each.lineage.boards, each.assisted, each.common) for each in shown] == [(0, False, False)] * 3
    async with site.ranking("computers") as computers:
        assert len(computers) == 1


async def test_a_longer_entry_shares_the_boards_of_the_shorter_one(site):
    author, other = await site.player(), await site.player()
    original = await site.submit(author, long_record(20), published=True)
    longer = await site.submit(other, long_record(30))
    assert (longer.lineage.boards, longer.lineage.source) == (20, original.id)


async def test_what_was_not_published_is_nobodys_source(site):
    author, other = await site.player(), await site.player()
    original = await site.submit(author, new_record(detours=4))
    later = await site.submit(other, new_record(detours=4))
    assert not later.lineage.boards
    await site.entries.publish(original.id, author.id)
    assert (await site.get(later)).lineage.source == original.id  # the earlier acceptance decides
    await site.entries.publish(later.id, other.id)
    assert not (await site.get(original)).lineage.boards


async def test_an_entry_of_ones_own_is_no_source(site):
    author = await site.player()
    await site.submit(author, new_record(detours=4), published=True)
    assert not (await site.submit(author, new_record(detours=3))).lineage.boards


async def test_boards_that_others_have_copied_remain_those_of_their_player(site):
    author, copier = await site.player(), await site.player()
    first = await site.submit(author, new_record(detours=4), published=True)
    await site.submit(copier, new_record(detours=3), published=True)
    improved = await site.submit(author, new_record(detours=2))
    assert (improved.lineage.boards, improved.common) == (0, False)
    for entry in (improved, first):
        await site.entries.withdraw(entry.id, author.id)
    boards = [[str(move) for move in board.made] for board in await boards_of(first)]
    again = await site.submit(author, boards, published=True)
    assert (again.lineage.boards, again.common, again.rank) == (0, False, 1)


async def test_a_copy_of_a_computers_entry_ranks_as_assisted(site):
    computer, copier, next_copier = (
        await site.player(is_computer=True),
        await site.player(),
        await site.player(),
    )
    original = await site.submit(computer, new_record(detours=6))
    copy = await site.submit(copier, new_record(detours=3), published=True)
    assert (copy.lineage.source, copy.assisted, copy.rank) == (computer.username, True, 1)
    async with site.ranking("people") as people, site.ranking("assisted") as assisted:
        assert (people, assisted) == ([], [copy.id])
    second = await site.submit(next_copier, new_record(detours=2))
    assert second.assisted  # of the computer's entry and of the copy the first one is named
    assert second.lineage.source == computer.username
    assert await site.rankings.history() == await Rankings(site.database).history()
    history, holders = await site.rankings.history()
    assert [point.entry_id for point in history.entries] == [original.id]
    assert holders == {computer.id: computer.username}


async def test_a_copy_of_the_computers_boards_cannot_enter_a_competition(site):
    computer, copier = await site.player(is_computer=True), await site.player()
    competition = await site.competition(computer)
    await site.submit(computer, new_record(detours=6))
    with pytest.raises(ConflictError) as refused:
        await site.submit(copier, new_record(detours=3), competition_id=competition)
    assert refused.value.code == "assisted"


async def test_entries_become_assisted_when_their_assisted_source_is_published(site):
    helped, copier, third = await site.player(), await site.player(), await site.player()
    competition = await site.competition(helped)
    source = await site.submit(helped, new_record(detours=7), assisted=True)
    copy = await site.submit(copier, new_record(detours=3), competition_id=competition)
    copy_of_copy = await site.submit(third, new_record(detours=2))
    async with site.ranking("people") as people:
        assert people == [copy_of_copy.id, copy.id]
    history, _ = await site.rankings.history()
    assert [point.entry_id for point in history.records] == [copy.id, copy_of_copy.id]
    await site.entries.publish(source.id, helped.id)
    history, _ = await site.rankings.history()
    assert (history.entries, history.records) == ((), ())
    for entry in (copy, copy_of_copy):
        assert (await site.get(entry)).assisted
    async with site.ranking("people") as people, site.ranking("assisted") as assisted:
        assert people == []
        assert assisted == [copy_of_copy.id, copy.id, source.id]


async def test_another_entry_of_the_player_takes_the_place_of_one_that_became_assisted(site):
    helped, copier = await site.player(), await site.player()
    source = await site.submit(helped, long_record(20), assisted=True)
    own = await site.submit(copier, sample_moves())
    copy = await site.submit(copier, long_record(21))
    async with site.ranking("people") as people:
        assert people == [copy.id]
    await site.entries.publish(source.id, helped.id)
    async with site.ranking("people") as people:
        assert people == [own.id]


class TestSealedCompetitions:
    async def test_a_sealed_entry_is_no_source_and_tells_nothing_of_its_own(self, site):
        computer, author, copier = (
            await site.player(is_computer=True),
            await site.player(),
            await site.player(),
        )
        published = await site.submit(author, new_record(detours=9))
        competition = await site.competition(author, visibility="sealed")
        sealed = await site.submit(copier, new_record(detours=8), competition_id=competition)
        await site.entries.publish(published.id, author.id)
        of_computer = await site.submit(computer, long_record(20), competition_id=competition)
        assert (await site.get(sealed, author)).lineage is None
        assert (await site.get(sealed, copier)).lineage.source == published.id
        later = await site.submit(author, long_record(21))
        assert (later.lineage.boards, later.assisted) == (0, False)
        await self.end(site, competition)
        assert await release_ended(site.database, site.bus) == 1
        after = await site.get(later)
        assert (after.lineage.source, after.lineage.boards, after.assisted) == (computer.username, 20, True)
        assert not (await site.get(of_computer)).lineage.boards

    async def test_a_copy_in_the_same_competition_takes_no_holder_from_a_record(self, site):
        computer, copier = await site.player(is_computer=True), await site.player()
        competition = await site.competition(computer, visibility="sealed")
        await site.submit(computer, long_record(22), competition_id=competition)
        copy = await site.submit(copier, long_record(23), competition_id=competition)
        await self.end(site, competition)
        assert await release_ended(site.database, site.bus) == 1
        assert (await site.get(copy)).assisted
        async with site.database.reading_now() as session:
            assert 0 not in set(await session.scalars(select(RecordChange.holders)))

    async def test_a_sealed_entry_does_not_say_among_which_entries_it_ranks(self, site):
        author, other = await site.player(), await site.player()
        competition = await site.competition(author, visibility="sealed")
        sealed = await site.submit(author, new_record(detours=8), competition_id=competition)
        async with site.database.transaction() as session:
            await session.execute(update(Entry).values(assisted=True, common=True))
        for reader, marks in ((other, (None, None)), (author, (True, True))):
            shown = await site.get(sealed, reader)
            assert (shown.assisted, shown.common) == marks

    async def test_copies_are_marked_if_the_competition_ends_while_its_release_waits(self, site):
        computer, copier = await site.player(is_computer=True), await site.player()
        await self.end(site, await site.competition(computer, visibility="sealed"))  # one is due
        competition = await site.competition(computer, visibility="sealed")
        await site.submit(computer, long_record(20), competition_id=competition)
        copy = await site.submit(copier, long_record(21))
        await self.end(site, competition, after=timedelta(seconds=1))
        async with site.database.transaction() as session:
            await ledger.lock(session)
            release = asyncio.create_task(release_ended(site.database, site.bus))
            await asyncio.sleep(1.5)
        assert await release == 2
        assert (await site.get(copy)).assisted

    async def test_a_damaged_follower_holds_up_neither_the_release_nor_the_publishing_of_its_source(
        self, site
    ):
        computer, copier = await site.player(is_computer=True), await site.player()
        competition = await site.competition(computer, visibility="sealed")
        source = await site.submit(computer, long_record(20), competition_id=competition)
        copy = await site.submit(copier, long_record(21))
        async with site.database.transaction() as session:
            await session.execute(update(Entry).where(Entry.id == copy.id).values(counts=[]))
        await self.end(site, competition)
        assert await release_ended(site.database, site.bus) == 1
        assert (await site.entries.publish(source.id, computer.id)).published_at is not None

    async def test_a_competition_whose_release_fails_holds_up_no_other(self, site, monkeypatch):
        author = await site.player()
        bad, good = [await site.competition(author, visibility="sealed") for _ in range(2)]
        for competition in (bad, good):
            await self.end(site, competition)
        release = judging._release

        async def fail(session, competition, at):
            if competition.id == bad:
                raise RuntimeError
            return await release(session, competition, at)

        monkeypatch.setattr(judging, "_release", fail)
        assert await release_ended(site.database, site.bus) == 1
        monkeypatch.undo()
        assert await release_ended(site.database, site.bus) == 1  # the other one

    @staticmethod
    async def end(site, competition, after=timedelta(seconds=-1)):
        async with site.database.transaction() as session:
            ends_at = utc_now() + after
            ended = update(Competition).where(Competition.id == competition).values(ends_at=ends_at)
            await session.execute(ended)

    @pytest.mark.parametrize("visibility", ["open", "sealed"])
    async def test_boards_that_its_end_opens_count_for_later_entries_only(self, site, visibility):
        first, second, late = await site.player(), await site.player(), await site.player()
        competition = await site.competition(first, visibility=visibility)
        source = await site.submit(first, new_record(detours=8), competition_id=competition)
        earlier = await site.submit(second, new_record(detours=6), competition_id=competition)
        await self.end(site, competition)
        assert (await site.get(source)).record is None
        assert await release_ended(site.database, site.bus) == 1
        assert (await site.get(source)).record
        assert not (await site.get(earlier)).lineage.boards
        later = await site.submit(late, new_record(detours=5))
        assert (later.lineage.source, later.common) == (source.id, True)

    async def test_an_entry_is_published_after_the_end_of_its_sealed_competition(self, site):
        author, copier = await site.player(), await site.player()
        competition = await site.competition(author, visibility="sealed")
        entry = await site.submit(author, new_record(detours=6), competition_id=competition)
        with pytest.raises(ConflictError) as refused:
            await site.entries.publish(entry.id, author.id)
        assert refused.value.code == "sealed"
        shown = await site.get(entry, author)
        assert (shown.published_at, shown.may_be_published) == (None, False)
        await self.end(site, competition)
        assert (await site.get(entry, author)).may_be_published
        assert not (await site.get(entry, copier)).may_be_published
        assert (await site.entries.publish(entry.id, author.id)).published_at
        assert not (await site.get(entry, author)).may_be_published

    async def test_an_entry_that_was_published_before_stays_secret_until_the_end(self, site):
        author, copier = await site.player(), await site.player()
        competition = await site.competition(author, visibility="sealed")
        entry = await site.submit(author, new_record(detours=6), competition_id=competition)
        async with site.database.transaction() as session:
            await session.execute(update(Entry).values(published_at=utc_now()))
        assert (await site.get(entry, author)).record
        assert (await site.get(entry, copier)).record is None
        copy = await site.submit(copier, new_record(detours=5))
        assert not copy.lineage.boards
        await self.end(site, competition)
        assert (await site.get(entry, copier)).record
        assert (await site.get(copy)).lineage.source == entry.id

    @pytest.mark.parametrize("visibility", ["open", "sealed"])
    async def test_publishing_what_a_competition_has_opened_makes_no_source_of_it(self, site, visibility):
        first, second = await site.player(), await site.player()
        competition = await site.competition(first, visibility=visibility)
        earlier = await site.submit(first, new_record(detours=8), competition_id=competition)
        later = await site.submit(second, new_record(detours=7), competition_id=competition)
        await self.end(site, competition)
        await release_ended(site.database, site.bus)
        for entry, player in ((later, second), (earlier, first)):
            await site.entries.publish(entry.id, player.id)
        for entry in (earlier, later):
            shown = await site.get(entry)
            assert (shown.common, shown.lineage.boards) == (False, 0)


async def test_an_entry_that_a_moderator_removed_cannot_be_published(site):
    cheat, honest = await site.player(), await site.player()
    copy = await site.submit(cheat, new_record(detours=8))
    async with site.database.transaction() as session:
        await remove(session, copy.id, cheat.id, "Stolen")
    own = await site.submit(honest, new_record(detours=6))
    with pytest.raises(ConflictError) as refused:
        await site.entries.publish(copy.id, cheat.id)
    assert refused.value.code == "withdrawn"
    assert not (await site.get(copy, cheat)).may_be_published
    assert not (await site.get(own)).common


class TestHelp:
    async def test_boards_that_the_computer_finished_are_recognised_in_a_record(self, site):
        player = await site.player()
        boards = sample_moves()
        await site.solve_by_run(player, boards[:12], helped={2, 3, 5, 8, 11})
        entry = await site.submit(player, new_record(detours=3))
        assert (entry.lineage.helped, entry.lineage.shares, entry.assisted) == ((2, 3, 5, 8, 11), (), True)
        async with site.database.transaction() as session:
            assert entry.lineage.source == (await identities.solver(session)).username

    @pytest.mark.parametrize("first", [1, 4, 16])
    async def test_boards_that_the_computer_finished_for_others_are_recognised(self, site, first):
        helped, other = await site.player(), await site.player()
        boards = sample_moves()
        with_help = set(range(first, first + 5))
        await site.solve_by_run(helped, boards, helped=with_help)
        run = await site.solve_by_run(other, boards, helped=())
        assert not run.is_assisted
        entry = (await site.entries.submit_run(other, run.id, 20)).entry
        assert (set(entry.lineage.helped), entry.assisted) == (with_help, True)

    async def test_the_boards_that_hints_were_asked_on_are_recognised_in_another_run(self, site):
        helped, other = await site.player(), await site.player()
        boards = sample_moves()
        run = await site.runs.create(helped.id)
        for moves in boards[:5]:
            forces = [move[0] for move in moves]
            run = await site.play(run, helped, forces[:6])
            run = await site.runs.count_hint(run.id, helped.id, forces[6:], run.version)
            run = await site.play(run, helped, [*forces[6:], "turn"])
        entry = await site.submit(other, boards)
        assert (entry.lineage.helped, entry.assisted) == ((1, 2, 3, 4, 5), True)

    async def test_a_hint_that_was_not_followed_is_no_help(self, site):
        player = await site.player()
        boards = sample_moves()
        run = await site.runs.create(player.id)
        for moves in boards[:5]:
            forces = [move[0] for move in moves]
            legal = [force for force, move in pushes(run.play.board).items() if isinstance(move, Move)]
            other = next(force for force in legal if force != forces[0])
            run = await site.runs.count_hint(run.id, player.id, [other], run.version)
            run = await site.play(run, player, [*forces, "turn"])
        entry = await site.submit(player, boards)
        assert (entry.lineage.helped, entry.assisted) == ((), False)

    async def test_better_moves_that_a_review_shows_are_recognised(self, site):
        author, reader = await site.player(), await site.player()
        boards = new_record(detours=20)
        reviewed = await site.submit(author, boards, published=True)
        better = await site.review(reviewed, 20)
        assert len(better) < len(boards[19])
        improved = await site.submit(reader, [*boards[:19], better])
        assert improved.lineage.helped == (20,)
        copied = await site.submit(reader, new_record(detours=19))
        assert (copied.lineage.boards, copied.lineage.source, copied.assisted) == (20, reviewed.id, False)

    async def test_help_with_few_boards_leaves_the_entry_in_its_rankings(self, site):
        player = await site.player()
        await site.solve_by_run(player, sample_moves()[:6], helped={1, 2, 4, 6})
        entry = await site.submit(player, sample_moves())
        assert (entry.lineage.boards, entry.lineage.source, entry.assisted) == (4, None, False)

    async def test_boards_that_were_entered_before_are_not_the_computers(self, site):
        player = await site.player()
        await site.submit(player, sample_moves())
        await site.solve_by_run(player, sample_moves()[:8], helped=set(range(1, 9)))
        entry = await site.submit(player, new_record(detours=2))
        assert (entry.lineage.boards, entry.assisted) == (0, False)


@pytest.mark.parametrize(
    ("of_computers", "of_people", "expected"),
    [
        ((4, 4), (), (True, True)),
        ((1, 1, 1, 1, 1), (), (True, True)),
        ((4,), (), (False, False)),
        ((4,), (1,), (True, False)),
        ((), (4, 4), (True, False)),
        ((3, 2), (4,), (True, True)),
    ],
)
async def test_the_boards_of_all_sources_count_together(site, of_computers, of_people, expected):
    """Each entry goes on from the one before with so many boards."""
    rng, moment = random.Random(1), utc_now()
    mine = []
    async with site.database.transaction() as session:
        for is_computer, counts in ((True, of_computers), (False, of_people)):
            for count in counts:
                owner = await site.player(is_computer=is_computer)
                mine = with_own_boards(mine, count, rng)
                moment += timedelta(seconds=1)
                session.add(stored(fresh_name("entry"), owner, mine, moment, moment))
        await session.flush()
        mine = with_own_boards(mine, 3, rng)
        found = await lineage.trace(session, paths_in(mine), None, moment + timedelta(seconds=1))
        assert (found.is_derived, found.is_assisted) == expected
        assert found.boards == len(mine) - 3


@pytest.mark.parametrize("by_command", [False, True])
async def test_entries_from_before_are_traced(site, by_command):
    computer, copier, other = await site.player(is_computer=True), await site.player(), await site.player()
    async with site.database.transaction() as session:
        entries = []
        for player, boards in (
            (computer, long_record(20)),
            (copier, long_record(22)),
            (other, sample_moves()),
        ):
            entry = await site.submit(player, boards, published=True)
            entries.append(entry)
    async with site.database.transaction() as session:
        await session.execute(update(Entry).values(positions=None, assisted=False))
        await session.execute(
            text("UPDATE nugget_standings SET ranking = replace(ranking, 'assisted', 'people')")
        )
    if by_command:
        traced = []
        while more := await retrace(site.database, traced[-1] if traced else None):
            traced += more
        assert traced == [entry.id for entry in entries]
    else:
        assert await trace_older_entries(site.database) == 3
        assert await trace_older_entries(site.database) == 0
    original, copy, unrelated = [await site.get(entry) for entry in entries]
    assert (original.lineage.boards, original.assisted) == (0, False)
    assert (copy.lineage.boards, copy.lineage.source, copy.assisted) == (20, computer.username, True)
    assert (unrelated.lineage.boards, unrelated.assisted) == (0, False)
    async with site.ranking("assisted") as assisted, site.ranking("people") as people:
        assert (assisted, people) == ([copy.id], [unrelated.id])


@pytest.mark.parametrize("seed", range(3))
async def test_each_board_comes_from_the_first_entry_that_has_it(site, seed, monkeypatch):
    """Compare the queries with a search through all entries, some of which are secret."""
    monkeypatch.setattr(lineage, "_AT_ONCE", 2)
    rng = random.Random(seed)
    start = datetime(2026, 1, 1, tzinfo=UTC)
    owners = [await site.player(is_computer=number == 0) for number in range(4)]
    entries, all_entered = [[]], []
    async with site.database.transaction() as session:
        for number in range(40):
            owner, moment = rng.choice(owners), start + timedelta(seconds=rng.randrange(10**6))
            boards = with_own_boards(rng.choice(entries)[: rng.randrange(2, 7)], rng.randrange(2, 4), rng)
            entries.append(boards)
            published = moment if rng.random() < 0.5 else None
            session.add(stored(f"{seed}-{number}", owner, boards, moment, published))
            is_known = published is not None or owner == owners[0]
            all_entered.append((moment, owner.id, is_known, f"{seed}-{number}", paths_in(boards)))
        await session.flush()
        for _ in range(30):
            boards = with_own_boards(rng.choice(entries)[: rng.randrange(2, 7)], 2, rng)
            mine, helped = paths_in(boards), (len(boards) - 1, len(boards))
            for number in helped:
                keys = mine[number - 1].keys[5:7]
                session.add_all(HelpedPosition(key=key, helped_at=start) for key in keys)
            await session.flush()
            me = rng.choice(owners).id
            before = start + timedelta(seconds=rng.randrange(1, 10**6))
            first = {}
            for moment, owner, is_known, entry_id, theirs in sorted(all_entered, key=lambda row: row[0]):
                if (is_known or owner == me) and moment < before:
                    for number, there in shared_boards(mine, theirs).items():
                        first.setdefault(number, (owner, entry_id, there))
            expected = {number: source for number, (owner, *source) in first.items() if owner != me}
            found = await lineage.trace(session, mine, me, before)
            assert found.helped == helped
            assert expected == {
                number: [share.entry_id, there] for share in found.shares for number, there in share.boards
            }


def with_own_boards(boards, count, rng):
    """Return the moves of boards, and of as many more of random moves (which solve none of them)."""
    board, boards = START, list(boards)
    for moves in boards:
        for force in moves:
            board, _ = push(board, force)
        board = turn(board)
    for _ in range(count):
        board, moves = walk(board, 20, rng)
        boards.append("".join(move.force for move in moves))
        board = turn(board)
    return boards


def record_of(boards):
    return Record(tuple(RecordedBoard(tuple(moves)) for moves in boards))


def paths_in(boards):
    return paths_of(record_of(boards))


def stored(entry_id, owner, boards, submitted_at, published_at):
    return Entry(
        id=entry_id,
        account_id=owner.id,
        counts=[20] * len(boards),
        mean_key=0,
        record=to_text(record_of(boards)),
        record_sha256=entry_id,
        submitted_at=submitted_at,
        published_at=published_at,
        positions=list(landmarks(paths_in(boards))),
    )


async def test_the_history_follows_what_is_submitted_withdrawn_and_derived(site):
    async def is_right():
        followed = await site.rankings.history()
        return followed == await Rankings(site.database).history() and len(followed[0].entries)

    players = [await site.player() for _ in range(4)]
    assert await is_right() == 0
    entries = []
    for count, player in enumerate(players, 1):
        entries.append(await site.submit(player, new_record(detours=9 - 2 * count)))
        assert await is_right() == count
    history, holders = await site.rankings.history()
    assert len(history.records) == len(players)
    assert set(holders) == {player.id for player in players}
    await site.entries.withdraw(entries[-1].id, players[-1].id)
    assert await is_right() == len(players) - 1
    computer = await site.player(is_computer=True)
    await site.submit(computer, new_record(detours=0))
    assert await is_right() == len(players)


async def test_nothing_is_accepted_for_an_account_that_was_closed_after_it_was_identified(site):
    player = await site.player()
    async with site.database.transaction() as session:
        await session.execute(update(Account).where(Account.id == player.id).values(closed_at=utc_now()))
    with pytest.raises(UnauthenticatedError):
        await site.submit(player, new_record(detours=3))


async def test_an_entry_that_comes_while_the_history_is_extended_is_in_it_once(site, monkeypatch):
    player = await site.player()
    await site.submit(player, new_record(detours=9))
    await site.rankings.history()
    await site.submit(player, new_record(detours=8))
    read = rankings_module._read

    async def read_late(session, query):
        monkeypatch.undo()
        await site.submit(player, new_record(detours=7))
        return await read(session, query)

    monkeypatch.setattr(rankings_module, "_read", read_late)
    await site.rankings.history()
    assert await site.rankings.history() == await Rankings(site.database).history()
