"""The ranking with 100,000 generated entries: time of a page at the top, middle and end, and of a rank.

The times are those of the server: reading a page of 50 rows from the database and rendering it.
"""

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.web.render import fragment
from app.nugget import standings
from benchmarks.serving import database
from engine.golden_nugget.ranking import mean_of, tie_break

_REPEATS = 30


async def fill(database: Database, entries: int) -> None:
    """Generate accounts with an entry each."""
    rng = random.Random(1)
    rows = []
    for number in range(entries):
        counts = [rng.randint(30, 60) for _ in range(rng.choice([20, 20, 20, 50, 100]))]
        rows.append((f"{number:010}", number + 1, counts))
    async with database.pool.acquire() as connection:
        await connection.execute(
            "INSERT INTO accounts (username, password_hash) "
            "SELECT 'made-up-' || n, '' FROM generate_series(1, $1) n",
            entries,
        )
        first = await connection.fetchval("SELECT min(id) FROM accounts WHERE username LIKE 'made-up-%'")
        await connection.copy_records_to_table(
            "nugget_entries",
            columns=["id", "account_id", "counts", "mean_key", "record", "record_sha256", "submitted_at"],
            records=[
                (name, first + n - 1, counts, mean_of(counts).key, "", name, _moment(n))
                for name, n, counts in rows
            ],
        )
        await connection.copy_records_to_table(
            "nugget_standings",
            columns=[
                "ranking",
                "account_id",
                "entry_id",
                "mean_key",
                "fewer_boards",
                "last_boards",
                "submitted_at",
            ],
            records=[
                (
                    standings.WORLD,
                    first + n - 1,
                    name,
                    mean_of(counts).key,
                    -len(counts),
                    list(tie_break(counts)),
                    _moment(n),
                )
                for name, n, counts in rows
            ],
        )
        await connection.execute("VACUUM ANALYZE nugget_standings")
        await connection.execute("VACUUM ANALYZE nugget_entries")


def _moment(number: int) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number)


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    """Return the median time of a call in milliseconds."""
    times = []
    for _ in range(_REPEATS):
        started = time.perf_counter()
        await work()
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times)


async def measure(url: str, entries: int) -> None:
    """Print the results."""
    database = await Database.open(url, pool_size=2)
    await fill(database, entries)
    cursors: dict[str, str] = {"top": ""}
    async with database.transaction() as session:
        for name, share in (("middle", 0.5), ("end", 0.999)):
            skipped = await standings.ranking(standings.WORLD).page(session, "", int(entries * share))
            cursors[name] = str(skipped.next)

    async def show(cursor: str) -> None:
        async with database.transaction() as session:
            ranking = await standings.ranking(standings.WORLD).page(session, cursor, 50)
        fragment(
            "partials/nugget_ranking.html", viewer=None, rows=ranking.rows, next=ranking.next, cursor=cursor,
            mine=None, players="everybody", period="all",
        )  # fmt: skip

    async def rank() -> None:
        async with database.transaction() as session:
            await standings.rank_of(session, [45] * 20)

    baseline = 0.0
    for name, cursor in cursors.items():
        took = await timed(lambda cursor=cursor: show(cursor))
        baseline = baseline or took
        print(f"page at the {name:6}: {took:6.1f} ms ({took / baseline:.1f} times the top)")
    print(f"rank of a run in the middle: {await timed(rank):.1f} ms")
    print("plans:")
    async with database.transaction() as session:
        for line in await plans(session, cursors["middle"]):
            print("   ", line)
    await database.close()


async def plans(session: AsyncSession, cursor: str) -> list[str]:
    """Return the plans of the statements that read a page from a cursor on."""
    lines = []
    connection = await session.connection()

    def explain(_conn: object, cursor: Any, statement: str, parameters: Any, *_: object) -> None:
        if not statement.startswith("EXPLAIN"):
            cursor.execute(f"EXPLAIN (COSTS OFF) {statement}", parameters)
            lines.extend(line for (line,) in cursor.fetchall())

    event.listen(connection.sync_connection, "before_cursor_execute", explain)
    await standings.ranking(standings.WORLD).page(session, cursor, 50)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=100_000)
    arguments = parser.parse_args()
    with database() as url:
        asyncio.run(measure(url, arguments.entries))


if __name__ == "__main__":
    main()
