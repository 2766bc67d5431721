"""The time from sending a move until the opponent's page in a browser shows the new disk.

A page in Chromium watches a game between two programs, alone and with 99 other games, each with one move per
second. Server, PostgreSQL, players and Chromium share the machine.
"""

import argparse
import asyncio
import random
import statistics
import time
from contextlib import AsyncExitStack

from msgspec import json
from playwright.async_api import Page, async_playwright

from benchmarks.players import Match, make_games, percentiles, program_socket, receive_ply, send_move
from benchmarks.serving import serving
from tests.browser import chromium
from tests.support.server import Server

# Returns the wall clock in milliseconds when the page reaches the awaited ply.
_WATCH = """
ply => new Promise(done => {
  const version = document.getElementById("version");
  const look = () => Number(version.dataset.ply) >= ply && done(performance.timeOrigin + performance.now());
  new MutationObserver(look).observe(version, { attributes: true });
  look();
})
"""


async def play(server: Server, game: Match, moves: int, pause: float, page: Page | None) -> list[float]:
    """Play a game with a move every `pause` seconds. Return the seconds until `page` showed each move."""
    latencies = []
    async with AsyncExitStack() as stack:
        sockets = [program_socket(server, game.game_id, token) for token in game.tokens]
        players = [await stack.enter_async_context(socket) for socket in sockets]
        legal = json.decode(await players[0].recv())["legal_moves"]
        await players[1].recv()
        for ply in range(moves):
            await asyncio.sleep(random.uniform(0.5, 1.5) * pause)
            seen = asyncio.create_task(page.evaluate(_WATCH, ply + 1)) if page else None
            await asyncio.sleep(0.05 if page else 0)
            sent = time.time()
            await send_move(players[ply % 2], random.choice(legal[:-1]), ply)
            event = await receive_ply(players[1 - ply % 2], ply + 1)
            legal = event["legal_moves"]
            if seen:
                latencies.append(await seen / 1000 - sent)
            if len(legal) < 2:
                break
    return latencies


async def measure(server: Server, url: str, page: Page, count: int) -> list[float]:
    """Return the seconds until the page showed each move of several watched games, among `count` games."""
    latencies: list[float] = []
    others = [
        asyncio.create_task(play(server, game, 60, 1.0, None)) for game in await make_games(url, count - 1)
    ]
    for game in await make_games(url, 4):
        await page.goto(f"{server.url}/games/{game.game_id}")
        await asyncio.sleep(1)
        latencies += await play(server, game, 30, 0.2, page)
    for other in others:
        other.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    return latencies


async def run(server: Server, url: str, games: int) -> None:
    """Print the results for one game and for many."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium.executable(), args=list(chromium.LAUNCH_ARGS)
        )
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        baseline = 0.0
        for count in (1, games):
            latencies = await measure(server, url, page, count)
            baseline = baseline or statistics.median(latencies)
            ratio = statistics.median(latencies) / baseline
            print(f"{count:4} games: page updated {percentiles(latencies)} ({ratio:.1f} times one game)")
        await browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    arguments = parser.parse_args()
    with serving() as (server, url):
        asyncio.run(run(server, url, arguments.games))


if __name__ == "__main__":
    main()
