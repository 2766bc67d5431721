"""Soak: 400 moves/s for half an hour, and whether memory, descriptors, connections and latency stay flat.

Players send moves at a steady rate over JSON sockets to a real server. One row is printed for each minute.
Flat means that the last third of the run needs no more than the middle third, within a tolerance; the first
third is left out, because a process remembers its games, up to a limit.
"""

import argparse
import asyncio
import random
import statistics
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass

import asyncpg
import psutil
from msgspec import json
from websockets.asyncio.client import ClientConnection

from benchmarks.players import make_games, program_socket, receive_ply, send_move
from benchmarks.serving import serving, web_processes
from tests.support.server import Server

_TOLERANCE = 1.15  # the last third, compared with the middle third
_MORE = {"p50 ms": 5.0, "p99 ms": 50.0}  # and that much more, for what is small and noisy
_WARM_UP = 20  # seconds until all tables play
_COLUMNS = ("moves/s", "p50 ms", "p99 ms", "RSS MB", "fds", "db conns", "CPU %", "load")


@dataclass
class Meter:
    """What was measured since the last row."""

    process: psutil.Process
    database: "asyncpg.Connection[asyncpg.Record]"
    latencies: list[float]
    cpu: float
    at: float

    async def row(self) -> dict[str, float]:
        """Return the figures since the last row."""
        now, times = time.monotonic(), self.process.cpu_times()
        cpu, seconds = times.user + times.system, now - self.at
        latencies, self.latencies[:] = self.latencies[:], []
        cuts = statistics.quantiles(latencies, n=100)
        row = {
            "moves/s": len(latencies) / seconds,
            "p50 ms": cuts[49] * 1000,
            "p99 ms": cuts[98] * 1000,
            "RSS MB": self.process.memory_info().rss / 2**20,
            "fds": float(self.process.num_fds()),
            "db conns": float(await self.database.fetchval("SELECT count(*) FROM pg_stat_activity")),
            "CPU %": 100 * (cpu - self.cpu) / seconds,
            "load": psutil.getloadavg()[0],
        }
        self.cpu, self.at = cpu, now
        return row


async def play(
    server: Server, url: str, thinks: float, latencies: list[float], one_at_a_time: asyncio.Lock
) -> None:
    """Play one game after the other at a table, with a pause before each move."""
    while True:
        async with one_at_a_time:  # each needs connections to PostgreSQL, which has few
            (match,) = await make_games(url, 1)
        async with AsyncExitStack() as stack:
            sockets = [
                await stack.enter_async_context(program_socket(server, match.game_id, token))
                for token in match.tokens
            ]
            await _play_game(sockets, thinks, latencies)


async def _play_game(sockets: list[ClientConnection], thinks: float, latencies: list[float]) -> None:
    legal = json.decode(await sockets[0].recv())["legal_moves"]
    await sockets[1].recv()
    ply = 0
    while len(legal) > 1:
        await asyncio.sleep(random.uniform(0, 2 * thinks))
        mover, other = sockets[ply % 2], sockets[1 - ply % 2]
        sent_at = time.perf_counter()
        await send_move(mover, random.choice(legal[:-1]), ply)
        event = await receive_ply(other, ply + 1)
        latencies.append(time.perf_counter() - sent_at)
        if event["side_to_move"] is None:
            return
        ply, legal = event["ply"], event["legal_moves"]


async def soak(server: Server, url: str, minutes: int, rate: float, tables: int) -> list[dict[str, float]]:
    """Return a row of figures for each minute."""
    latencies: list[float] = []
    database = await asyncpg.connect(url)
    (process,) = web_processes(server)
    one_at_a_time = asyncio.Lock()
    playing = [
        asyncio.create_task(play(server, url, tables / rate, latencies, one_at_a_time)) for _ in range(tables)
    ]
    await asyncio.sleep(_WARM_UP)
    times = process.cpu_times()
    latencies.clear()
    meter, rows = Meter(process, database, latencies, times.user + times.system, time.monotonic()), []
    print("min  " + "".join(f"{name:>10}" for name in _COLUMNS), flush=True)
    for minute in range(1, minutes + 1):
        done, _ = await asyncio.wait(playing, timeout=60, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
        rows.append(await meter.row())
        print(f"{minute:3}  " + "".join(f"{rows[-1][name]:10.1f}" for name in _COLUMNS), flush=True)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await database.close()
    return rows


def growing(rows: list[dict[str, float]]) -> list[str]:
    """Return the columns that are greater in the last third of the rows than in the middle third."""
    third = len(rows) // 3
    middle, last = rows[third : 2 * third], rows[2 * third :]
    found = []
    for name in ("p50 ms", "p99 ms", "RSS MB", "fds", "db conns"):
        before, after = (statistics.median(row[name] for row in part) for part in (middle, last))
        if after > before * _TOLERANCE + _MORE.get(name, 0):
            found.append(f"{name} from {before:.1f} to {after:.1f}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=int, default=30)
    parser.add_argument("--rate", type=float, default=400, help="moves per second")
    parser.add_argument("--tables", type=int, default=200, help="games at a time")
    arguments = parser.parse_args()
    if arguments.minutes < 3:
        parser.error("three minutes are the least: thirds of the run are compared")
    with serving() as (server, url):
        rows = asyncio.run(soak(server, url, arguments.minutes, arguments.rate, arguments.tables))
    faults = growing(rows)
    print("growing: " + "; ".join(faults) if faults else "flat")


if __name__ == "__main__":
    main()
