"""Kill each part of a server on many machines under load, and bring it back: pauses, errors, what is lost.

Two web servers behind HAProxy, PgBouncer, PostgreSQL with a streaming replica, Valkey and a worker run as
processes of their own. One after the other gets SIGKILL and is started again while games are played and pages
loaded through the proxy. Fails if an acknowledged move is lost or doubled, or if a game does not replay.
"""

import argparse
import asyncio
import contextlib
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, TypeVar

from app.server.operations.replays import check_games
from tests.faults.cluster import PgBouncer, Postgres, Web, Worker, installed
from tests.faults.load import Load
from tests.faults.pages import visitor
from tests.faults.proxies import Proxy, haproxy
from tests.support.server import wait_for_computer
from tests.support.valkey import Valkey

_PROGRAMS = ("haproxy", "pgbouncer")  # and their packages in Debian
_POOLED = 20  # connections of PgBouncer to PostgreSQL
_COLUMNS = ("away s", "no move s", "a game s: p50", "max", "computer s", "sockets cut", "other errors")
_WELL = {200, 409}  # statuses of answers; 409 is a move that another one overtook


class Part(Protocol):
    """What is killed."""

    def start(self) -> None:
        """Start it, also after `kill`."""

    def kill(self) -> None:
        """Send it SIGKILL."""

    def close(self) -> None:
        """Stop it for good."""


P = TypeVar("P", bound=Part)


@contextlib.contextmanager
def machines(folder: Path) -> Iterator[tuple[dict[str, Part], str, Proxy]]:
    """Run all parts. Yields them by name, the URL of the primary, and the proxy."""
    with contextlib.ExitStack() as stack:

        def run(part: P) -> P:
            stack.callback(part.close)
            part.start()
            return part

        primary = run(Postgres.create(folder))
        replica = run(primary.replica(slot="replica"))
        pooler = run(PgBouncer(primary, _POOLED))
        valkey = run(Valkey(folder))
        settings = {
            "database_direct_url": primary.url,
            "database_replica_url": replica.url,
            "valkey_url": valkey.url,
            "bus": "memory",
        }
        webs = [run(Web(pooler.url, folder / f"web{number}.log", **settings)) for number in (1, 2)]
        worker = run(Worker(pooler.url, **settings))
        proxy = run(haproxy(folder, webs))
        wait_for_computer(proxy)
        parts = {"web A": webs[0], "web B": webs[1], "HAProxy": proxy, "Valkey": valkey, "replica": replica}
        yield parts | {"worker": worker, "PgBouncer": pooler, "primary": primary}, primary.url, proxy


def errors(load: Load, answers: list[int | str]) -> tuple[int, Counter[int | str]]:
    """Return how many sockets were lost so far, and the answers that are errors."""
    observed = load.observed
    others = observed.statuses + Counter(answers)
    sockets = observed.closes.total() + observed.page_closes.total()
    return sockets, Counter({what: count for what, count in others.items() if what not in _WELL})


def strike(part: Part, away: float, load: Load, answers: list[int | str], proxy: Proxy) -> tuple[str, ...]:
    """Kill a part, start it after a while, and return the columns of its row."""
    sockets, seen = errors(load, answers)
    killed = time.monotonic()
    part.kill()
    load.play_for(away)
    part.start()
    back = time.monotonic()
    load.wait_until_whole()
    wait_for_computer(proxy)
    computer = time.monotonic() - back
    waits, (sockets_after, seen_after) = load.longest_waits(killed), errors(load, answers)
    others = ", ".join(f"{count} x {what}" for what, count in (seen_after - seen).items())
    figures = (back - killed, load.longest_pause(killed), statistics.median(waits), max(waits), computer)
    return *(f"{figure:.1f}" for figure in figures), str(sockets_after - sockets), others or "none"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=24, help="games at a time")
    parser.add_argument("--away", type=float, default=5, help="seconds for which a part is away")
    parser.add_argument("--rounds", type=int, default=1)
    arguments = parser.parse_args()
    missing = [program for program in _PROGRAMS if installed(program) is None]
    if missing:
        parser.error(f"{' and '.join(missing)} not found; run `apt-get install {' '.join(missing)}` first")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL has a user of its own
        with machines(folder) as (parts, url, proxy):
            print("part      " + "".join(f"{column:>15}" for column in _COLUMNS), flush=True)
            load = Load(url, [proxy], tables=arguments.tables)
            with load, visitor(proxy) as answers:
                for part in list(parts) * arguments.rounds:
                    row = strike(parts[part], arguments.away, load, answers, proxy)
                    print(f"{part:10}" + "".join(f"{cell:>15}" for cell in row), flush=True)
            checked = asyncio.run(check_games(url, 1, lambda _: None))
            print(
                f"{load.acks} moves acknowledged, none lost; of {checked.games} games {checked.wrong} wrong"
            )
            if checked.wrong:
                raise SystemExit(1)


if __name__ == "__main__":
    main()
