"""The tree compared with what follows from all entries, and records that are begun at its nodes."""

import asyncio
import random

import pytest
from sqlalchemy import delete, select, text, update

from app.core.errors import NotFoundError
from app.nugget.models import Entry
from app.nugget.tree.growing import grow_older
from app.nugget.tree.models import TreeStep
from app.nugget.tree.reading import Tree
from app.nugget.tree.service import Continuing
from app.people.identity.models import Account
from engine.golden_nugget.board import push, turn
from engine.golden_nugget.positions import IMAGES
from engine.golden_nugget.record import from_moves, parse
from engine.golden_nugget.tree import START_NODE, steps_of
from engine.search.nugget.solver import solve
from tests.support.nugget import (
    RECORD,
    SHORT_RECORD,
    image_of,
    looks,
    new_record,
    sample_moves,
)
from tests.support.nugget_site import open_site


@pytest.fixture(scope="module")
def own_database(new_database):
    """Return the URL of a database whose entries are those of these tests only."""
    return new_database("tree")


@pytest.fixture
async def site(own_database):
    async with open_site(own_database) as site:
        site.tree = Tree(site.database)
        site.continuing = Continuing(site.tree, site.runs, site.entries)
        yield site


def any_record(rng):
    """Return a record of a few that share nodes with others: longer, with detours, or in a cycle."""
    boards = new_record(rng.randrange(1, 8), rng.choice([RECORD, SHORT_RECORD]))
    return boards[: rng.choice([20, 26, 60, 90])]


async def shown_entries(site):
    """Return the entries that everybody may see, the earliest first, each with the steps of its boards."""
    async with site.database.reading_now() as session:
        rows = await session.execute(
            select(Entry, Account)
            .join(Account, Account.id == Entry.account_id)
            .where(Entry.withdrawn_at.is_(None), Entry.published_at.is_not(None), Account.closed_at.is_(None))
            .order_by(Entry.submitted_at)
        )
    return [(entry, list(steps_of(parse(entry.record).record))) for entry, _account in rows]


def best(found):
    """Return the fewest moves, and the entry that had them first."""
    return min(found, key=lambda each: each[0], default=None)


async def check_node(site, node, entries):
    """Compare a node with what follows from the entries alone."""
    reached = best(
        (step.reached, entry.id) for entry, steps in entries for step in steps if step.next == node
    )
    if reached is None and node != START_NODE:
        with pytest.raises(NotFoundError):
            await site.tree.node(node)
        return
    shown = await site.tree.node(node)
    assert (shown.best and (shown.best.moves, shown.best.entry_id)) == reached
    ahead = {}
    for boards in (1, 5, 20):
        found = [
            (sum(step.moves for step in steps[place : place + boards]), entry.id)
            for entry, steps in entries
            for place, step in enumerate(steps)
            if step.node == node and place + boards <= len(steps)
        ]
        if found:
            ahead[boards] = best(found)
    assert {each.boards: (each.moves, each.entry_id) for each in shown.ahead} == ahead
    following = {}
    for entry, steps in entries:
        for step in steps:
            if step.node == node and step.moves < following.get(step.next, (100,))[0]:
                following[step.next] = step.moves, entry.id
    assert {each.node: (each.moves, each.entry_id) for each in shown.next} == following
    for each in shown.next:
        board = shown.position
        for move in each.line:
            board, made = push(board, move.force)
            assert made == move
        assert len(each.line) == each.moves
        there = looks((await site.tree.node(each.node)).position)
        assert any(looks(image_of(turn(board), image)) == there for image in IMAGES)


@pytest.mark.parametrize("seed", range(3))
async def test_the_tree_has_the_numbers_that_follow_from_all_entries(site, seed):
    rng = random.Random(seed)
    players = [await site.player() for _ in range(4)]
    nodes, entries = {START_NODE}, []
    for _ in range(8):
        player = rng.choice(players)
        boards = any_record(rng)
        nodes |= {step.next for step in steps_of(from_moves(boards).record)}
        entries.append((await site.submit(player, boards, published=rng.random() < 0.8), player))
        if rng.random() < 0.3:
            entry, owner = entries.pop(rng.randrange(len(entries)))
            await site.entries.withdraw(entry.id, owner.id)
    async with site.database.transaction() as session:
        left = update(Account).where(Account.id == players[0].id)
        await session.execute(left.values(closed_at=text("now()")))
    shown = await shown_entries(site)
    for node in [START_NODE, *rng.sample(sorted(nodes - {START_NODE}), 12)]:
        await check_node(site, node, shown)


async def steps_in(site):
    async with site.database.reading_now() as session:
        rows = await session.execute(select(TreeStep.__table__).order_by(TreeStep.entry_id, TreeStep.number))
        return rows.all()


async def test_growing_again_from_all_entries_makes_the_same_tree(site):
    rng = random.Random(7)
    player = await site.player()
    for number in range(5):
        await site.submit(player, any_record(rng), published=number != 2)
    grown = await steps_in(site)
    assert grown
    async with site.database.transaction() as session:
        await session.execute(delete(TreeStep))
        await session.execute(update(Entry).values(is_in_tree=False))
    assert await grow_older(site.database) == 4
    assert await grow_older(site.database) == 0
    assert await steps_in(site) == grown


async def test_a_record_that_plays_on_from_a_node_is_common_and_shares_its_credit(site):
    author, other, reader = await site.player(), await site.player(), await site.player()
    original = await site.submit(author, sample_moves(), published=True)
    node = (await site.tree.beginnings_of(original.id))[16].node
    run = await site.continuing.begin(other.id, node)
    assert (run.play.number, run.counts, run.first_board) == (16, original.counts[:15], 16)
    assert run.is_common
    run = await solve_rest(site, run, other)
    entry = (await site.entries.submit_run(other, run.id, 20)).entry
    assert (entry.common, entry.rank) == (True, 1)
    (row,) = (await site.rankings.page("common:all", "", 10)).rows
    assert [(credit.username, credit.boards) for credit in row.credits] == [(author.username, 15)]
    async with site.ranking("people") as people:
        assert people == [original.id]
    # Boards of others remain theirs if they come by way of an own common entry.
    entry = await site.entries.publish(entry.id, other.id)
    run = await site.continuing.begin(other.id, (await site.tree.beginnings_of(entry.id))[19].node)
    assert (run.play.number, run.first_board, run.is_common) == (19, 16, True)
    run = await solve_rest(site, run, other, last=21)
    assert (await site.entries.submit_run(other, run.id, 21)).entry.common
    async with site.database.reading_now() as session:
        noticed = await session.scalar(text(f"SELECT count(*) FROM reports WHERE account_id = {other.id}"))
    assert noticed == 0
    # Who goes on from an own entry plays an own record, and a board that is played again is the player's.
    assert not (await site.continuing.begin(author.id, node)).is_common
    run = await site.continuing.begin(reader.id, node)
    await site.runs.reopen(run.id, reader.id)
    assert (await site.runs.get(run.id, reader.id)).first_board == 15


async def solve_rest(site, run, player, last=20):
    """Solve the boards of a run up to the last one in ways of its own."""
    for number in range(run.play.number, last + 1):
        run = await site.play(run, player, await asyncio.to_thread(solve, run.play.board))
        if number < last:
            run = await site.play(run, player, ["turn"])
    return run


async def test_a_run_from_a_computers_board_is_assisted(site):
    computer, player = await site.player(is_computer=True), await site.player()
    original = await site.submit(computer, sample_moves(), published=True)
    begun = await site.tree.beginnings_of(original.id)
    own = await site.continuing.begin(computer.id, begun[11].node)
    assert (own.is_assisted, own.is_common) == (False, False)
    assert (await site.continuing.begin(player.id, begun[11].node)).is_assisted
    run = await site.continuing.begin(player.id, begun[4].node)
    assert not run.is_assisted
    assert not run.is_common
    assert (await site.continuing.begin(player.id, START_NODE)).play.number == 1
    with pytest.raises(NotFoundError):
        await site.continuing.begin(player.id, 12345)
