"""The leaderboard of 100,000 rated players, and what it costs when 30 % of them have left or are excluded.

The times are those of reading the first page, one from the middle, and the place of a viewer in the middle,
each the least of several, and their ratio to those of the same leaderboard before anybody left.
"""

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping

from app.core.database.session import Database
from app.play.ratings import leaderboard
from app.site.leaderboards.service import Leaderboards, mark_rankings
from benchmarks.serving import database
from engine.glicko2 import Rating
from tests.support.database import execute, fetch

_GAME = "jadejack"
_REPEATS = 20
_LIMIT = 50

_FILL = """
WITH made AS (
    INSERT INTO accounts (username, password_hash)
    SELECT 'made-up-' || n, '' FROM generate_series(1, $1::int) n RETURNING id
)
INSERT INTO ratings (account_id, game, rating, deviation, volatility, games, opponents)
SELECT id, $2, 1500 + 250 * sin(id * 12.9898) + (id * 7919 % 1000) / 1000.0, 60, 0.06, 40, 20 FROM made
"""
_CLOSE = "UPDATE accounts SET closed_at = now() WHERE username LIKE 'made-up-%' AND id % 10 IN (1, 4)"
_EXCLUDE = """
INSERT INTO sanctions (account_id, kind, until)
SELECT id, 'no_rated', now() + interval '1 year' FROM accounts
WHERE username LIKE 'made-up-%' AND id % 10 = 7
"""
_MIDDLE = """
SELECT account_id, rating FROM ratings WHERE account_id % 10 = 0 ORDER BY rating DESC OFFSET $1 LIMIT 1
"""


async def least(work: Callable[[], Awaitable[object]]) -> float:
    """Return the least time of a call in milliseconds."""
    times = []
    for _ in range(_REPEATS):
        started = time.perf_counter()
        await work()
        times.append((time.perf_counter() - started) * 1000)
    return min(times)


async def measure(url: str, account_id: int, rating: float) -> Mapping[str, float]:
    """Return the times of one state of the leaderboard."""
    execute(url, "VACUUM ANALYZE")
    read = await Database.open(url, pool_size=2)
    await mark_rankings(read)
    boards, settled = Leaderboards(read), leaderboard.settled(_GAME)
    middle = settled.order.to_cursor((rating, account_id))

    async def place() -> None:
        async with read.reading() as session:
            assert await leaderboard.place(session, _GAME, account_id, Rating(rating, 60, 0.06))

    times = {
        "first page": await least(lambda: boards.page(settled, "", _LIMIT)),
        "middle": await least(lambda: boards.page(settled, middle, _LIMIT)),
        "own place": await least(place),
        "bars": await least(lambda: Leaderboards(read).rating_board(_GAME, "", "", _LIMIT, None)),
    }
    await read.close()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=100_000)
    arguments = parser.parse_args()
    with database() as url:
        execute(url, _FILL, arguments.players, _GAME)
        account_id, rating = fetch(url, _MIDDLE, arguments.players // 20)
        before = asyncio.run(measure(url, account_id, rating))
        execute(url, _CLOSE)
        execute(url, _EXCLUDE)
        after = asyncio.run(measure(url, account_id, rating))
    for name, took in after.items():
        print(f"{name:10} {before[name]:7.1f} ms, {took:7.1f} ms with 30 % gone: {took / before[name]:.2f}")


if __name__ == "__main__":
    main()
