"""An hour like an average one of Lichess, in small: what a share of it takes here, and what all of it would.

    python -m benchmarks.day [--share 0.05] [--seconds 60] [--workers 1]

Lichess plays some 5,000 moves a second. The rest is assumed: a move is thought about for six seconds, so that
60,000 people sit at 30,000 boards; a game has 60 plies, begins by a challenge in the lobby, and is played on
the pages of its players, who greet each other and open eight other pages for each game. One in fifty players
has the lobby open. One in twenty takes part in an arena, a fifth of them with its page open.
"""

import argparse
import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import uuid4

import aiohttp
import psutil

from app.core.database.session import Database
from app.people.identity.models import Account
from app.people.identity.service import issue_token, open_session
from benchmarks.players import percentiles
from benchmarks.serving import cpu_seconds, serving, web_processes
from benchmarks.tournaments import make_tournament
from engine.jadejack import JADEJACK
from tests.support.database import fetch
from tests.support.server import Server

_MOVES = 5_000  # a second
_THINKS = 6.0  # seconds for a move, on average
_PLIES = 60
_PAGES = 8  # for a game
_IN_LOBBY, _IN_ARENA, _AT_ARENA = 50, 20, 5  # one in so many
_ENDING = 60  # one in so many games of the arena ends each second
_AT_ONCE = 20  # games that begin at a time before the hour
_FULL = 0.95  # of the boards, before the hour begins; a few are between two games
_SIZE = 9
_BUSY = 0.7  # of a core, which a process should not exceed


@dataclass(frozen=True)
class Person:
    """An account, as its browser and its programs sign in."""

    name: str
    cookie: dict[str, str]
    token: dict[str, str]


class OpenPage:
    """The live connection of a page, by which that of a game sends moves."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.reading = asyncio.create_task(self._read())
        self._socket = socket
        self._answered = asyncio.Event()

    async def play(self, move: str, ply: int) -> None:
        """Play a move, and wait for the answer."""
        self._answered.clear()
        await self._socket.send_json({"type": "move", "move": move, "ply": ply, "move_id": uuid4().hex})
        await self._answered.wait()

    async def _read(self) -> None:
        async with self._socket:
            async for message in self._socket:
                if message.data.startswith('{"answers"'):
                    assert '"played":true' in message.data
                    self._answered.set()


@dataclass
class Day:
    """Everybody who is there, and how long they waited, in seconds, since it was last cleared."""

    server: Server
    http: aiohttp.ClientSession
    people: Sequence[Person]
    arena: str
    arena_people: dict[str, Person]
    is_full: asyncio.Event = field(default_factory=asyncio.Event)
    games: set[str] = field(default_factory=set)
    moves: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    begun: list[float] = field(default_factory=list)

    async def post(
        self, path: str, who: Mapping[str, str], body: Mapping[str, object], took: list[float]
    ) -> dict[str, Any]:
        """Call the API, and note the seconds."""
        sent = time.perf_counter()
        async with self.http.post(f"{self.server.url}/api/v1{path}", json=body, headers=who) as answer:
            answer.raise_for_status()
            members = await answer.json() if answer.status != 204 else {}
        took.append(time.perf_counter() - sent)
        return members

    async def read(self, path: str, who: Mapping[str, str]) -> None:
        """Open a page, and note the seconds."""
        sent = time.perf_counter()
        async with self.http.get(self.server.url + path, headers=who) as answer:
            answer.raise_for_status()
            await answer.read()
        self.pages.append(time.perf_counter() - sent)

    async def open(self, path: str, person: Person) -> "OpenPage":
        """Open the live connection of a page."""
        headers = {**person.cookie, "Origin": self.server.url}
        return OpenPage(
            await self.http.ws_connect(self.server.ws_url + path, headers=headers, max_msg_size=0)
        )

    async def play(self, pair: Sequence[Person], plies: int, ready: asyncio.Semaphore | None = None) -> None:
        """Begin a game in the lobby, and play so many plies on its pages."""
        async with ready or contextlib.nullcontext():
            offer = {"game": "jadejack", "options": {"size": _SIZE}, "side": "black"}
            challenge = await self.post("/challenges", pair[0].token, offer, self.begun)
            begun = await self.post(f"/challenges/{challenge['id']}/accept", pair[1].token, {}, self.begun)
            game = begun["game_id"]
            for person in pair:
                await self.read(f"/games/{game}", person.cookie)
            pages = [await self.open(f"/games/{game}/live", person) for person in pair]
        self.games.add(game)
        if 2 * len(self.games) > _FULL * len(self.people):
            self.is_full.set()
        for person in pair:
            greeting = {"room": "players", "greeting": "good_luck"}
            await self.post(f"/games/{game}/chat", person.token, greeting, [])
        position = JADEJACK.initial({"size": _SIZE})
        for ply in range(plies):
            await asyncio.sleep(random.expovariate(1 / _THINKS))
            legal = JADEJACK.legal_moves(position)
            move = random.choice(legal[:-1] or legal)
            position = JADEJACK.play(position, move)
            sent = time.perf_counter()
            await pages[ply % 2].play(move, ply)
            self.moves.append(time.perf_counter() - sent)
        self.games.discard(game)
        await self.post(f"/games/{game}/resign", pair[0].token, {}, [])
        for page in pages:
            page.reading.cancel()

    async def sit(self, pair: Sequence[Person], ready: asyncio.Semaphore) -> None:
        """Play one game after the other; the first one has begun already."""
        await self.play(pair, random.randrange(1, _PLIES), ready)
        while True:
            await self.play(pair, _PLIES)

    async def wander(self, rate: float) -> None:
        """Open so many pages a second, half of them signed in."""
        reading = set()
        while True:
            await asyncio.sleep(random.expovariate(rate))
            who = random.choice(self.people)
            task = asyncio.create_task(self.read(self._path(), random.choice([who.cookie, {}])))
            reading.add(task)
            task.add_done_callback(reading.discard)

    def _path(self) -> str:
        name, game = random.choice(self.people).name, random.choice([*itertools.islice(self.games, 50)])
        paths = {
            "/": 3,
            "/lobby": 3,
            f"/games/{game}": 3,
            f"/players/{name}": 3,
            f"/tournaments/{self.arena}": 2,
            "/watch": 1,
            "/leaderboards/jadejack": 1,
            "/leaderboards/golden_nugget": 1,
            "/nugget": 1,
            "/puzzles": 1,
            "/rules/jadejack": 1,
        }
        return random.choices(list(paths), list(paths.values()))[0]

    async def end_arena_games(self, running: Callable[[], Awaitable[list[tuple[str, str]]]]) -> None:
        """End a share of the games of the arena each second."""
        ended = set()
        while True:
            await asyncio.sleep(1)
            for game, loser in await running():
                if game not in ended and random.randrange(_ENDING) == 0:
                    ended.add(game)
                    await self.post(f"/games/{game}/resign", self.arena_people[loser].token, {}, [])


async def persons(database: Database, account_ids: Sequence[int]) -> list[Person]:
    """Sign accounts in."""
    found = []
    async with database.transaction() as session:
        for account_id in account_ids:
            account = await session.get_one(Account, account_id)
            cookie = {"Cookie": f"gorrion={await open_session(session, account)}"}
            token = {"Authorization": f"Bearer {await issue_token(session, account_id, 'day', ['play'])}"}
            found.append(Person(account.username, cookie, token))
    return found


async def run(server: Server, url: str, share: float, seconds: float) -> None:
    """Print what a share of the hour takes."""
    tables = round(share * _MOVES * _THINKS)
    players = 2 * tables
    database = await Database.open(url, pool_size=2)
    async with database.transaction() as session:
        accounts = [Account(username=f"day-{number}", password_hash="none") for number in range(players)]
        session.add_all(accounts)
        await session.flush()
        ids = [account.id for account in accounts]
        arena, arena_ids = await make_tournament(session, max(2, players // _IN_ARENA), timedelta(seconds=5))
    people, arena_people = await persons(database, ids), await persons(database, arena_ids)
    await database.close()

    async def running() -> list[tuple[str, str]]:
        return await asyncio.to_thread(_running, url, arena)

    timeout, connector = aiohttp.ClientTimeout(60), aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(
        timeout=timeout, connector=connector, cookie_jar=aiohttp.DummyCookieJar()
    ) as http:
        day = Day(server, http, people, arena, {person.name: person for person in arena_people})
        ready = asyncio.Semaphore(_AT_ONCE)
        async with asyncio.TaskGroup() as group:
            pairs = zip(people[::2], people[1::2], strict=True)
            tasks = [group.create_task(day.sit(pair, ready)) for pair in pairs]
            open_pages = [await day.open("/lobby/live", person) for person in people[::_IN_LOBBY]]
            watching = f"/tournaments/{arena}/live"
            open_pages += [await day.open(watching, person) for person in arena_people[::_AT_ARENA]]
            tasks += [page.reading for page in open_pages]
            await day.is_full.wait()
            tasks.append(group.create_task(day.wander(share * _MOVES / _PLIES * _PAGES)))
            tasks.append(group.create_task(day.end_arena_games(running)))
            await asyncio.sleep(10)
            for measured in (day.moves, day.pages, day.begun):
                measured.clear()
            before = cpu_seconds(server), _postgres_seconds(url), time.perf_counter()
            await asyncio.sleep(seconds)
            took = time.perf_counter() - before[2]
            web, postgres = (
                (cpu_seconds(server) - before[0]) / took,
                (_postgres_seconds(url) - before[1]) / took,
            )
            report(day, took, players, web, postgres)
            for task in tasks:
                task.cancel()


def _running(url: str, arena: str) -> list[tuple[str, str]]:
    """Return the games of the arena under way, each with the name of a player."""
    rows = fetch(
        url,
        "SELECT array_agg(ARRAY[game_id, username]) AS games FROM tournament_pairings "
        "JOIN accounts ON accounts.id = first_id WHERE tournament_id = $1 AND outcome IS NULL",
        arena,
    )
    return [tuple(each) for each in rows["games"] or ()]


def _postgres_seconds(url: str) -> float:
    """Return the processor's time of all processes of PostgreSQL."""
    postmaster = psutil.Process(fetch(url, "SELECT pg_backend_pid() AS pid")["pid"]).parent()
    assert postmaster is not None
    times = [process.cpu_times() for process in (postmaster, *postmaster.children())]
    ended = postmaster.cpu_times()
    return sum(used.user + used.system for used in times) + ended.children_user + ended.children_system


def report(day: Day, seconds: float, players: int, web: float, postgres: float) -> None:
    """Print what was measured, and the same for the whole hour."""
    rate = len(day.moves) / seconds
    whole = _MOVES / rate
    memory = sum(process.memory_info().rss for process in web_processes(day.server)) / 2**20
    print(f"{players} players, {rate:.0f} moves/s, {len(day.pages) / seconds:.0f} pages/s besides")
    print(
        f"moves {percentiles(day.moves)}; pages {percentiles(day.pages)}; challenges {percentiles(day.begun)}"
    )
    print(f"web {web:.2f} cores and {memory:.0f} MiB, PostgreSQL {postgres:.2f} cores")
    print(
        f"for {_MOVES} moves/s: {whole * web:.1f} cores of web processes, {whole * web / _BUSY:.0f} of them "
        f"at {_BUSY:.0%}, and {whole * postgres:.1f} cores of PostgreSQL"
    )
    print(f"for 1,000 players: {1000 * (web + postgres) / players:.3f} cores")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--share", type=float, default=0.05, help="of the hour's load")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=1, help="web processes")
    arguments = parser.parse_args()
    with serving(workers=arguments.workers, connections="100000", bus="postgres") as (server, url):
        asyncio.run(run(server, url, arguments.share, arguments.seconds))


if __name__ == "__main__":
    main()
