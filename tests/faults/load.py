"""Players under load, and what the server acknowledged to them.

At the end the acknowledged moves are compared with the table of moves, and every game is replayed by the
engine. The players do what good clients do: each move has an id, and they send it until it is answered, over
a connection that they open again when it is lost.
"""

import asyncio
import contextlib
import itertools
import random
import statistics
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from http import HTTPStatus

import httpx
from msgspec import json
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from app.core.database.session import Database
from app.people.identity.service import issue_token, open_session
from app.play.games import creation
from engine.clock import Realtime
from engine.registry import GAMES
from tests.faults.scale import THINKS
from tests.support import plain_http
from tests.support.accounts import new_accounts
from tests.support.database import connected
from tests.support.players import Visitor
from tests.support.threads import run_coroutine
from tests.support.waiting import wait_until

RULES = GAMES["jadejack"]
_OPTIONS = {"size": 13}  # a game lasts for some hundred moves
_CLOCK = Realtime(limit=300, increment=2)
_ANSWERED_WITHIN = 12.0  # seconds; then the player sends the move again over another connection
_SILENT_FOR = 30.0  # seconds; the server sends a heartbeat every 20
_RETRY_AFTER = 0.2  # seconds
_LOOKS_EVERY = 0.3  # seconds, without a socket
_LOST = (OSError, TimeoutError, EOFError, ConnectionClosed, InvalidHandshake, InvalidMessage)
_COME_BACK = {"unavailable"}  # refusals after which a client tries again
LOST = "lost"
FINAL = {1000, 4401, 4403, 4404}  # close codes after which a page does not reconnect


@dataclass(frozen=True)
class Move:
    """A move that a player sent at a ply of a game."""

    game_id: str
    ply: int
    text: str
    id: uuid.UUID

    @property
    def body(self):
        return {"move": self.text, "ply": self.ply, "move_id": str(self.id)}


@dataclass
class Observed:
    """What was sent and acknowledged, and how clients saw the faults."""

    sent: set = field(default_factory=set)  # ids of moves
    acknowledged: list = field(default_factory=list)
    games: list = field(default_factory=list)  # ids
    closes: Counter = field(default_factory=Counter)  # close codes of players' sockets
    page_closes: Counter = field(default_factory=Counter)
    statuses: Counter = field(default_factory=Counter)  # of answers by HTTP
    refusals: Counter = field(default_factory=Counter)  # codes that no correct client should see
    endings: Counter = field(default_factory=Counter)  # how games ended
    options: dict = field(default_factory=lambda: _OPTIONS)
    stale_snapshots: int = 0  # snapshots of new connections that lacked an acknowledged move

    async def compare(self, database_url):
        """Compare this with the database, and return what is wrong as a list of sentences."""
        async with (
            connected(database_url) as connection,
            # One snapshot: a move that nobody waits for any more may be committed meanwhile.
            connection.transaction(isolation="repeatable_read"),
        ):
            rows = await connection.fetch(
                "SELECT game_id, ply, move, move_id FROM moves WHERE game_id = ANY($1) ORDER BY game_id, ply",
                self.games,
            )
            positions = dict(
                await connection.fetch("SELECT id, position FROM games WHERE id = ANY($1)", self.games)
            )
        stored = {(row["game_id"], row["move_id"]): row for row in rows if row["move_id"]}
        faults = []
        for move in self.acknowledged:
            row = stored.get((move.game_id, move.id))
            if row is None:
                faults.append(f"{LOST}: {move}")
            elif (row["ply"], row["move"]) != (move.ply + 1, move.text):
                faults.append(f"at another ply: {move}, {row}")
        if len(stored) < sum(row["move_id"] is not None for row in rows):
            faults.append("a move is stored twice")
        faults += [f"never sent: {row}" for key, row in stored.items() if key[1] not in self.sent]
        if len({move.id for move in self.acknowledged}) < len(self.acknowledged):
            faults.append("a move was acknowledged twice")
        for game_id, plies in itertools.groupby(rows, lambda row: row["game_id"]):
            if self._replayed(row["move"] for row in plies) != positions.pop(game_id):
                faults.append(f"the moves of {game_id} do not lead to its position")
        faults += [
            f"{game_id} has a position without moves"
            for game_id, position in positions.items()
            if position != self._replayed([])
        ]
        return faults

    def _replayed(self, moves):
        position = RULES.initial(self.options)
        for move in moves:
            position = RULES.play(position, move)
        return RULES.format(position)


@contextlib.asynccontextmanager
async def _open_socket(url, **options):
    """Connect a websocket, and close it in the end, even if its task is cancelled while it closes."""
    socket = await connect(url, ping_interval=None, close_timeout=1, **options)
    try:
        async with socket:
            yield socket
    finally:
        socket.transport.abort()  # `close` does that after its timeout, but not if it is cancelled


class _Player:
    """One side of a game."""

    def __init__(self, load, game_id, side, token, session, number):
        self.load = load
        self.game_id = game_id
        self.side = side
        self.headers = {"Authorization": f"Bearer {token}"}
        self.session = session
        self.pending = None  # the move that was sent and not answered yet; it outlives connections
        self.is_over = False
        self.played = -1  # the ply of the last move that was acknowledged
        self._sites = itertools.islice(itertools.cycle(load.sites), number % len(load.sites), None)
        self.site = next(self._sites)

    def turn_to_another_site(self):
        self.site = next(self._sites)

    async def think(self, view):
        """Choose a move if it is this side's turn. A pass without an alternative is the server's to play."""
        *placements, _pass = view["legal_moves"] or [None]
        if self.pending or view["side_to_move"] != self.side or view["ply"] <= self.played or not placements:
            return False
        await asyncio.sleep(random.uniform(0, self.load.thinks))
        self.pending = Move(self.game_id, view["ply"], random.choice(placements), uuid.uuid4())
        self.load.observed.sent.add(self.pending.id)
        return True

    def acknowledged(self):
        self.load.acknowledge(self.pending)
        self.played, self.pending = self.pending.ply, None

    async def refused(self, code):
        """Wait before the move is sent again if the refusal says so; else drop it."""
        if code in _COME_BACK:
            await asyncio.sleep(_RETRY_AFTER)
            return
        if code != "game_over":
            self.load.observed.refusals[code] += 1
        self.pending = None

    def ended(self, result):
        self.is_over = True
        self.load.observed.endings[result["termination"]] += 1

    def check_snapshot(self, snapshot, known):
        """Check that a snapshot has the moves that were acknowledged before it was asked for."""
        if snapshot["ply"] < known:
            self.load.observed.stale_snapshots += 1


class SocketPlayer(_Player):
    """A player over the JSON socket."""

    async def play(self):
        while not self.is_over:
            known = self.load.known.get(self.game_id, 0)
            socket = None
            try:
                url = f"{self.site.ws_url}/api/v1/games/{self.game_id}/socket"
                async with _open_socket(url, additional_headers=self.headers) as socket:
                    await self._converse(socket, known)
            except _LOST:
                if socket is not None:
                    self.load.observed.closes[socket.close_code] += 1
                self.turn_to_another_site()
                await asyncio.sleep(_RETRY_AFTER)

    async def _converse(self, socket, known):
        """Play until the game is over. Raises one of `_LOST` if the connection is."""
        while (message := json.decode(await socket.recv()))["type"] == "heartbeat":
            pass
        self.check_snapshot(message, known)
        await self._send(socket)  # what was not answered before
        await self._hear(socket, message)
        while not self.is_over:
            async with asyncio.timeout(_ANSWERED_WITHIN if self.pending else _SILENT_FOR):
                text = await socket.recv()
            await self._hear(socket, json.decode(text))

    async def _hear(self, socket, message):
        match message:
            case {"type": "finished", "result": result} | {"type": "snapshot", "result": dict(result)}:
                self.ended(result)
            case {"type": "snapshot"} | {"type": "move"}:
                self.view = message
                await self._continue(socket)
            case {"type": "ack", "move_id": move_id} if self.pending and move_id == str(self.pending.id):
                self.acknowledged()
                await self._continue(socket)  # the opponent's answer may have come before
            case {"type": "error", "code": code}:
                await self.refused(code)
                await self._send(socket)

    async def _continue(self, socket):
        if await self.think(self.view):
            await self._send(socket)

    async def _send(self, socket):
        if self.pending:
            await socket.send(json.encode({"type": "move", **self.pending.body}).decode())


class HttpPlayer(_Player):
    """A player who asks for the game again and again, and posts moves."""

    async def play(self):
        async with plain_http.AsyncClient(headers=self.headers, timeout=_ANSWERED_WITHIN) as http:
            while not self.is_over:
                url = f"{self.site.url}/api/v1/games/{self.game_id}"
                try:
                    if self.pending:
                        await self._post(http, url)
                    else:
                        await self._look(http, url)
                except httpx.TransportError:
                    self.turn_to_another_site()
                    await asyncio.sleep(_RETRY_AFTER)

    async def _look(self, http, url):
        known = self.load.known.get(self.game_id, 0)
        answer = await http.get(url)
        self.load.observed.statuses[answer.status_code] += 1
        if answer.status_code != HTTPStatus.OK:
            await asyncio.sleep(_RETRY_AFTER)
            return
        view = answer.json()
        self.check_snapshot(view, known)
        if view["result"]:
            self.ended(view["result"])
        elif not await self.think(view):
            await asyncio.sleep(_LOOKS_EVERY)

    async def _post(self, http, url):
        answer = await http.post(f"{url}/moves", json=self.pending.body)
        self.load.observed.statuses[answer.status_code] += 1
        if answer.status_code == HTTPStatus.OK:
            self.acknowledged()
        else:
            kind = answer.headers.get("Content-Type")  # a proxy answers too, perhaps without one
            await self.refused(answer.json()["code"] if kind == "application/problem+json" else "unavailable")


class PagePlayer(HttpPlayer):
    """A player whose page sends moves over its live connection."""

    async def play(self):
        async with plain_http.AsyncClient(headers=self.headers, timeout=_ANSWERED_WITHIN) as http:
            while not self.is_over:
                socket = None
                try:
                    async with _open_socket(
                        f"{self.site.ws_url}/games/{self.game_id}/live",
                        origin=self.site.url,
                        additional_headers={"Cookie": f"gorrion={self.session}"},
                    ) as socket:
                        await self._stay(http, socket)
                except (*_LOST, httpx.TransportError):
                    if socket is not None:
                        self.load.observed.closes[socket.close_code] += 1
                    self.turn_to_another_site()
                    await asyncio.sleep(_RETRY_AFTER)

    async def _stay(self, http, socket):
        while not self.is_over:
            if self.pending:
                await self._send(socket)
            else:
                await self._look(http, f"{self.site.url}/api/v1/games/{self.game_id}")

    async def _send(self, socket):
        await socket.send(json.encode({"type": "move", **self.pending.body}).decode())
        async with asyncio.timeout(_ANSWERED_WITHIN):
            while not (text := await socket.recv()).startswith('{"answers"'):
                pass
        answer = json.decode(text)
        if answer["played"]:
            self.acknowledged()
        else:  # without fragments, the page sends the move in another way
            await self.refused("game_over" if "html" in answer else "unavailable")


class _Page:
    """A signed-in page at a game where nothing happens. It reconnects as a browser does."""

    def __init__(self, load, game_id, site):
        self.load = load
        self.url = f"{site.ws_url}/games/{game_id}/live"
        self.origin = site.url
        cookies = Visitor(site).register().http.cookies
        self.headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        self.is_live = False
        self.is_dead = False  # for good: it would have to be reloaded

    async def stay(self):
        while not self.is_dead:
            socket = None
            with contextlib.suppress(*_LOST):
                async with _open_socket(
                    self.url, origin=self.origin, additional_headers=self.headers
                ) as socket:
                    async for _ in socket:
                        self.is_live = True
            self.is_live = False
            if socket is not None:
                self.load.observed.page_closes[socket.close_code] += 1
                self.is_dead = socket.close_code in FINAL
            await asyncio.sleep(_RETRY_AFTER)


_KINDS = {4: PagePlayer, 5: HttpPlayer}


class Load:
    """Games that are played meanwhile: `with Load(database_url, sites) as load`.

    When the block ends, what was observed is compared with the database; a difference is an AssertionError.
    """

    def __init__(self, database_url, sites, *, tables=12, pages=4, thinks=THINKS):
        self.database_url = database_url
        self.sites = sites
        self.thinks = thinks
        self.observed = Observed()
        self.known = {}  # game id -> ply of the last acknowledged move
        self.recoveries = []  # seconds
        self.faults = []  # in what is stored, as sentences
        self._acks = []  # moments and tables
        self._tables = tables
        self._last_acks = [0.0] * tables  # when each table's last move was acknowledged
        self._table_of = {}
        self._seats = run_coroutine(_seats(database_url, tables, pages))
        self._pages = [
            _Page(self, game_id, site)
            for game_id, site in zip(self._seats.quiet_games, itertools.cycle(sites), strict=False)
        ]
        self._thread = threading.Thread(target=lambda: asyncio.run(self._play()), daemon=True)

    def __enter__(self):
        self._thread.start()
        self.wait_until_whole()
        self.recoveries.clear()
        return self

    def __exit__(self, kind, _error, _traceback):
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(30)
        if kind is None:
            self.check()

    def check(self):
        """Check that nothing was lost, doubled or misplaced, and what clients were told."""
        self.faults = run_coroutine(self.observed.compare(self.database_url))
        assert not self.faults, self.faults[:10]
        assert self.observed.acknowledged
        assert self.observed.stale_snapshots == 0, "a snapshot lacked an acknowledged move"
        assert not self.observed.refusals, self.observed.refusals
        assert self.observed.statuses[500] == 0, self.observed.statuses
        assert FINAL.isdisjoint(self.observed.closes), self.observed.closes
        assert FINAL.isdisjoint(self.observed.page_closes), self.observed.page_closes
        assert set(self.observed.endings) <= {"passes"}, self.observed.endings

    def wait_until_whole(self, within=60):
        """Wait until every table has played on and every page is live, and note how long each table took."""
        since = time.monotonic()

        def resting():
            tables = [number for number, at in enumerate(self._last_acks) if at < since]
            return tables + [page.url for page in self._pages if not page.is_live]

        wait_until(lambda: not resting() or time.monotonic() > since + within, within=within + 5)
        assert not resting(), f"not played on after {within} s: {resting()}; {self.observed.closes}"
        self.recoveries += [at - since for at in self._last_acks]

    @property
    def acks(self):
        return len(self.observed.acknowledged)

    def longest_pause(self, since):
        """Return the longest time in seconds without an acknowledged move since a moment."""
        return _longest_gap(since, (at for at, _ in self._acks))

    def longest_waits(self, since):
        """Return the longest time in seconds without an acknowledged move since a moment, of each table."""
        return [
            _longest_gap(since, (at for at, table in self._acks if table == number))
            for number in range(self._tables)
        ]

    def play_for(self, seconds):
        """Let the games be played for a while."""
        time.sleep(seconds)

    def acknowledge(self, move):
        at, table = time.monotonic(), self._table_of[move.game_id]
        self.observed.acknowledged.append(move)
        self._acks.append((at, table))
        self.known[move.game_id] = move.ply + 1
        self._last_acks[table] = at

    def summary(self):
        """Return the figures of the long form's table."""
        return {
            "acked": self.acks,
            "lost": sum(fault.startswith(LOST) for fault in self.faults),
            "doubled": sum(not fault.startswith(LOST) for fault in self.faults),
            "p50": statistics.median(self.recoveries) if self.recoveries else 0.0,
            "max": max(self.recoveries, default=0.0),
        }

    async def _play(self):
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        async with asyncio.TaskGroup() as group:
            playing = [group.create_task(self._play_at(number)) for number in range(self._tables)]
            playing += [group.create_task(page.stay()) for page in self._pages]
            await self._stopping.wait()
            for task in playing:
                task.cancel()

    async def _play_at(self, number):
        """Play one game after the other at a table: half with a clock, two of six by pages and by HTTP."""
        kind = _KINDS.get(number % 6, SocketPlayer)
        seats = slice(2 * number, 2 * number + 2)
        while True:
            game_id = await self._new_game(number)
            players = (
                kind(self, game_id, side, token, session, number + seat)
                for seat, (side, token, session) in enumerate(
                    zip(RULES.sides, self._seats.tokens[seats], self._seats.sessions[seats], strict=True)
                )
            )
            await asyncio.gather(*(player.play() for player in players))

    async def _new_game(self, number):
        accounts = self._seats.accounts[2 * number : 2 * number + 2]
        control = _CLOCK if number % 2 else None
        while True:
            try:
                game_id = await new_game(self.database_url, accounts, control)
            except Exception:  # noqa: BLE001 - PostgreSQL is down, in any of many ways
                await asyncio.sleep(_RETRY_AFTER)
            else:
                self.observed.games.append(game_id)
                self._table_of[game_id] = number
                return game_id


def _longest_gap(since, times):
    moments = [since, *(at for at in times if at > since), time.monotonic()]
    return max(after - before for before, after in itertools.pairwise(moments))


@dataclass
class Seats:
    """Accounts with tokens and sessions, and games at which nobody plays."""

    accounts: list
    tokens: list
    sessions: list
    quiet_games: list


async def _seats(database_url, tables, pages):
    async with Database.opened(database_url, pool_size=1) as database, database.transaction() as session:
        accounts = await new_accounts(session, 2 * tables)
        ids = [account.id for account in accounts]
        tokens = [await issue_token(session, account, "load", ["play"]) for account in ids]
        sessions = [await open_session(session, account) for account in accounts]
        quiet = [await creation.create(session, "jadejack", _OPTIONS, ids[:2]) for _ in range(pages)]
    return Seats(ids, tokens, sessions, quiet)


async def new_game(database_url, accounts, control=None):
    """Start a game between two accounts and return its id."""
    async with Database.opened(database_url, pool_size=1) as database, database.transaction() as session:
        return await creation.create(session, "jadejack", _OPTIONS, accounts, control=control)
