"""Where the CPU time of a move goes: in the web process by stages, and in PostgreSQL.

Games with a clock are played over the JSON sockets of both players, as fast as they can, on a server with
rate limits, as real ones are; in so many games, all players stay within theirs. The web process notes where
it is after each few milliseconds of CPU time, and the innermost function that is known to belong to a stage
names it; the rest is the event loop, with reading from sockets and writing to them.
"""

import argparse
import asyncio
import json
import os
import signal
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import psutil

from benchmarks.load import play, seated
from benchmarks.players import make_games
from benchmarks.serving import database
from engine.clock import Realtime
from tests.support.database import fetch
from tests.support.server import Server, start_server
from tests.support.waiting import wait_until

_SAMPLING = Path(__file__).with_name("sampling")
_CLOCK = Realtime(limit=600, increment=5)

STAGES = (
    (
        "decode",
        ("/websockets/", "/live/frames.py", "protocol.py:data_received", "protocol.py:_parse", "/pydantic/"),
    ),
    (
        "decode",
        (
            "protocol.py:handle_",
            "protocol.py:send_receive_event",
            "moves_by_socket.py:receive",
            ":sent_move",
            ":_move_id",
        ),
    ),
    ("authorize", ("/live/proofs.py", "/web/throttle.py", "moves_by_socket.py:_player", "/play/bots/")),
    (
        "decide",
        (
            "/engine/",
            "/games/decisions.py",
            "/games/game.py",
            "/games/evolving.py",
            "/games/store.py",
            "/games/service.py",
        ),
    ),
    ("decide", ("/games/timekeeper.py", "_presence.py", "/play/clocks/")),
    ("commit: asyncpg", ("/asyncpg/",)),
    ("journal", ("/games/journal.py", "/play/ratings/", "/people/inbox/")),
    ("encode", ("/games/schemas.py", "/live/messages.py", "/games/events.py")),
    ("publish", ("/core/realtime/", "/games/follow.py")),
    ("send", ("/live/protocol.py", "/live/connections.py")),
)
"""What a file or function belongs to, by a part of its name."""
REST = "event loop, system calls"


def stage_of(stack: Sequence[str]) -> str:
    """Return the stage of a sample, whose functions begin with the innermost."""
    for function in stack:
        for stage, parts in STAGES:
            if any(part in function for part in parts):
                return stage
    return REST


async def measure(
    server: Server, url: str, samples: Path, games: int, seconds: float
) -> tuple[int, Counter[str]]:
    """Return the moves that were played, and the microseconds of CPU time of all of them by stages."""
    (web,) = (
        child
        for child in psutil.Process(server.process.pid).children()
        if "spawn_main" in " ".join(child.cmdline())
    )
    made = await make_games(url, games, _CLOCK)
    async with seated(server, made) as pairs:
        backends = fetch(url, "SELECT array_agg(pid) pids FROM pg_stat_activity")["pids"]
        _samples(web.pid, samples)
        before = _microseconds([web.pid]), _microseconds(backends)
        moves, _, _ = await play(pairs, seconds)
        spent = _microseconds([web.pid]) - before[0]
        costs = Counter({"PostgreSQL": _microseconds(backends) - before[1]})
        counted = _samples(web.pid, samples)
    total = sum(count for count, *_ in counted)
    for count, *stack in counted:
        costs[stage_of(stack)] += spent * count / total
    return moves, costs


def _samples(web: int, written: Path) -> list[list]:
    """Return what the web process has noted since the last time."""
    written.unlink(missing_ok=True)
    os.kill(web, signal.SIGUSR1)
    wait_until(written.exists)
    return json.loads(written.read_text())


def _microseconds(processes: Sequence[int]) -> float:
    tasks = (task for pid in processes for task in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    moves, costs = 0, Counter[str]()
    with tempfile.TemporaryDirectory() as folder, database() as url:
        samples = Path(folder) / "samples"
        preloads = {"PYTHONPATH": f"{_SAMPLING}{os.pathsep}{Path.cwd()}", "SAMPLES_TO": str(samples)}
        server = start_server(url, log_level="warning", preloads=preloads, throttle="on")
        try:
            for _ in range(arguments.rounds):
                more, cost = asyncio.run(measure(server, url, samples, arguments.games, arguments.seconds))
                moves, costs = moves + more, costs + cost
        finally:
            server.stop()
    of_postgres = costs.pop("PostgreSQL")
    of_web = costs.total()
    print(
        f"{moves} moves: web process {of_web / moves:.0f} µs a move, PostgreSQL {of_postgres / moves:.0f} µs"
    )
    for stage, cost in costs.most_common():
        print(f"{stage:28} {cost / moves:5.1f} µs  {100 * cost / of_web:4.1f} %")


if __name__ == "__main__":
    main()
