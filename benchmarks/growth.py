"""How the cost of pages and moves grows with the number of accounts and games, as a table in Markdown.

    python -m benchmarks.growth --sizes 10000 100000 1000000

For each size, a new database is filled with as many accounts, games and entries of Golden Nugget, and 20
times as many moves. The time of the processor is that of the web process and of PostgreSQL together; the last
column says how many times as large it is when the size is ten times as large.
"""

import argparse
import asyncio
import math
from collections.abc import Sequence

from benchmarks.fill import Sizes, fill_at
from benchmarks.load import play, seated
from benchmarks.pages import BACKENDS, asked, costs, cpu_ms, prepare
from benchmarks.players import make_games
from benchmarks.serving import database, web_processes
from tests.support.database import fetch
from tests.support.server import start_server

_MOVES = 20  # of a game
_PLAYED = 100  # games, to measure moves
_PLAYED_FOR = 10  # seconds
_SHARE_OF_BUSIEST = 20  # the busiest account has played one of so many games
_CONSTANT, _LINEAR = 1.25, 5  # times as much at ten times the size: at most, and at least
_LEAST_SIZES = 2
A_MOVE = "a move"


def grown(size: int) -> Sizes:
    """Return what a site of so many accounts and games has."""
    return Sizes(
        accounts=size,
        games=size,
        moves=_MOVES * size,
        busiest=size // _SHARE_OF_BUSIEST,
        under_way=size // 100,
        entries=size,
    )


async def cost_of_a_move(url: str) -> float:
    """Return the milliseconds of CPU that a move by JSON sockets takes."""
    server = start_server(url, log_level="warning")
    try:
        async with seated(server, await make_games(url, _PLAYED)) as pairs:
            processes = [process.pid for process in web_processes(server)] + fetch(url, BACKENDS)["pids"]
            before = cpu_ms(processes)
            moves, _, _ = await play(pairs, _PLAYED_FOR)
            return (cpu_ms(processes) - before) / moves
    finally:
        server.stop()


def measured(size: int, only: str, requests: int) -> dict[str, float]:
    """Return the milliseconds of CPU of each kind of request, and of a move, at a size."""
    with database() as url:
        asyncio.run(fill_at(url, grown(size)))
        prepared = asyncio.run(prepare(url))
        found = {
            asking.name: cost.cpu
            for asking, cost in costs(url, lambda site: asked(site, prepared), only, requests)
        }
        return found | {A_MOVE: asyncio.run(cost_of_a_move(url))}


def law(sizes: Sequence[int], values: Sequence[float]) -> str:
    """Return how many times as large a cost is at ten times the size, and the line that it follows."""
    tenfold = (values[-1] / values[0]) ** (1 / math.log10(sizes[-1] / sizes[0]))
    line = "constant" if tenfold <= _CONSTANT else "n" if tenfold >= _LINEAR else "log n"
    return f"{tenfold:.2f}, {line}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--requests", type=int, default=40, help="of each kind")
    parser.add_argument("--only", default="", help="a regular expression: parts of names")
    arguments = parser.parse_args()
    if len(set(arguments.sizes)) < _LEAST_SIZES:
        parser.error("Name two sizes at least.")
    columns = [measured(size, arguments.only, arguments.requests) for size in arguments.sizes]
    print("| CPU, ms |", " | ".join(f"{size:,}" for size in arguments.sizes), "| Tenfold |")
    print("|---|" + "---|" * (len(columns) + 1))
    for name in columns[0]:
        values = [column[name] for column in columns]
        shown = " | ".join(f"{value:.2f}" if value < 1 else f"{value:.1f}" for value in values)
        print(f"| {name[0].upper()}{name[1:]} | {shown} | {law(arguments.sizes, values)} |")


if __name__ == "__main__":
    main()
