"""Connecting: how long moves take while thousands of sockets connect at once, as after a restart.

Players at a few games move at an even pace. Meanwhile another process opens the sockets of both players of
many other games, all at once. Prints the time from sending a move until the opponent's socket receives it,
before and during that.
"""

import argparse
import asyncio
import itertools
import random
import time
from contextlib import AsyncExitStack
from multiprocessing import get_context
from multiprocessing.synchronize import Event

from msgspec import json
from websockets.asyncio.client import ClientConnection

from benchmarks.players import Match, make_games, percentiles, program_socket, receive_ply, send_move
from benchmarks.serving import serving
from tests.support.server import Server

_PACE = 0.25  # seconds between the moves of a game
_CALM = 5.0  # seconds before the others connect

_SPAWN = get_context("spawn")

_HANDSHAKE = (
    "GET /api/v1/games/{game_id}/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    "Authorization: Bearer {token}\r\n\r\n"
)

_Sample = tuple[float, float]
"""When a move was sent and how long it took to be received, in seconds."""


async def open_socket(port: int, game_id: str, token: str) -> asyncio.StreamWriter:
    """Open a game's socket and return it once the game has been received."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(_HANDSHAKE.format(game_id=game_id, token=token).encode())
    await reader.readuntil(b'"type":"snapshot"')
    return writer


async def open_all(port: int, seats: list[tuple[str, str]], opened: Event, finished: Event) -> None:
    """Open all sockets at once and keep them until it is finished."""
    _sockets = await asyncio.gather(*(open_socket(port, *seat) for seat in seats))
    opened.set()
    await asyncio.to_thread(finished.wait)


def connector(port: int, seats: list[tuple[str, str]], opened: Event, finished: Event) -> None:
    """Open all sockets from a process of its own, so that it does not slow the players."""
    asyncio.run(open_all(port, seats, opened, finished))


async def keep_moving(sockets: list[ClientConnection], samples: list[_Sample], stop: asyncio.Event) -> None:
    """Play the first legal move again and again at an even pace, out of step with other games."""
    legal = json.decode(await sockets[0].recv())["legal_moves"]
    await sockets[1].recv()
    due = time.perf_counter() + random.uniform(0, _PACE)
    for ply in itertools.count():
        if stop.is_set() or len(legal) < 2:
            return
        due += _PACE
        await asyncio.sleep(due - time.perf_counter())
        sent_at = time.perf_counter()
        await send_move(sockets[ply % 2], legal[0], ply)
        legal = (await receive_ply(sockets[1 - ply % 2], ply + 1))["legal_moves"]
        samples.append((sent_at, time.perf_counter() - sent_at))


async def measure(
    server: Server, played: list[Match], idle: list[Match]
) -> tuple[list[float], list[float], float]:
    """Return the latencies of moves in the calm and in the storm, and the seconds that the storm took."""
    seats = [(match.game_id, token) for match in idle for token in match.tokens]
    samples: list[_Sample] = []
    stop = asyncio.Event()
    async with AsyncExitStack() as stack:
        tables = []
        for match in played:
            sockets = [
                await stack.enter_async_context(program_socket(server, match.game_id, token))
                for token in match.tokens
            ]
            tables.append(asyncio.create_task(keep_moving(sockets, samples, stop)))
        opened, finished = _SPAWN.Event(), _SPAWN.Event()
        others = _SPAWN.Process(target=connector, args=(server.port, seats, opened, finished))
        await asyncio.sleep(_CALM)
        storm_began = time.perf_counter()
        others.start()
        await asyncio.to_thread(opened.wait)
        took = time.perf_counter() - storm_began
        stop.set()
        await asyncio.gather(*tables)
        finished.set()
        others.join()
    calm = [latency for sent_at, latency in samples if sent_at < storm_began]
    storm = [latency for sent_at, latency in samples if sent_at >= storm_began]
    return calm, storm, took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=2000)
    parser.add_argument("--games", type=int, default=25, help="games that are played meanwhile")
    arguments = parser.parse_args()
    with serving() as (server, url):
        games = asyncio.run(make_games(url, arguments.games + arguments.sockets // 2))
        played, idle = games[: arguments.games], games[arguments.games :]
        calm, storm, took = asyncio.run(measure(server, played, idle))
    print(f"before: a move {percentiles(calm)}")
    print(f"while {2 * len(idle)} sockets connect in {took:.1f} s: a move {percentiles(storm)}")


if __name__ == "__main__":
    main()
