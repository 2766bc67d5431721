"""Load: N games over the JSON websocket on a real server process with a PostgreSQL of its own.

Prints committed moves per second, and the time from sending a move until the opponent's socket receives it.
The players of each game answer each other as fast as they can.
"""

import argparse
import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from msgspec import json
from websockets.asyncio.client import ClientConnection

from benchmarks.players import Match, make_games, percentiles, program_socket, receive_ply, send_move
from benchmarks.serving import cpu_seconds, serving
from tests.support.server import Server


class Table:
    """A game with two sockets, and the times at which each move was sent and received."""

    def __init__(self, latencies: list[float]) -> None:
        self.latencies = latencies
        self.moves = 0
        self.sent_at = 0.0

    async def play(self, sockets: list[ClientConnection], until: float) -> None:
        """Play random legal moves until it is time or nothing but the pass is left."""
        legal = json.decode(await sockets[0].recv())["legal_moves"]
        await sockets[1].recv()
        ply = 0
        while time.perf_counter() < until and len(legal) > 1:
            mover, other = sockets[ply % 2], sockets[1 - ply % 2]
            move = random.choice(legal[:-1])
            self.sent_at = time.perf_counter()
            await send_move(mover, move, ply)
            event = await receive_ply(other, ply + 1)
            self.latencies.append(time.perf_counter() - self.sent_at)
            if event["side_to_move"] is None:
                return
            ply, legal = event["ply"], event["legal_moves"]
            self.moves += 1
            if len(legal) < 2:
                return


@asynccontextmanager
async def seated(server: Server, games: list[Match]) -> AsyncIterator[list[list[ClientConnection]]]:
    """Yield the open sockets of both players of each game."""
    async with AsyncExitStack() as stack:
        yield [
            [
                await stack.enter_async_context(program_socket(server, game.game_id, token))
                for token in game.tokens
            ]
            for game in games
        ]


async def play(pairs: list[list[ClientConnection]], seconds: float) -> tuple[int, float, list[float]]:
    """Play all games at once. Return the number of moves, the seconds, and the latencies in seconds."""
    latencies: list[float] = []
    tables = [Table(latencies) for _ in pairs]
    started = time.perf_counter()
    await asyncio.gather(
        *(table.play(pair, started + seconds) for table, pair in zip(tables, pairs, strict=True))
    )
    return sum(table.moves for table in tables), time.perf_counter() - started, latencies


async def load(server: Server, games: list[Match], seconds: float) -> tuple[int, float, list[float]]:
    """Open the sockets of all games and play them, as `play` does."""
    async with seated(server, games) as pairs:
        return await play(pairs, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    with serving(workers=arguments.workers) as (server, url):
        baseline = 0.0
        for count in (1, arguments.games):
            games = asyncio.run(make_games(url, count))
            before = cpu_seconds(server)
            moves, seconds, latencies = asyncio.run(load(server, games, arguments.seconds))
            cpu = cpu_seconds(server) - before
            rate = moves / seconds
            baseline = baseline or rate
            print(
                f"{count:4} games: {rate:7.0f} committed moves/s ({rate / baseline:.1f} times one game), "
                f"opponent's socket {percentiles(latencies)}, "
                f"server CPU {1000 * cpu / moves:.2f} ms a move"
            )


if __name__ == "__main__":
    main()
