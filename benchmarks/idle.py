"""Many idle page sockets on one process: memory, idle CPU, and how long moves among them take.

Pages of many games are opened at an even pace from a process of its own, which has an address for each 20,000
of them, and answer pings as browsers do. Then the server's CPU time is measured while nothing happens, and
moves are played at a few games.
"""

import argparse
import asyncio
import time
from functools import partial
from multiprocessing import get_context
from multiprocessing.synchronize import Event

import psutil
import uvloop

from benchmarks.connecting import keep_moving
from benchmarks.players import make_games, percentiles, program_socket
from benchmarks.serving import serving
from tests.support.server import Server

_SPAWN = get_context("spawn")
_ROOM = 1_000  # connections besides the idle ones
_PAGES = 5  # of one player
_PORTS = 20_000  # of one address
_SETTLES_WITHIN = 20  # seconds, in which the last pages are drawn
_MASK = bytes(4)
_PING, _PONG = 0x89, 0x8A

_HANDSHAKE = (
    "GET /games/{game_id}/live HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    "Origin: http://{host}\r\nCookie: gorrion={session}\r\n\r\n"
)


class Page(asyncio.Protocol):
    """A page's socket that answers pings and ignores everything else."""

    def __init__(self, handshake: bytes) -> None:
        self._handshake = handshake
        self._unread = b""
        self.opened = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Ask for a websocket."""
        self._transport = transport
        transport.write(self._handshake)

    def data_received(self, data: bytes) -> None:
        """Skip messages and answer pings."""
        self._unread += data
        if not self.opened.done():
            head, end, self._unread = self._unread.partition(b"\r\n\r\n")
            if not end:
                self._unread = head
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self.opened.set_result(None)
        while len(self._unread) >= 2:
            size, start = self._unread[1], 2
            if size >= 126:
                start += 2 if size == 126 else 8
                size = int.from_bytes(self._unread[2:start], "big")
            if len(self._unread) < start + size:
                return
            frame, self._unread = self._unread[: start + size], self._unread[start + size :]
            if frame[0] == _PING:
                self._transport.write(bytes((_PONG, 0x80 | size)) + _MASK + frame[start:])

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail if the server ends the connection."""
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionResetError())


async def open_pages(
    port: int, seats: list[tuple[str, str]], rate: float, opened: Event, finished: Event
) -> None:
    """Open all pages, so many in a second, and keep them until it is finished."""
    loop, pages = asyncio.get_running_loop(), []
    began = loop.time()
    for number, (game_id, session) in enumerate(seats):
        await asyncio.sleep(began + number / rate - loop.time())
        handshake = _HANDSHAKE.format(game_id=game_id, session=session, host=f"localhost:{port}")
        address = f"127.0.0.{2 + number // _PORTS}"
        _, page = await loop.create_connection(
            partial(Page, handshake.encode()), "127.0.0.1", port, local_addr=(address, 0)
        )
        pages.append(page)
    await asyncio.gather(*(page.opened for page in pages))
    opened.set()
    await asyncio.to_thread(finished.wait)


def opener(port: int, seats: list[tuple[str, str]], rate: float, opened: Event, finished: Event) -> None:
    """Open pages in a process of its own."""
    uvloop.run(open_pages(port, seats, rate, opened, finished))


async def play(server: Server, url: str, seconds: float) -> list[float]:
    """Return the latencies of moves at ten games."""
    samples: list[tuple[float, float]] = []
    stop, tables, contexts = asyncio.Event(), [], []
    for match in await make_games(url, 10):
        contexts += [program_socket(server, match.game_id, token) for token in match.tokens]
        sockets = [await context.__aenter__() for context in contexts[-2:]]
        tables.append(asyncio.create_task(keep_moving(sockets, samples, stop)))
    await asyncio.sleep(seconds)
    stop.set()
    await asyncio.gather(*tables)
    for context in contexts:
        await context.__aexit__(None, None, None)
    return [latency for _, latency in samples]


def main() -> None:
    """Print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--rate", type=float, default=200, help="pages opened in a second")
    parser.add_argument("--seconds", type=float, default=40)
    arguments = parser.parse_args()
    with serving(connections=str(arguments.pages + _ROOM)) as (server, url):
        web = psutil.Process(server.process.pid).children()[-1]
        matches = asyncio.run(make_games(url, arguments.pages // (2 * _PAGES)))
        seats = [
            (match.game_id, session) for match in matches for session in match.sessions for _ in range(_PAGES)
        ]
        memory = web.memory_info().rss
        opened, finished = _SPAWN.Event(), _SPAWN.Event()
        pages = _SPAWN.Process(target=opener, args=(server.port, seats, arguments.rate, opened, finished))
        began = time.monotonic()
        pages.start()
        opened.wait()
        print(f"{len(seats)} pages opened in {time.monotonic() - began:.0f} s")
        time.sleep(_SETTLES_WITHIN)
        before = web.cpu_times()
        time.sleep(arguments.seconds)
        after = web.cpu_times()
        cpu = (after.user + after.system - before.user - before.system) / arguments.seconds
        total = web.memory_info().rss
        print(f"idle: {100 * cpu:.1f} % of a core; {total / 2**20:.0f} MiB, of that")
        print(f"{(total - memory) / len(seats) / 1024:.1f} KiB for each page")
        print(f"moves: {percentiles(asyncio.run(play(server, url, arguments.seconds)))}")
        finished.set()
        pages.join()


if __name__ == "__main__":
    main()
