"""Pages and calls on a large database, one request at a time: how long they take, and the processor's time.

    python -m benchmarks.fill --data FOLDER && python -m benchmarks.pages --data FOLDER

Without `--data`, the database is that of GORRION_DATABASE_URL. The time of the processor is that of the web
process and of its connections' processes of PostgreSQL. It hardly depends on what else the machine does.
"""

import argparse
import asyncio
import itertools
import re
import statistics
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.tournaments.conduct import conduct
from app.compete.tournaments.models import Tournament
from app.core.database.session import Database
from app.core.moments import utc_now
from app.core.realtime.bus import MemoryBus
from app.core.realtime.hub import Hub
from app.nugget import standings
from app.nugget.models import Entry
from app.nugget.work import enter_records
from app.people.identity.names import find
from app.people.identity.service import issue_token, open_session
from app.play.games.models import Game
from app.play.ratings import leaderboard
from app.site.leaderboards.service import mark_rankings
from benchmarks.fill import BUSIEST
from benchmarks.players import percentiles
from benchmarks.serving import add_data_option, kept_database, web_processes
from benchmarks.tournaments import make_tournament
from tests.support import plain_http
from tests.support.database import fetch
from tests.support.server import start_server

_ARENA = 100  # players of the tournament
_BOARDS = 200  # of the entry whose boards are replayed
BACKENDS = "SELECT array_agg(pid) AS pids FROM pg_stat_activity WHERE application_name LIKE 'gorrion web %'"
_SETTLES_WITHIN = 30  # seconds, in which a new server draws, marks and makes for the first time
_RATINGS = {"middle": 1500.0, "end": 700.0}
_MEANS = {"middle": 1_800_000, "end": 2_000_000}  # the key of 45 and of 50 moves


@dataclass(frozen=True)
class Asking:
    """A route as it is asked for: by whom, and the paths, which are taken in turn."""

    name: str
    http: httpx.Client
    paths: list[str]


@dataclass(frozen=True)
class Prepared:
    """A session and a token of the busiest player, and the ids of what is looked at."""

    cookie: str
    token: str
    over: list[str]
    under_way: list[str]
    tournament: str
    entry: str


async def prepare(url: str) -> Prepared:
    """Return what is asked for, after making what is not there yet."""
    database = await Database.open(url, pool_size=2)
    await mark_rankings(database)
    await enter_records(database, MemoryBus(Hub()))
    async with database.transaction() as session:
        tournament = await _tournament(session)
        entry = await session.scalar(select(Entry.id).where(func.cardinality(Entry.counts) == _BOARDS))
        assert entry is not None
        busiest = await find(session, BUSIEST)
        assert busiest is not None, "fill the database first"
        cookie = await open_session(session, busiest)
        token = await issue_token(session, busiest.id, "load", ["play"])
        over, under_way = [
            list(await session.scalars(select(Game.id).where(Game.status == status).limit(1000)))
            for status in ("finished", "started")
        ]
    await database.close()
    return Prepared(cookie, token, over, under_way, tournament, entry)


async def _tournament(session: AsyncSession) -> str:
    known = await session.scalar(select(Tournament.id).limit(1))
    if known is not None:
        return known
    made, _accounts = await make_tournament(session, _ARENA)
    await conduct(session, made, utc_now())
    return made


def asked(site: str, prepared: Prepared) -> list[Asking]:
    """Return what is measured."""
    over, under_way = ([f"/games/{game}" for game in ids] for ids in (prepared.over, prepared.under_way))
    tournament, entry = f"/tournaments/{prepared.tournament}", f"/nugget/entries/{prepared.entry}"
    boards = [f"{entry}/boards/{number}" for number in range(1, _BOARDS + 1)]
    anyone = plain_http.Client(base_url=site, timeout=300)
    busiest = plain_http.Client(base_url=site, timeout=300, cookies={"gorrion": prepared.cookie})
    program = plain_http.Client(
        base_url=f"{site}/api/v1", timeout=300, headers={"Authorization": f"Bearer {prepared.token}"}
    )
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    ratings = leaderboard.settled("jadejack").order
    entries = standings.ranking(standings.WORLD).order
    others = [f"/players/made-up-{number}" for number in range(1_000, 1_300)]
    return [
        Asking("home", anyone, ["/"]),
        Asking("home, signed in", busiest, ["/"]),
        Asking("lobby", anyone, ["/lobby"]),
        Asking("lobby, signed in", busiest, ["/lobby"]),
        Asking("games to watch", anyone, ["/watch"]),
        Asking("game that is over", anyone, over),
        Asking("game under way", anyone, under_way),
        Asking("game under way, signed in", busiest, under_way),
        Asking("API game", program, over),
        Asking("profile of the busiest", anyone, [f"/players/{BUSIEST}"]),
        Asking("profile of the busiest, page 10", anyone, [f"/players/{BUSIEST}?number=10"]),
        Asking("profile of others", anyone, others),
        Asking("profile of others, signed in", busiest, others),
        Asking("games of the busiest", busiest, ["/games"]),
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
        Asking("Golden Nugget ranking, signed in", busiest, ["/leaderboards/golden_nugget"]),
        Asking("Golden Nugget", anyone, ["/nugget"]),
        Asking("Golden Nugget, signed in", busiest, ["/nugget"]),
        Asking("Golden Nugget entry", anyone, [entry]),
        Asking("Golden Nugget entry, signed in", busiest, [entry]),
        Asking("Golden Nugget board", anyone, boards),
        Asking("Golden Nugget board, signed in", busiest, boards),
        Asking(
            "Golden Nugget player", anyone, [path.replace("/players", "/nugget/players") for path in others]
        ),
        Asking("tournament", anyone, [tournament]),
        Asking("tournament, signed in", busiest, [tournament]),
        Asking("records", anyone, ["/records"]),
    ]


@dataclass(frozen=True)
class Cost:
    """What requests of a kind take: seconds each, the first apart, and the median of CPU milliseconds."""

    first: float
    times: list[float]
    of_web: float
    of_postgres: float

    @property
    def cpu(self) -> float:
        """Return the milliseconds of web process and PostgreSQL together."""
        return self.of_web + self.of_postgres


def measure(asking: Asking, requests: int, web: Collection[int], url: str) -> Cost:
    """Return what requests of a kind take. The first of them, which fills caches, stands apart."""
    paths = itertools.cycle(asking.paths)
    first = _get(asking, next(paths))
    backends = fetch(url, BACKENDS)["pids"]
    times, of_web, of_postgres = [], [], []
    for path in itertools.islice(paths, requests):
        before = cpu_ms(web), cpu_ms(backends)
        times.append(_get(asking, path))
        of_web.append(cpu_ms(web) - before[0])
        of_postgres.append(cpu_ms(backends) - before[1])
    return Cost(first, times, statistics.median(of_web), statistics.median(of_postgres))


def _get(asking: Asking, path: str) -> float:
    """Return the seconds until the answer to a request."""
    sent = time.perf_counter()
    answer = asking.http.get(path)
    if answer.status_code != httpx.codes.OK:
        raise SystemExit(f"{path}: {answer.status_code}")
    return time.perf_counter() - sent


def cpu_ms(processes: Collection[int]) -> float:
    """Return the milliseconds that all threads of some processes have computed, to the microsecond."""
    tasks = (task for pid in processes for task in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


def main() -> None:
    """Print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=100, help="of each kind")
    parser.add_argument("--only", default="", help="a regular expression: parts of names")
    add_data_option(parser)
    arguments = parser.parse_args()
    with kept_database(arguments.data) as url:
        prepared = asyncio.run(prepare(url))
        report(url, lambda site: asked(site, prepared), arguments.only, arguments.requests)


def report(url: str, asked: Callable[[str], list[Asking]], only: str, requests: int) -> None:
    """Start a server and print what it takes for the requests of each kind."""
    for asking, cost in costs(url, asked, only, requests):
        print(
            f"{asking.name:34} CPU {cost.cpu:5.1f} ms ({cost.of_web:5.1f} + {cost.of_postgres:4.1f}), "
            f"{percentiles(cost.times)}, first {cost.first * 1000:.0f} ms",
            flush=True,
        )


def costs(
    url: str, asked: Callable[[str], list[Asking]], only: str, requests: int
) -> Iterator[tuple[Asking, Cost]]:
    """Start a server, and yield what the requests of each kind cost whose name `only` matches."""
    server = start_server(url, log_level="warning")
    try:
        time.sleep(_SETTLES_WITHIN)
        web = [process.pid for process in web_processes(server)]
        for asking in asked(server.url):
            if re.search(only, asking.name):
                yield asking, measure(asking, requests, web, url)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
