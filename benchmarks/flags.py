"""Flags: how late games end when many run out of time within the same minute.

A server with two processes watches the deadlines, without connected players.
"""

import argparse
import asyncio
import uuid

from app.core.moments import now
from benchmarks.players import percentiles
from benchmarks.serving import serving
from engine.clock import Realtime
from tests.support.web_processes import WebProcess, web_processes

# The deadlines are spread evenly over that many seconds. `updated_at` of a finished game is its end.
_SPREAD = """
CREATE TABLE due AS
SELECT id,
       now() + interval '3 s' + row_number() OVER () * $1::float8 / count(*) OVER () * interval '1 s' AS at
FROM games
"""
_AGE = """
UPDATE games
SET version = version + 1, deadline = due.at, watch_at = due.at, clock_since = due.at - interval '60 s'
FROM due WHERE due.id = games.id
"""
_LATE = """
SELECT extract(epoch FROM updated_at - due.at)::float8 AS late, termination
FROM games JOIN due USING (id)
"""


async def make_game(worker: WebProcess) -> None:
    state = await worker.new_game(control=Realtime(60, 0), rated=True)
    await worker.games.play_move(state.id, state.players[0].id, "c4", 0, uuid.uuid4(), at=now())


async def measure(url: str, count: int, seconds: float) -> list[float]:
    """Return, for each game, the seconds between its deadline and its end."""
    async with web_processes(url, 1) as (worker,):
        for _ in range(count):
            await make_game(worker)
        pool = worker.database.pool
        await pool.execute(_SPREAD.replace("$1", str(seconds)))
        await pool.execute(_AGE)
        await asyncio.sleep(seconds + 5)
        rows = await pool.fetch(_LATE)
    assert [row["termination"] for row in rows] == ["time"] * count
    return [row["late"] for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    with serving(workers=2, bus="postgres") as (_, url):
        late = asyncio.run(measure(url, arguments.games, arguments.seconds))
        print(f"{arguments.games} flags in {arguments.seconds:.0f} s: late by {percentiles(late)}")


if __name__ == "__main__":
    main()
