"""Fills an empty, migrated database with a million entries of Golden Nugget and all that belongs to them.

    python -m benchmarks.nugget_fill --data FOLDER && python -m benchmarks.nugget_pages --data FOLDER

Without `--data`, the database is that of GORRION_DATABASE_URL.

A thousand records of random moves, which solve nothing, are repeated. Two fifths of the entries are
published; every other one of these shares all nodes of the tree with the entries of the same record, the
others have nodes of their own. One in ten is withdrawn, one account in ten is closed, and one entry in twenty
is common. A competition has 20,000 of the entries, 500 others up to 1,000 each.
"""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.core.database.session import Database
from app.nugget.ledger import lock, text_of
from app.nugget.records.retelling import retell
from app.nugget.tree.growing import rows_of
from app.site.leaderboards.service import mark_rankings
from benchmarks.entries import walk
from benchmarks.serving import add_data_option, kept_database
from benchmarks.solo_day_fill import fill_solo_days, try_solo_days
from engine.golden_nugget import ledger
from engine.golden_nugget.board import START, turn
from engine.golden_nugget.lineage import landmarks, paths_of
from engine.golden_nugget.ranking import mean_of, tie_break
from engine.golden_nugget.record import Record, RecordedBoard, to_text
from engine.golden_nugget.tree import steps_of

if TYPE_CHECKING:
    import asyncpg

    Connection = asyncpg.pool.PoolConnectionProxy[asyncpg.Record]

_RECORDS = 1_000  # different ones
_WITHIN = 7_200.0  # seconds
_AT_ONCE = 10_000  # receipts
_PAUSE = 0.1  # seconds between two looks at the ledger
_LONG = {1: 200, 5: 100, 10: 50, 11: 50, 15: 50, 16: 50}
"""Which of a hundred records have more than 20 boards, and how many; most of these are published."""

ID = "translate(lpad(to_hex({}::int), 10, '0'), '01', 'gh')"
"""The id that SQL makes of a number; see app/core/ids.py."""

COMPETITION = "g" * 10
"""The id of the competition of 20,000 entries."""

PLAYER = "made-up-1000"
PLAYER_ID = 2000
"""The account that looks at pages, which has tried the boards of today."""

_MADE = """
CREATE FUNCTION pg_temp.at(n bigint, entries bigint) RETURNS timestamptz LANGUAGE sql STABLE AS
$$ SELECT now() - interval '700 days' * (1 - n::float / entries) $$;
CREATE TEMP TABLE made (
    template int PRIMARY KEY, counts smallint[], mean_key bigint, last_boards smallint[], record text,
    positions bigint[]
);
CREATE TEMP TABLE made_steps (
    template int, number smallint, node bigint, next bigint, blocks bytea, moves smallint, reached smallint,
    five smallint, twenty smallint, PRIMARY KEY (template, number)
);
"""
_INDEXES = """
SELECT indexname, indexdef FROM pg_indexes
WHERE tablename IN ('nugget_tree', 'nugget_entries', 'nugget_standings') AND indexname LIKE 'ix\\_%'
"""
_RECEIPTS = f"""
SELECT n, {ID.format("n")} AS id, pg_temp.at(n, {{entries}}) AS at FROM generate_series($1::bigint, $2) n
"""
_STEPS = (
    ("accounts", """
        INSERT INTO accounts (id, username, password_hash, created_at, closed_at)
        SELECT 1000 + n, 'made-up-' || n, 'none', pg_temp.at(n, $1), CASE WHEN n % 10 = 7 THEN now() END
        FROM generate_series(1, $1) n
    """),
    ("nugget_competitions", f"""
        INSERT INTO nugget_competitions
            (id, title, text, starts_at, ends_at, min_boards, max_boards, visibility, released_at)
        SELECT {ID.format("c")}, 'Made up ' || c, '', now() - interval '700 days',
            now() - interval '1 hour' * c, 20, 200, 'open', now()
        FROM generate_series(0, least(500, $1 / 2000)) c
    """),
    ("nugget_entries", f"""
        INSERT INTO nugget_entries (
            id, account_id, competition_id, counts, mean_key, record, record_sha256, submitted_at,
            published_at, opened_at, withdrawn_at, common, is_in_tree, positions, prefixes
        )
        SELECT {ID.format("n")}, 1000 + n,
            CASE WHEN n % 50 = 0 THEN {ID.format("0")}
                 WHEN n % 2 = 1 THEN {ID.format("1 + n / 1000 % least(500, $1 / 2000)")} END,
            counts, mean_key, record, lpad(to_hex(n), 64, '0'), pg_temp.at(n, $1),
            CASE WHEN n % 5 < 2 THEN pg_temp.at(n, $1) END, CASE WHEN n % 2 = 1 OR n % 50 = 0 THEN now() END,
            CASE WHEN n % 10 = 6 THEN now() END, n % 20 = 3, n % 5 < 2,
            CASE WHEN n <= 20000 THEN positions ELSE ARRAY(
                SELECT hashint8extended(n, k) / 4 * 4 FROM generate_series(1, 8) k
            ) END, '{{}}'
        FROM generate_series(1, $1) n JOIN made ON template = n % {_RECORDS}
    """),
    ("nugget_tree", f"""
        INSERT INTO nugget_tree
            (entry_id, number, node, next, blocks, moves, reached, five, twenty, at)
        SELECT {ID.format("n")}, number,
            CASE WHEN node = 0 OR n % 10 < 5 THEN node ELSE hashint8extended(node, n) END,
            CASE WHEN n % 10 < 5 THEN next ELSE hashint8extended(next, n) END,
            blocks, moves, reached, five, twenty, pg_temp.at(n, $1)
        FROM generate_series(1, $1) n JOIN made_steps ON template = n % {_RECORDS} WHERE n % 5 < 2
    """),
    ("nugget_standings", f"""
        INSERT INTO nugget_standings
            (ranking, account_id, entry_id, mean_key, fewer_boards, last_boards, submitted_at)
        SELECT names.ranking, 1000 + n, {ID.format("n")}, mean_key, -cardinality(counts), last_boards,
            pg_temp.at(n, $1)
        FROM generate_series(1, $1) n JOIN made ON template = n % {_RECORDS}
        CROSS JOIN LATERAL unnest(
            CASE WHEN n % 20 = 3 THEN ARRAY['common:all', 'common:20']
            ELSE ARRAY['everybody:all', 'people:all', 'everybody:' || extract(year FROM pg_temp.at(n, $1))]
            END
            || CASE WHEN n % 50 = 0 THEN ARRAY['competition:' || {ID.format("0")}] ELSE '{{}}' END
        ) AS names (ranking)
        WHERE n % 10 <> 6
    """),
    ("nugget_credits", f"""
        INSERT INTO nugget_credits (entry_id, account_id, boards)
        SELECT {ID.format("n")}, 1001 + (n + k) % $1, 3 * k
        FROM generate_series(1, $1) n, generate_series(1, 3) k WHERE n % 20 = 3
    """),
    ("nugget_methods", f"""
        INSERT INTO nugget_methods (id, competition_id, account_id, text)
        SELECT {ID.format("n")}, {ID.format("0")}, 1000 + n, repeat('Corners first. ', 20)
        FROM generate_series(50, least($1, 50000), 50) n
    """),
    ("nugget_commitments", f"""
        INSERT INTO nugget_commitments (id, account_id, sha256, committed_at)
        SELECT {ID.format("n")}, 1000 + n, lpad(to_hex(n), 64, '1'), pg_temp.at(n, $1)
        FROM generate_series(9, $1, 10) n
    """),
    ("nugget_ledger_heads", """
        INSERT INTO nugget_ledger_heads (number, hash, signed_at, key_id, signature)
        SELECT n, lpad(to_hex(n), 64, '0'), pg_temp.at(n, $1), repeat('0', 16), repeat('A', 86)
        FROM generate_series(10, $1, 10) n
    """),
    ("nugget_days", """
        INSERT INTO nugget_days (day, seed, best, announced_at)
        SELECT current_date - d, sha256(d::text::bytea), 'P 7 U 3', now() - interval '1 day' * d
        FROM generate_series(0, 700) d
    """),
    ("nugget_day_tries", """
        INSERT INTO nugget_day_tries (day, account_id, solution, solved_in, found_at)
        SELECT current_date - (CASE WHEN n % 10 = 0 THEN 0 WHEN n % 10 < 3 THEN 1 ELSE n % 700 END), 1000 + n,
            'P7 75 U7', 20 + n::bigint * 7919 % 70, now() - interval '1 ms' * n
        FROM generate_series(1, $1) n
    """),
    ("nugget_witnessed_servers", f"""
        INSERT INTO nugget_witnessed_servers (id, url, asked_at, answered_at, heads)
        SELECT {ID.format("s")}, 'https://' || s || '.example', now(), now(), $1 / 10
        FROM generate_series(1, 10) s
    """),
    ("nugget_witnessed_heads", f"""
        INSERT INTO nugget_witnessed_heads (server_id, number, hash, signed_at, key_id, signature)
        SELECT {ID.format("1 + n % 10")}, n, lpad(to_hex(n), 64, '0'), now()::text, repeat('0', 16),
            repeat('A', 86)
        FROM generate_series(1, $1) n
    """),
)  # fmt: skip


async def fill(database: Database, entries: int) -> None:
    """Fill the database, and report each table."""
    async with database.pool.acquire() as connection:
        await connection.execute("SET session_replication_role = replica")  # foreign keys are right
        await connection.execute(_MADE)
        await _timed("records", lambda: _make_records(connection))
        indexes = await connection.fetch(_INDEXES)
        for index in indexes:
            await connection.execute(f'DROP INDEX "{index["indexname"]}"')
        for table, statement in _STEPS:
            made = statement.replace("$1", str(entries))
            await _timed(table, lambda made=made: connection.execute(made, timeout=_WITHIN))
        await _timed("solo_day_tries", lambda: fill_solo_days(connection, entries, _WITHIN))
        await _timed("nugget_ledger", lambda: _chain(connection, entries))
        await connection.execute("SET maintenance_work_mem = '1GB'")
        for index in indexes:
            create = index["indexdef"]
            await _timed(
                index["indexname"], lambda create=create: connection.execute(create, timeout=_WITHIN)
            )
        await connection.execute("SET session_replication_role = origin")
        await connection.execute(
            "SELECT setval(pg_get_serial_sequence('accounts', 'id'), $1)", 1000 + entries
        )
        await _timed("analyze", lambda: connection.execute("VACUUM ANALYZE", timeout=_WITHIN))
    await try_solo_days(database, PLAYER_ID)
    await _timed("marks of rankings", lambda: mark_rankings(database))
    await _timed("records", lambda: _retell(database))


async def _retell(database: Database) -> None:
    """Find all records, and report how long the ledger was locked at most meanwhile."""
    longest = 0.0

    async def wait_for_the_ledger() -> None:
        nonlocal longest
        while True:
            began = time.monotonic()
            async with database.transaction() as session:
                await lock(session)
            longest = max(longest, time.monotonic() - began)
            await asyncio.sleep(_PAUSE)

    waiting = asyncio.create_task(wait_for_the_ledger())
    await retell(database)
    waiting.cancel()
    sys.stderr.write(f"the ledger was locked for {longest:.1f} s at most\n")


async def _timed(what: str, work: Callable[[], Any]) -> None:
    started = time.monotonic()
    await work()
    sys.stderr.write(f"{what}: {time.monotonic() - started:.0f} s\n")


async def _make_records(connection: "Connection") -> None:
    generator = random.Random(1)
    records, steps = [], []
    for number in range(_RECORDS):
        record = _random_record(_LONG.get(number % 100, 20), generator)
        counts = [len(board.moves) for board in record.boards]
        positions = sorted(landmarks(paths_of(record)))
        key = mean_of(counts).key
        records.append((number, counts, key, list(tie_break(counts)), to_text(record), positions))
        steps += [(number, *row.values()) for row in map(_in_order, rows_of(list(steps_of(record))))]
    await connection.copy_records_to_table("made", records=records)
    await connection.copy_records_to_table("made_steps", records=steps)


def _in_order(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the tree with its columns in the order of `made_steps`."""
    return {"number": row["number"], **row}


def _random_record(boards: int, generator: random.Random) -> Record:
    board, recorded = START, []
    for _ in range(boards):
        board, moves = walk(board, generator.randint(12, 40), generator)
        recorded.append(RecordedBoard(tuple(map(str, moves))))
        board = turn(board)
    return Record(tuple(recorded))


async def _chain(connection: "Connection", entries: int) -> None:
    """Write the receipts of all entries; those that are withdrawn have no further link."""
    last: ledger.Link | None = None
    for first in range(1, entries + 1, _AT_ONCE):
        rows = await connection.fetch(
            _RECEIPTS.format(entries=entries), first, min(entries, first + _AT_ONCE - 1)
        )
        links = []
        for row in rows:
            last = ledger.accept(
                last,
                entry=row["id"],
                player=f"made-up-{row['n']}",
                submitted_at=text_of(row["at"]),
                record_sha256=f"{row['n']:064x}",
            )
            links.append((last.sequence, last.entry, last.hash, ledger.to_line(last)))
        await connection.copy_records_to_table(
            "nugget_ledger", columns=["sequence", "entry_id", "hash", "line"], records=links
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entries", type=int, default=1_000_000)
    add_data_option(parser)
    arguments = parser.parse_args()
    with kept_database(arguments.data) as url:
        asyncio.run(_fill(url, arguments.entries))


async def _fill(url: str, entries: int) -> None:
    database = await Database.open(url, pool_size=2)
    try:
        await fill(database, entries)
    finally:
        await database.close()


if __name__ == "__main__":
    main()
