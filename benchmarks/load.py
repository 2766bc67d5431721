"""Load: N games over the JSON websocket on a real server process with a PostgreSQL of its own.

Prints committed moves per second, and the time from sending a move until the opponent's socket receives it.
The players of each game answer each other as fast as they can.
"""

import argparse
import asyncio
import random
import statistics
import time
import uuid
from contextlib import AsyncExitStack
from typing import Any

import orjson
import psutil
from websockets.asyncio.client import ClientConnection, connect

from app.database.session import Database
from app.games.creation import create
from app.identity.models import Account
from app.identity.service import issue_token
from benchmarks.serving import serving
from tests.support.server import Server

_SIZE = {"size": 9}


async def make_games(url: str, count: int) -> list[tuple[str, str, str]]:
    """Return the id of each game and the tokens of Black and White."""
    database = await Database.open(url, pool_size=2)
    games = []
    async with database.transaction() as session:
        for _ in range(count):
            players = [
                Account(username=f"load-{uuid.uuid4().hex[:12]}", password_hash="none") for _ in range(2)
            ]
            session.add_all(players)
            await session.flush()
            tokens = [await issue_token(session, player.id, "load", ["play"]) for player in players]
            game_id = await create(session, "jadejack", _SIZE, [player.id for player in players])
            games.append((game_id, *tokens))
    await database.close()
    return games


async def receive_ply(socket: ClientConnection, ply: int) -> dict[str, Any]:
    """Wait for the event of a ply, skipping the events and acknowledgements of our own moves."""
    start = f'{{"type":"move","ply":{ply},'
    while not (text := str(await socket.recv())).startswith(start):
        if text.startswith('{"type":"error"'):
            raise SystemExit(f"a move was refused: {text}")
    event: dict[str, Any] = orjson.loads(text)
    return event


class Table:
    """A game with two sockets, and the times at which each move was sent and received."""

    def __init__(self, latencies: list[float]) -> None:
        self.latencies = latencies
        self.moves = 0
        self.sent_at = 0.0

    async def play(self, sockets: list[ClientConnection], until: float) -> None:
        """Play random legal moves until it is time or nothing but the pass is left."""
        legal = orjson.loads(await sockets[0].recv())["legal_moves"]
        await sockets[1].recv()
        ply = 0
        while time.perf_counter() < until and len(legal) > 1:
            mover, other = sockets[ply % 2], sockets[1 - ply % 2]
            move = random.choice(legal[:-1])
            message = {"type": "move", "move": move, "ply": ply, "move_id": str(uuid.uuid4())}
            self.sent_at = time.perf_counter()
            await mover.send(orjson.dumps(message).decode())
            event = await receive_ply(other, ply + 1)
            self.latencies.append(time.perf_counter() - self.sent_at)
            if event["side_to_move"] is None:
                return
            ply, legal = event["ply"], event["legal_moves"]
            self.moves += 1
            if len(legal) < 2:
                return


async def load(
    server: Server, games: list[tuple[str, str, str]], seconds: float
) -> tuple[int, float, list[float]]:
    """Play all games at once. Return the number of moves, the seconds, and the latencies in seconds."""
    latencies: list[float] = []
    tables = [Table(latencies) for _ in games]
    async with AsyncExitStack() as stack:
        pairs = []
        for game_id, *tokens in games:
            pairs.append(
                [
                    await stack.enter_async_context(
                        connect(
                            f"{server.ws_url}/api/v1/games/{game_id}/socket",
                            additional_headers={"Authorization": f"Bearer {token}"},
                            compression=None,
                        )
                    )
                    for token in tokens
                ]
            )
        started = time.perf_counter()
        await asyncio.gather(
            *(table.play(pair, started + seconds) for table, pair in zip(tables, pairs, strict=True))
        )
        return sum(table.moves for table in tables), time.perf_counter() - started, latencies


def percentiles(latencies: list[float]) -> str:
    cuts = statistics.quantiles(latencies, n=100)
    return f"p50 {cuts[49] * 1000:.1f} ms, p99 {cuts[98] * 1000:.1f} ms"


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
            before = psutil.Process(server.process.pid).cpu_times()
            moves, seconds, latencies = asyncio.run(load(server, games, arguments.seconds))
            after = psutil.Process(server.process.pid).cpu_times()
            cpu = (after.user + after.system) - (before.user + before.system)
            rate = moves / seconds
            baseline = baseline or rate
            print(
                f"{count:4} games: {rate:7.0f} committed moves/s ({rate / baseline:.1f} times one game), "
                f"opponent's socket {percentiles(latencies)}, "
                f"server CPU {1000 * cpu / moves:.2f} ms a move"
            )


if __name__ == "__main__":
    main()
