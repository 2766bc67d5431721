"""What a player's page socket costs the server beside a JSON socket, at the same rate of moves.

Games are played over the JSON sockets of both players, first alone, then while a page of each player watches.
The difference in the server's CPU time per move (the median of the rounds) is the cost of two page sockets.
"""

import argparse
import asyncio
import contextlib
import random
import statistics

from msgspec import json
from websockets.asyncio.client import ClientConnection

from benchmarks.players import Match, make_games, page_socket, program_socket, receive_ply, send_move
from benchmarks.serving import cpu_seconds, serving
from tests.support.server import Server

_WARM_UP = 2  # seconds
_SETTLE = 8  # seconds in which the server notices that the sockets of the last measurement are gone


async def play(sockets: list[ClientConnection], pause: float) -> None:
    """Play random legal moves, one every `pause` seconds, until only the pass is left."""
    legal = json.decode(await sockets[0].recv())["legal_moves"]
    await sockets[1].recv()
    ply = 0
    await asyncio.sleep(random.uniform(0, pause))
    while len(legal) > 1:
        await asyncio.sleep(pause)
        await send_move(sockets[ply % 2], random.choice(legal[:-1]), ply)
        events = await asyncio.gather(*(receive_ply(socket, ply + 1) for socket in sockets))
        ply, legal = events[0]["ply"], events[0]["legal_moves"]
        _played.append(ply)


_played: list[int] = []


async def read(socket: ClientConnection) -> None:
    """Read whatever a page receives."""
    async for _ in socket:
        pass


async def measure(
    server: Server, games: list[Match], *, pages: bool, rate: float, seconds: float
) -> tuple[float, float]:
    """Return the moves per second, and the server's CPU time per move in microseconds."""
    async with contextlib.AsyncExitStack() as stack:
        tasks = []
        for game in games:
            sockets = [
                await stack.enter_async_context(program_socket(server, game.game_id, token))
                for token in game.tokens
            ]
            if pages:
                for session in game.sessions:
                    page = await stack.enter_async_context(page_socket(server, game.game_id, session))
                    tasks.append(asyncio.create_task(read(page)))
            tasks.append(asyncio.create_task(play(sockets, len(games) / rate)))
        await asyncio.sleep(_WARM_UP)
        moves, before = len(_played), cpu_seconds(server)
        await asyncio.sleep(seconds)
        moves, after = len(_played) - moves, cpu_seconds(server)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(_SETTLE)
    return moves / seconds, 1e6 * (after - before) / moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rate", type=float, default=1000, help="moves per second")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    costs: dict[bool, list[float]] = {False: [], True: []}
    with serving() as (server, url):
        for _ in range(arguments.rounds):
            for pages in (False, True):
                games = asyncio.run(make_games(url, arguments.games))
                moves, cost = asyncio.run(
                    measure(server, games, pages=pages, rate=arguments.rate, seconds=arguments.seconds)
                )
                costs[pages].append(cost)
                print(
                    f"{'with pages' if pages else 'JSON alone'}: {moves:5.0f} moves/s, {cost:4.0f} µs a move"
                )
    alone, watched = statistics.median(costs[False]), statistics.median(costs[True])
    json, page = alone / 2, (watched - alone) / 2
    print(f"a JSON socket {json:.0f} µs, a page socket {page:.0f} µs a move: {page / json:.2f} times")


if __name__ == "__main__":
    main()
