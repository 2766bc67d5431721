"""The lobby: the time until a new challenge has reached every open page.

Prints the time from the request that creates a challenge to the push on each page, with many pages and one.
"""

import argparse
import asyncio
import time
from contextlib import AsyncExitStack

from websockets.asyncio.client import ClientConnection, connect

from app.core.database.session import Database
from app.people.identity.models import Account
from app.people.identity.service import open_session
from benchmarks.players import percentiles
from benchmarks.serving import serving
from tests.support import plain_http
from tests.support.players import Program
from tests.support.server import Server


async def sessions(url: str, count: int) -> list[str]:
    """Return the session cookies of that many guests."""
    database = await Database.open(url, pool_size=2)
    async with database.transaction() as session:
        accounts = [
            Account(username=f"lobby-{time.time_ns()}-{n}", password_hash="none") for n in range(count)
        ]
        session.add_all(accounts)
        await session.flush()
        tokens = [await open_session(session, account) for account in accounts]
    await database.close()
    return [f"gorrion={token}" for token in tokens]


async def receive_challenge(socket: ClientConnection, challenge: str, made_at: float) -> float:
    while f"challenge-{challenge}" not in str(await socket.recv()):
        pass
    return time.perf_counter() - made_at


async def measure(server: Server, cookies: list[str], token: str, challenges: int) -> list[float]:
    """Create challenges one after the other. Return the seconds until each page received each of them."""
    latencies: list[float] = []
    async with AsyncExitStack() as stack, plain_http.AsyncClient(base_url=f"{server.url}/api/v1") as http:
        http.headers["Authorization"] = f"Bearer {token}"
        pages = [
            await stack.enter_async_context(
                connect(
                    f"{server.ws_url}/lobby/live",
                    origin=server.url,  # type: ignore[arg-type]
                    additional_headers={"Cookie": cookie},
                    compression=None,
                )
            )
            for cookie in cookies
        ]
        await asyncio.sleep(1)
        for number in range(challenges + 1):
            made_at = time.perf_counter()
            answer = await http.post("/challenges", json={"game": "jadejack"})
            challenge = answer.json()["id"]
            delays = await asyncio.gather(*(receive_challenge(page, challenge, made_at) for page in pages))
            latencies += delays if number else []  # the first finds the server cold
            await http.post(f"/challenges/{challenge}/cancel")
            await asyncio.sleep(0.3)
    return latencies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--challenges", type=int, default=20)
    arguments = parser.parse_args()
    with serving() as (server, url):
        token = Program(server).token
        for people in (1, arguments.people):
            cookies = asyncio.run(sessions(url, people))
            latencies = asyncio.run(measure(server, cookies, token, arguments.challenges))
            print(f"{people:4} people in the lobby: a challenge reaches them in {percentiles(latencies)}")


if __name__ == "__main__":
    main()
