"""An arena with pages of its players open: how long these wait for each wave of pairings.

Each second a share of the games ends by resigning. The times are from the commit of a wave, by PostgreSQL's
clock on the same machine, until a paired player's page is sent to the game, and until a page shows the games.
"""

import argparse
import asyncio
import random
import re
import time
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache

from sqlalchemy import text
from websockets.asyncio.client import connect

from app.core.database.session import Database
from app.core.ids import PATTERN
from app.people.identity.models import Account
from app.people.identity.service import issue_token, open_session
from benchmarks.players import percentiles
from benchmarks.serving import database
from benchmarks.tournaments import make_tournament
from tests.support import plain_http
from tests.support.server import Server, start_server

_SHARE = 60  # one of so many games ends each second, as games take a minute or so
_OPENING = 20  # sockets at a time
_GAME = re.compile(rf"/games/({PATTERN})")
_AFTERWARDS = 3  # seconds in which the last wave reaches the pages
_START = "UPDATE tournaments SET starts_at = now(), due_at = now() WHERE id = :id"
_RUNNING = """
SELECT pairing.game_id, pairing.second_id FROM tournament_pairings pairing
JOIN games ON games.id = pairing.game_id AND games.status = 'started'
WHERE pairing.tournament_id = :id AND pairing.outcome IS NULL
"""
_COMMITTED = """
SELECT game_id, first_id, second_id, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float AS committed
FROM tournament_pairings WHERE tournament_id = :id AND outcome IS NULL
"""  # the others were written again when their games ended


@dataclass(frozen=True)
class Game:
    """When the wave of a game was committed, and the seconds after which its players and pages knew it."""

    committed: float
    sent: list[float]
    shown: list[float]


class Opened:
    """Opens some pages at a time; `all` is passed once all are open."""

    def __init__(self, pages: int) -> None:
        self.turn = asyncio.Semaphore(_OPENING)
        self.all = asyncio.Barrier(pages + 1)


@dataclass
class Page:
    """The open page of a player: when it first showed each game, and when it was sent to each."""

    account_id: int
    shown: dict[str, float] = field(default_factory=dict)
    sent: dict[str, float] = field(default_factory=dict)

    async def read(self, server: Server, tournament_id: str, session: str, opened: Opened) -> None:
        """Read what is pushed to the page until cancelled."""
        async with opened.turn:
            socket = await connect(
                f"{server.ws_url}/tournaments/{tournament_id}/live",
                origin=server.url,
                additional_headers={"Cookie": f"gorrion={session}"},
                compression=None,
                max_size=None,
            )
        async with socket:
            await opened.all.wait()
            while True:
                message = await socket.recv(decode=False)
                now = time.time()
                is_update, games = _read(message)
                times = self.shown if is_update else self.sent
                for game_id in games:
                    times.setdefault(game_id, now)


@lru_cache(maxsize=256)  # most pages are sent the same
def _read(message: bytes) -> tuple[bool, frozenset[str]]:
    """Return whether a message updates the page, instead of sending it elsewhere, and its games."""
    return b"tournament-" in message, frozenset(_GAME.findall(message.decode()))


async def play(url: str, server: Server, players: int, watched: int, seconds: int) -> list[Game]:
    """Return the games of an arena that is played for some seconds."""
    storage = await Database.open(url, pool_size=4)
    tokens, sessions = {}, {}
    async with storage.transaction() as session:
        tournament_id, accounts = await make_tournament(session, players, timedelta(hours=1))
        for account_id in accounts:
            account = await session.get_one(Account, account_id)
            tokens[account_id] = await issue_token(session, account_id, "load", ["play"])
            sessions[account_id] = await open_session(session, account)
    opened = Opened(watched)
    pages = [Page(account_id) for account_id in random.sample(accounts, watched)]
    readers = [
        asyncio.create_task(page.read(server, tournament_id, sessions[page.account_id], opened))
        for page in pages
    ]
    await opened.all.wait()
    async with storage.transaction() as session:
        await session.execute(text(_START), {"id": tournament_id})
    async with plain_http.AsyncClient(base_url=f"{server.url}/api/v1", timeout=60) as http:
        for _ in range(seconds):
            started = time.monotonic()
            async with storage.transaction() as session:
                running = (await session.execute(text(_RUNNING), {"id": tournament_id})).all()
            for game_id, loser in random.sample(running, min(len(running), 1 + len(running) // _SHARE)):
                headers = {"Authorization": f"Bearer {tokens[loser]}"}
                await http.post(f"/games/{game_id}/resign", headers=headers)
            await asyncio.sleep(max(0, 1 - (time.monotonic() - started)))
    await asyncio.sleep(_AFTERWARDS)
    async with storage.transaction() as session:
        games = (await session.execute(text(_COMMITTED), {"id": tournament_id})).all()
    for reader in readers:
        reader.cancel()
    await storage.close()
    by_account = {page.account_id: page for page in pages}
    return [
        Game(
            committed,
            [
                by_account[player].sent[game_id] - committed
                for player in (first, second)
                if player in by_account and game_id in by_account[player].sent
            ],
            [page.shown[game_id] - committed for page in pages if game_id in page.shown],
        )
        for game_id, first, second, committed in games
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument("--pages", type=int, default=200, help="of players, which are read on this machine")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    with database(track_commit_timestamp="on", max_connections="200") as url:
        server: Server = start_server(url, workers=options.workers, log_level="warning", database_pool="20")
        try:
            games = asyncio.run(play(url, server, options.players, options.pages, options.seconds))
            waves = {game.committed for game in games}
            print(f"{options.players} players, {options.pages} pages, {len(waves)} waves, {len(games)} games")
            later = [game for game in games if game.committed > min(waves)]
            sent = [wait for game in later for wait in game.sent]
            shown = [wait for game in later for wait in game.shown]
            print(f"after the first wave: players are sent to their games ({len(sent)}): {percentiles(sent)}")
            print(f"pages show the games ({len(shown)}): {percentiles(shown)}")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
