"""Pages and calls on a large database: median and 99th percentile, one request at a time.

    python -m benchmarks.fill && python -m benchmarks.pages

The database is that of GORRION_DATABASE_URL.
"""

import argparse
import asyncio
import itertools
import time
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx
from sqlalchemy import select

from app.core.database.migrate import upgrade
from app.core.database.session import Database
from app.core.settings import Settings
from app.nugget import standings
from app.people.identity.names import find
from app.people.identity.service import issue_token, open_session
from app.play.games.models import Game
from app.play.ratings import leaderboard
from app.site.leaderboards.service import mark_rankings
from benchmarks.fill import BUSIEST
from benchmarks.players import percentiles
from tests.support import plain_http
from tests.support.server import start_server

_RATINGS = {"middle": 1500.0, "end": 700.0}
_MEANS = {"middle": 1_800_000, "end": 2_000_000}  # the key of 45 and of 50 moves


@dataclass(frozen=True)
class Asking:
    """A route as it is asked for: by whom, and the paths, which are taken in turn."""

    name: str
    http: httpx.Client
    paths: list[str]


async def prepare(url: str) -> tuple[str, str, list[str], list[str]]:
    """Return a session and a token of the busiest player, and ids of games that are over and under way."""
    database = await Database.open(url, pool_size=1)
    await mark_rankings(database)
    async with database.transaction() as session:
        busiest = await find(session, BUSIEST)
        assert busiest is not None, "fill the database first"
        cookie = await open_session(session, busiest)
        token = await issue_token(session, busiest.id, "load", ["play"])
        games = [
            list(await session.scalars(select(Game.id).where(Game.status == status).limit(1000)))
            for status in ("finished", "started")
        ]
    await database.close()
    return cookie, token, *games


def asked(site: str, cookie: str, token: str, over: list[str], under_way: list[str]) -> list[Asking]:
    """Return what is measured."""
    anyone = plain_http.Client(base_url=site, timeout=300)
    busiest = plain_http.Client(base_url=site, timeout=300, cookies={"gorrion": cookie})
    program = plain_http.Client(
        base_url=f"{site}/api/v1", timeout=300, headers={"Authorization": f"Bearer {token}"}
    )
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    ratings = leaderboard.settled("jadejack").order
    entries = standings.ranking(standings.WORLD).order
    others = [f"/players/made-up-{number}" for number in range(500_000, 500_300)]
    return [
        Asking("home", anyone, ["/"]),
        Asking("home, signed in", busiest, ["/"]),
        Asking("lobby", anyone, ["/lobby"]),
        Asking("lobby, signed in", busiest, ["/lobby"]),
        Asking("games to watch", anyone, ["/watch"]),
        Asking("game that is over", anyone, [f"/games/{game}" for game in over]),
        Asking("game under way", anyone, [f"/games/{game}" for game in under_way]),
        Asking("API game", program, [f"/games/{game}" for game in over]),
        Asking("profile, 50,000 games", anyone, [f"/players/{BUSIEST}"]),
        Asking("profile, 50,000 games, page 30", anyone, [f"/players/{BUSIEST}?number=30"]),
        Asking("profile of others", anyone, others),
        Asking("profile of others, signed in", busiest, others),
        Asking("my games, 50,000", busiest, ["/games"]),
        Asking("players by name", anyone, ["/players?q=made-up", "/players?q=m"]),
        Asking("API player's games", program, [f"/players/{BUSIEST}/games"]),
        Asking("leaderboard", anyone, ["/leaderboards/jadejack"]),
        Asking("leaderboard, signed in", busiest, ["/leaderboards/jadejack"]),
        *(
            Asking(
                f"leaderboard, {name}",
                anyone,
                [f"/leaderboards/jadejack?cursor={ratings.to_cursor((rating, 1))}"],
            )
            for name, rating in _RATINGS.items()
        ),
        Asking("Golden Nugget ranking", anyone, ["/leaderboards/golden_nugget"]),
        *(
            Asking(
                f"Golden Nugget ranking, {name}",
                anyone,
                ["/leaderboards/golden_nugget?cursor=" + entries.to_cursor((mean, -20, [40], long_ago, 1))],
            )
            for name, mean in _MEANS.items()
        ),
        Asking(
            "Golden Nugget player", anyone, [path.replace("/players", "/nugget/players") for path in others]
        ),
        Asking("records", anyone, ["/records"]),
    ]


def main() -> None:
    """Print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=100, help="of each kind")
    requests = parser.parse_args().requests
    url = Settings().own_database_url
    if url is None:
        raise SystemExit("Set GORRION_DATABASE_URL to the database that benchmarks.fill has filled.")
    upgrade(url)
    cookie, token, over, under_way = asyncio.run(prepare(url))
    started = time.monotonic()
    server = start_server(url, log_level="warning")
    try:
        print(f"ready after {time.monotonic() - started:.1f} s")
        for asking in asked(server.url, cookie, token, over, under_way):
            times = []
            for path in itertools.islice(itertools.cycle(asking.paths), requests + 1):
                sent = time.perf_counter()
                answer = asking.http.get(path)
                times.append(time.perf_counter() - sent)
                if answer.status_code != httpx.codes.OK:
                    raise SystemExit(f"{path}: {answer.status_code}")
            first, *others = times
            print(f"{asking.name:32} {percentiles(others)}, first {first * 1000:.0f} ms", flush=True)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
