"""The services of Golden Nugget on a database whose entries are those of a test only."""

from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import uuid4

from msgspec import json
from sqlalchemy import text

from app.core.database.session import Database
from app.core.jobs.queue import Queue
from app.core.jobs.worker import Job
from app.core.moments import utc_now
from app.core.realtime.bus import MemoryBus
from app.core.realtime.hub import Hub
from app.learn.reviews.service import REVIEW_PUSH, BoardReviews, solutions
from app.learn.reviews.work import review_push
from app.nugget.contents import boards_of
from app.nugget.entries import Entries
from app.nugget.models import Competition
from app.nugget.rankings import Rankings
from app.nugget.runs import Runs
from app.people.identity import service as identities
from engine.golden_nugget.board import push
from engine.golden_nugget.entry import verify
from engine.golden_nugget.record import from_moves
from tests.support.accounts import new_accounts
from tests.support.players import fresh_name

_TABLES = (
    "nugget_standings, nugget_ledger, nugget_commitments, nugget_entries, nugget_competitions, "
    "nugget_helped_positions, "
    "nugget_reviewed_pushes, nugget_record_changes, nugget_tree, nugget_credits, nugget_methods"
)


@asynccontextmanager
async def open_site(database_url):
    """Return a site without entries."""
    async with Database.opened(database_url, pool_size=4) as database:
        async with database.transaction() as session:
            await session.execute(text(f"TRUNCATE {_TABLES}"))
        yield Site(database)


class Site:
    """The services of entries, and players who use them."""

    def __init__(self, database):
        self.database = database
        self.bus = MemoryBus(Hub())
        self.entries = Entries(database, self.bus)
        self.rankings = Rankings(database)
        self.runs = Runs(database)

    async def player(self, **columns):
        async with self.database.transaction() as session:
            (account,) = await new_accounts(session, 1, **columns)
            return identities.identity_of(account)

    async def submit(self, player, boards, *, published=False, **options):
        verdict = verify(from_moves(boards))
        assert verdict.valid
        entry = (await self.entries.submit(player, verdict, **options)).entry
        return await self.entries.publish(entry.id, player.id) if published else entry

    async def get(self, entry, reader=None):
        return await self.entries.get(entry.id, reader.id if reader else None)

    async def competition(self, organiser, **columns):
        now = utc_now()
        async with self.database.transaction() as session:
            competition = Competition(
                id=fresh_name("cup"),
                organiser_id=organiser.id,
                title="Cup",
                text="",
                starts_at=now - timedelta(hours=1),
                ends_at=now + timedelta(hours=1),
                min_boards=20,
                max_boards=200,
                **{"visibility": "open", **columns},
            )
            session.add(competition)
        return competition.id

    async def review(self, entry, number):
        """Request the review of a board, look at its start as a worker does, and return the better moves."""
        reviews = BoardReviews(self.database, Queue(self.database, self.bus, Hub()))
        await reviews.request(entry, number, "player")
        key = f"{REVIEW_PUSH}:{entry.id}:{number}:0"
        payload = await self.database.pool.fetchval("SELECT payload FROM pgqueuer WHERE dedupe_key = $1", key)
        await review_push(Job(json.decode(payload), attempts=1), self.database)
        async with self.database.reading_now() as session:
            forces = (await solutions(session, entry.id, number))[0]
        board, better = (await boards_of(entry))[number - 1].start, []
        for force in forces:
            board, move = push(board, force)
            better.append(str(move))
        return better

    async def solve_by_run(self, player, boards, helped):
        """Play boards in a run; the computer finishes those in `helped`."""
        run = await self.runs.create(player.id)
        for number, moves in enumerate(boards, 1):
            forces = [move[0] for move in moves]
            if number in helped:
                run = await self.runs.finish_board(run.id, player.id, forces, run.version)
            else:
                run = await self.play(run, player, forces)
            if number < len(boards):
                run = await self.play(run, player, ["turn"])
        return run

    async def play(self, run, player, words):
        after, refusal = await self.runs.act(run.id, player.id, words, run.version, uuid4())
        assert refusal is None
        return after

    @asynccontextmanager
    async def ranking(self, players):
        yield [row.entry_id for row in (await self.rankings.page(f"{players}:all", "", 50)).rows]
