"""The explorer with a million generated games: the time of a query, by source, and the disk space.

Openings are chosen with Zipf's law from 40 moves at each ply; positions are numbers, without boards. The
times are those of reading from the database.
"""

import argparse
import asyncio
import itertools
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.learn.statistics import service
from app.learn.statistics.counting import EXPLORED_PLIES, band_of, lowest_band
from benchmarks.serving import database as empty_database

_REPEATS = 2_000
_MOVES = [f"{column}{row}" for row in range(1, 6) for column in "abcdefgh"]
_SHARES = list(itertools.accumulate(1 / rank for rank in range(1, len(_MOVES) + 1)))
_BUSIEST = 1_000  # the id of the account
_NOW = datetime.now(UTC)
_RAW = "CREATE UNLOGGED TABLE raw (position bigint, move text, band smallint, winner smallint)"
_COUNT = """
INSERT INTO explored_moves
SELECT position, move, band, count(*), count(*) FILTER (WHERE winner = 0), count(*) FILTER (WHERE winner = 1)
FROM raw GROUP BY position, move, band
"""
_SIZES = """
SELECT relname, pg_table_size(oid) AS data, pg_indexes_size(oid) AS indexes
FROM pg_class WHERE relname IN ('explored_moves', 'explored_games')
"""


async def fill(database: Database, games: int, accounts: int, busiest: int) -> list[int]:
    """Generate games, and return some of their positions, as often as they occur."""
    rng = random.Random(1)
    lines = [_line(rng) for _ in range(games)]
    players = [_players(rng, number, accounts, busiest) for number in range(games)]
    winners = [rng.randrange(2) for _ in range(games)]
    async with database.pool.acquire() as connection:
        await connection.execute("SET session_replication_role = replica")  # the accounts are not needed

        async def copy(table: str, columns: list[str], rows: Iterator[tuple[Any, ...]]) -> None:
            await connection.copy_records_to_table(table, columns=columns, records=rows, timeout=3600)

        await copy(
            "games",
            ["id", "game", "options", "status", "first_player", "second_player", "position", "winner_seat",
             "ended_at"],
            ((f"{number:010}", "jadejack", '{"size": 9}', "finished", *players[number], "", winners[number],
              _NOW - timedelta(seconds=games - number)) for number in range(games)),
        )  # fmt: skip
        await copy(
            "explored_games",
            ["game_id", "positions", "moves"],
            ((f"{number:010}", [key for key, _ in line], " ".join(move for _, move in line))
             for number, line in enumerate(lines)),
        )  # fmt: skip
        await connection.execute(_RAW)
        await copy(
            "raw",
            ["position", "move", "band", "winner"],
            ((key, move, band_of(rng.gauss(1500, 250)), winner)
             for line, winner in zip(lines, winners, strict=True) for key, move in line),
        )  # fmt: skip
        await connection.execute(_COUNT, timeout=3600)
        await connection.execute("DROP TABLE raw")
        await connection.execute("VACUUM ANALYZE", timeout=3600)
        for row in await connection.fetch(_SIZES):
            print(f"{row['relname']}: {row['data'] / 1e6:.0f} MB, indexes {row['indexes'] / 1e6:.0f} MB")
        rows = await connection.fetchval("SELECT count(*) FROM explored_moves", timeout=600)
        print(f"explored_moves: {rows:,} rows")
    return [rng.choice(rng.choice(lines))[0] for _ in range(_REPEATS)]


def _line(rng: random.Random) -> list[tuple[int, str]]:
    line, key = [], 0
    for _ in range(EXPLORED_PLIES):
        (move,) = rng.choices(_MOVES, cum_weights=_SHARES)
        line.append((key, move))
        key = hash((key, move)) >> 1
    return line


def _players(rng: random.Random, number: int, accounts: int, busiest: int) -> tuple[int, int]:
    first, second = rng.sample(range(_BUSIEST + 1, _BUSIEST + accounts), 2)
    return (_BUSIEST, second) if number < busiest else (first, second)


async def measure(database: Database, positions: list[int], accounts: int) -> None:
    """Print the times of a query for each source, and of one for the first position."""
    rng = random.Random(2)

    async def of_player(session: AsyncSession, position: int) -> object:
        account_id = rng.randrange(_BUSIEST + 1, _BUSIEST + accounts)
        return await service.played_by(session, position, account_id)

    sources: dict[str, Callable[[AsyncSession, int], Awaitable[object]]] = {
        "all games": lambda session, position: service.played_by_all(session, position, 0),
        "all games, first position": lambda session, _position: service.played_by_all(session, 0, 0),
        "rated above 1800": lambda session, position: service.played_by_all(
            session, position, lowest_band(1800)
        ),
        "a player": of_player,
        "the busiest player": lambda session, position: service.played_by(session, position, _BUSIEST),
    }
    for name, query in sources.items():
        times = []
        for position in positions:
            async with database.transaction() as session:
                started = time.perf_counter()
                await query(session, position)
                times.append(1000 * (time.perf_counter() - started))
        p99 = statistics.quantiles(times, n=100)[98]
        print(f"{name}: median {statistics.median(times):.2f} ms, p99 {p99:.2f} ms", flush=True)


async def main() -> None:
    """Generate the games, and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--accounts", type=int, default=20_000)
    parser.add_argument("--busiest", type=int, default=20_000, help="games of the busiest account")
    chosen = parser.parse_args()
    with empty_database() as url:
        database = await Database.open(url, pool_size=1)
        try:
            positions = await fill(database, chosen.games, chosen.accounts, chosen.busiest)
            await measure(database, positions, chosen.accounts)
        finally:
            await database.close()


if __name__ == "__main__":
    asyncio.run(main())
