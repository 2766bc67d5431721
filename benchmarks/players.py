"""Games between pairs of accounts, and the sockets by which they are played and watched."""

import itertools
import statistics
import uuid
from dataclasses import dataclass
from typing import Any

from msgspec import json
from websockets.asyncio.client import ClientConnection, connect

from app.core.database.session import Database
from app.people.identity.models import Account
from app.people.identity.service import issue_token, open_session
from app.play.games.creation import create
from engine.clock import TimeControl
from tests.support.server import Server

_SIZE = {"size": 9}
_ADDRESSES = itertools.cycle(f"127.0.0.{number}" for number in range(1, 255))


@dataclass(frozen=True)
class Match:
    """A game of JadeJack, and the tokens and sessions of Black and White."""

    game_id: str
    tokens: tuple[str, ...]
    sessions: tuple[str, ...]


async def make_games(url: str, count: int, control: TimeControl | None = None) -> list[Match]:
    """Return new games, each between two new accounts."""
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
            sessions = [await open_session(session, player) for player in players]
            game_id = await create(
                session, "jadejack", _SIZE, [player.id for player in players], control=control
            )
            games.append(Match(game_id, tuple(tokens), tuple(sessions)))
    await database.close()
    return games


def program_socket(server: Server, game_id: str, token: str) -> connect:
    """Return the JSON socket of a player, to be entered as a context."""
    return connect(
        f"{server.ws_url}/api/v1/games/{game_id}/socket",
        additional_headers={"Authorization": f"Bearer {token}"},
        compression=None,
        local_addr=(next(_ADDRESSES), 0),  # an address may have few connections
    )


def page_socket(server: Server, game_id: str, session: str) -> connect:
    """Return the socket of a player's game page, to be entered as a context."""
    return connect(
        f"{server.ws_url}/games/{game_id}/live",
        origin=server.url,
        additional_headers={"Cookie": f"gorrion={session}"},
        compression=None,
    )


async def send_move(socket: ClientConnection, move: str, ply: int) -> None:
    """Send a move for a ply."""
    message = {"type": "move", "move": move, "ply": ply, "move_id": str(uuid.uuid4())}
    await socket.send(json.encode(message).decode())


async def receive_ply(socket: ClientConnection, ply: int) -> dict[str, Any]:
    """Wait for the event of a ply, skipping the events and acknowledgements of our own moves."""
    start = f'{{"type":"move","ply":{ply},'
    while not (text := str(await socket.recv())).startswith(start):
        if text.startswith('{"type":"error"'):
            raise SystemExit(f"a move was refused: {text}")
    event: dict[str, Any] = json.decode(text)
    return event


def percentiles(latencies: list[float]) -> str:
    """Return the median and the 99th percentile of seconds, in milliseconds."""
    cuts = statistics.quantiles(latencies, n=100)
    return f"p50 {cuts[49] * 1000:.1f} ms, p99 {cuts[98] * 1000:.1f} ms"
