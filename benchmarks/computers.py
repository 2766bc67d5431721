"""Computer players: how fast they search, how soon they answer, and pages while they think.

The weakest level answers at once, so its answers show what the job queue costs. Games against the top level
are played as fast as it answers, while pages are requested one after the other: their p99 is compared with
that of the same pages on a server where nobody plays.
"""

import argparse
import asyncio
import itertools
import random
import time
from contextlib import AsyncExitStack

from msgspec import json
from websockets.asyncio.client import ClientConnection, connect

from app.core.database.session import Database
from app.people.identity import service
from app.people.identity.models import Account
from app.play.games.creation import create
from benchmarks.players import percentiles
from benchmarks.serving import serving
from engine.jadejack import JADEJACK
from engine.jumping_farther import JUMPING_FARTHER
from engine.search import computer
from engine.search.levels import BEST, LEVELS
from tests.support import plain_http
from tests.support.players import Program, fresh_name
from tests.support.server import Server


def speeds() -> None:
    """Print the number of positions per second that the top level searches in the middle of a game."""
    computer.get_ready(BEST)
    for rules, size, plies in ((JADEJACK, 10, 40), (JUMPING_FARTHER, 8, 12)):
        position, generator = rules.initial({"size": size}), random.Random(1)
        for _ in range(plies):
            position = rules.play(position, generator.choice(rules.legal_moves(position)[:-1]))
        started = time.perf_counter()
        choice = computer.choose(rules, position, seconds=60)
        seconds = time.perf_counter() - started
        print(
            f"{rules.key} {size}×{size}: {choice.positions / seconds / 1e6:.2f} million positions/s, "
            f"{choice.depth} plies in {seconds:.2f} s"
        )


async def games_against(url: str, count: int, level: int = BEST) -> list[tuple[str, str]]:
    """Return the ids of games against a level, and the tokens of its opponents, who begin."""
    database, games = await Database.open(url, pool_size=2), []
    async with database.transaction() as session:
        computer_player = (await service.computers(session))[level - 1]
        for _ in range(count):
            player = Account(username=fresh_name(), password_hash="none")
            session.add(player)
            await session.flush()
            token = await service.issue_token(session, player.id, "load", ["play"])
            game_id = await create(session, "jadejack", {"size": 10}, [player.id, computer_player.id])
            games.append((game_id, token))
    await database.close()
    return games


async def play(socket: ClientConnection, until: float, replies: list[float]) -> None:
    """Play anywhere, and note the seconds from each acknowledged move to the computer's answer."""
    legal, generator = json.decode(await socket.recv())["legal_moves"], random.Random(1)
    for ply in itertools.count(step=2):
        message = {"type": "move", "move": generator.choice(legal[:-1] or legal), "ply": ply}
        await socket.send(json.encode({**message, "move_id": fresh_uuid()}).decode())
        acknowledged = None
        while (event := json.decode(await socket.recv())).get("ply") != ply + 2 or event["type"] != "move":
            if event["type"] == "finished":
                return
            acknowledged = acknowledged or time.perf_counter()
        replies.append(time.perf_counter() - (acknowledged or time.perf_counter()))
        legal = event["legal_moves"]
        if not legal or time.perf_counter() > until:
            return


def fresh_uuid() -> str:
    return f"{random.getrandbits(128):032x}"


async def answers(server: Server, url: str, seconds: float) -> None:
    """Print how long the weakest level takes to answer, one game after the other."""
    games = await games_against(url, 100, level=LEVELS[0])
    until, replies = time.perf_counter() + seconds, list[float]()
    for game_id, token in games:
        if time.perf_counter() < until:
            async with connection(server, game_id, token) as socket:
                await play(socket, until, replies)
    print(f"answers of level {LEVELS[0]}: {len(replies)}, {percentiles(replies)}")


def connection(server: Server, game_id: str, token: str) -> connect:
    """Return a connection to a game's socket, to be opened."""
    return connect(
        f"{server.ws_url}/api/v1/games/{game_id}/socket",
        additional_headers={"Authorization": f"Bearer {token}"},
    )


async def ask_for_pages(server: Server, paths: list[str], until: float) -> list[float]:
    """Request pages one after the other and return the seconds that each took."""
    latencies = []
    async with plain_http.AsyncClient(base_url=server.url) as http:
        for path in itertools.cycle(paths):
            started = time.perf_counter()
            if started > until:
                return latencies
            (await http.get(path)).raise_for_status()
            latencies.append(time.perf_counter() - started)
            await asyncio.sleep(0.01)
    return latencies


async def under_load(server: Server, url: str, count: int, seconds: float) -> None:
    games = await games_against(url, count)
    paths = ["/", "/lobby", "/watch", *(f"/games/{game_id}" for game_id, _ in games[:2])]
    await ask_for_pages(server, paths, time.perf_counter() + 1)
    quiet = await ask_for_pages(server, paths, time.perf_counter() + seconds / 2)
    print(f"pages while nobody plays: {percentiles(quiet)}")
    replies: list[float] = []
    async with AsyncExitStack() as stack:
        sockets = [
            await stack.enter_async_context(connection(server, game_id, token)) for game_id, token in games
        ]
        until = time.perf_counter() + seconds
        busy, *_ = await asyncio.gather(
            ask_for_pages(server, paths, until), *(play(socket, until, replies) for socket in sockets)
        )
    ratio = sorted(busy)[int(len(busy) * 0.99)] / sorted(quiet)[int(len(quiet) * 0.99)]
    print(f"pages during {count} games against level {BEST}: {percentiles(busy)}, {ratio:.1f} times that p99")
    if replies:
        print(f"answers of the computer: {len(replies)}, {percentiles(replies)}")


def first_move(server: Server) -> float:
    """Return the seconds from a challenge to the first move of the computer."""
    player = Program(server)
    started = time.perf_counter()
    game = player.challenge(opponent=f"Gorrion-{BEST}", side="white").json()["game_id"]
    while player.snapshot(game)["ply"] == 0:
        time.sleep(0.01)
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--computers", type=int, default=2, help="processes that play")
    parser.add_argument("--answers", type=float, help="only the weakest level's answers, for some seconds")
    arguments = parser.parse_args()
    if arguments.answers:
        with serving(computers=1) as (server, url):
            asyncio.run(answers(server, url, arguments.answers))
        return
    speeds()
    with serving(computers=arguments.computers) as (server, url):
        seconds = (first_move(server), first_move(server))
        print(f"the first move after a server's start: {seconds[0]:.1f} s, the next one {seconds[1]:.1f} s")
        asyncio.run(under_load(server, url, arguments.games, arguments.seconds))


if __name__ == "__main__":
    main()
