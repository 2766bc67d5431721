"""Bounds that workers prove in the background, and where they are shown."""

import importlib.util
import re

import pytest
from msgspec import json
from sqlalchemy import select

from app.core.jobs.queue import Queue
from app.core.jobs.worker import Job
from app.core.realtime.hub import Hub
from app.nugget.bounds import queries, service
from app.nugget.bounds.models import BoardBound
from app.nugget.bounds.proven import start_bound
from app.nugget.bounds.service import BOUND, WITHOUT_SCIPY, bound_boards
from app.nugget.records.reading import Records
from app.nugget.tree.paths import node_name
from app.nugget.tree.reading import Tree
from engine.golden_nugget.board import parse
from engine.golden_nugget.bounds import border_bound, verify
from tests.support.nugget import RECORD, new_record
from tests.support.nugget_site import open_site
from tests.support.players import Visitor
from tests.support.server import start_server


@pytest.fixture(scope="module")
def own_database(new_database):
    """Return the URL of a database whose entries are those of these tests only."""
    return new_database("bounds")


@pytest.fixture
async def site(own_database):
    async with open_site(own_database) as site:
        await site.database.pool.execute("TRUNCATE nugget_bounds, pgqueuer, job_results")
        site.queue = Queue(site.database, site.bus, Hub())
        site.tree = Tree(site.database)
        yield site


async def record(site, *, published=True):
    """Return an entry that has all records."""
    return await site.submit(await site.player(), new_record(5, RECORD)[:20], published=published)


async def taken(site):
    """Return the jobs that were asked for, as a worker takes them."""
    query = "DELETE FROM pgqueuer WHERE entrypoint = $1 RETURNING payload"
    return [
        Job(json.decode(job["payload"]), attempts=1) for job in await site.database.pool.fetch(query, BOUND)
    ]


async def stored(site):
    async with site.database.reading_now() as session:
        return (await session.scalars(select(BoardBound).order_by(BoardBound.node))).all()


def cells(page, number):
    """Return the texts of the row of a board in the table of records."""
    boards = page.rpartition("<table")[2]
    row = next(each for each in boards.split("<tr>") if f'figure">{number}</th>' in each)
    return [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]


async def test_boards_of_records_are_bounded_unless_their_bound_is_obvious(site):
    await bound_boards(site.database, site.queue)
    assert await stored(site) == []
    entry = await record(site, published=False)
    await bound_boards(site.database, site.queue)
    assert await stored(site) == [], "nobody may read these boards"
    table = await Records(site.database).table("people", 20)
    bounds = [record.bound for record in table.boards]
    assert bounds == [start_bound(), *[None] * 19], "board 1 begins alike in all"
    entry = await site.entries.publish(entry.id, entry.account_id)
    await bound_boards(site.database, site.queue)
    begun = await site.tree.beginnings_of(entry.id)
    expected = {
        begun[number].node
        for number, moves in enumerate(entry.counts, 1)
        if number > 1 and begun[number].bound < moves
    }
    rows = await stored(site)
    assert {each.node for each in rows} == expected
    assert 0 < len(expected) < 20
    (job,) = await taken(site)
    assert job.payload["node"] in expected
    for each in rows:
        position = parse(each.position)
        assert (await site.tree.node(each.node)).position.face == position.face


async def test_a_bound_is_proven_in_runs_and_shown(site, own_database, monkeypatch):
    monkeypatch.setattr(service, "_WITHIN", 1.5)  # seconds
    entry = await record(site)
    await bound_boards(site.database, site.queue)
    runs, found = 0, 0
    jobs = await taken(site)
    while jobs:
        (job,) = jobs
        await service.bound_board(job, site.database, site.queue)
        runs += 1
        row = next(each for each in await stored(site) if each.node == job.payload["node"])
        assert row.runs == runs
        assert row.bound is not None or len(row.heights) > found, "it goes on where it was"
        found = len(row.heights)
        # The same job again, as after the death of a worker, does nothing.
        await service.bound_board(job, site.database, site.queue)
        jobs = await taken(site)
    assert runs > 1
    verdict = verify(row.certificate.encode(), None)
    assert (verdict.valid, verdict.position, verdict.bound) == (True, row.position, row.bound)
    node = await site.tree.node(row.node)
    assert border_bound(node.position) <= node.bound <= node.ahead[0].moves
    assert node.bound == max(row.bound, border_bound(node.position))
    begun = await site.tree.beginnings_of(entry.id)
    (number,) = [number for number, each in begun.items() if each.node == row.node]
    assert begun[number].bound == node.bound
    assert (await Records(site.database).table("people", 20)).boards[number - 1].bound == node.bound
    server = start_server(own_database)
    try:
        http = Visitor(server).http
        shown = http.get(f"/api/v1/nugget/tree/{node_name(row.node)}").json()
        assert (shown["bound"], shown["has_certificate"]) == (node.bound, node.has_certificate)
        served = http.get(f"/nugget/tree/{node_name(row.node)}/certificate.json")
        assert served.text == row.certificate
        of_board = http.get("/api/v1/nugget/records").json()["boards"][number - 1]
        assert of_board["bound"] == node.bound
        figures = [of_board["moves"], node.bound, of_board["moves"] - node.bound]
        row = cells(http.get("/nugget/records").text, number)
        assert row[1:4] == [str(figure) for figure in figures], "the gap is shown"
        together = sum(each.bound for each in begun.values())
        assert f"they take at least {together} moves together" in http.get(f"/nugget/entries/{entry.id}").text
    finally:
        server.stop()


async def test_a_board_is_given_up_after_many_runs(site):
    await record(site)
    await bound_boards(site.database, site.queue)
    await taken(site)
    await site.database.pool.execute("UPDATE nugget_bounds SET runs = $1", queries.MOST_RUNS)
    await bound_boards(site.database, site.queue)
    assert await taken(site) == []
    async with site.database.reading_now() as session:
        progress = await queries.progress(session)
    assert (progress.proven, progress.waiting) == (0, 0)
    assert progress.given_up == len(await stored(site))


async def test_without_scipy_nothing_is_proven_and_it_is_noted(site, monkeypatch):
    await record(site)
    await bound_boards(site.database, site.queue)
    (job,) = await taken(site)
    assert await site.queue.result(WITHOUT_SCIPY) is None
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    await service.bound_board(job, site.database, site.queue)
    assert await site.queue.result(WITHOUT_SCIPY) is not None
    assert {each.runs for each in await stored(site)} == {0}
    assert await taken(site) == []
