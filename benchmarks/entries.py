"""What entries of Golden Nugget cost among many: their tables, submitting long ones, tracing them again.

Fills a new database with made-up accounts and entries of random moves, which solve nothing and have nothing
in common, by COPY. Then new players submit entries of 200 boards: solved by themselves, and with a detour on
each board of the record that ships with the server.

    GORRION_DATABASE_URL=postgresql://… python -m benchmarks.entries --entries 10000
"""

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from app.core.database.migrate import upgrade
from app.core.database.session import Database
from app.core.realtime.bus import MemoryBus
from app.core.realtime.hub import Hub
from app.core.settings import ROOT, Settings
from app.nugget.entries import Entries
from app.nugget.judging import retrace
from app.people.identity.models import Account
from app.people.identity.service import Identity, identity_of
from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import FORCES, MAX_BOARDS, START, Board, IllegalPush, Move, push, pushes, turn
from engine.golden_nugget.entry import verify
from engine.golden_nugget.lineage import landmarks, paths_of
from engine.golden_nugget.record import Record, RecordedBoard, from_moves, parse, to_text
from engine.search.nugget.beam import Beam
from engine.search.nugget.tables import FORCE_NAMES

_RECORD = ROOT / "docs" / "samples" / "golden-nugget-200-best.txt"
_FIRST_ID = 1_000_000  # of the accounts
_MOVES = 24  # on each board
_COLUMNS = [
    "id",
    "account_id",
    "counts",
    "mean_key",
    "record",
    "record_sha256",
    "submitted_at",
    "published_at",
    "positions",
]
_SIZES = """
SELECT pg_total_relation_size('nugget_entries') AS all,
       pg_relation_size('ix_nugget_entries_positions') AS index
"""
_TO_TRACE = 200
_NOW = datetime.now(UTC)


def walk(board: Board, moves: int, generator: random.Random) -> tuple[Board, list[Move]]:
    """Return the board after so many random moves, and the moves."""
    made: list[Move] = []
    while len(made) < moves:
        try:
            board, move = push(board, generator.choice("1234567ABCDEFGHIJKLMNOPQRSTU"))
        except IllegalPush:
            continue
        made.append(move)
    return board, made


def random_record(boards: int, generator: random.Random) -> Record:
    """Return boards of random moves."""
    board, recorded = START, []
    for _ in range(boards):
        board, moves = walk(board, _MOVES, generator)
        recorded.append(RecordedBoard(tuple(map(str, moves))))
        board = turn(board)
    return Record(tuple(recorded))


def rows(entries: int, generator: random.Random) -> Iterator[tuple[Any, ...]]:
    """Yield made-up entries of 20 to 200 boards."""
    for number in range(entries):
        record = random_record(generator.choice([20, 20, 20, 50, 100, 200]), generator)
        at = _NOW - timedelta(days=700) * (1 - number / entries)
        counts = [_MOVES] * len(record.boards)
        positions = list(landmarks(paths_of(record)))
        yield (
            f"made-up-{number}",
            _FIRST_ID + number,
            counts,
            1,
            to_text(record),
            f"{number}",
            at,
            at,
            positions,
        )


def solved_boards(beam: Beam, generator: random.Random) -> list[list[str]]:
    """Return the moves of boards that the solver solves after six random moves on each."""
    board, boards = START, list[list[str]]()
    while len(boards) < MAX_BOARDS:
        begun, moves = walk(board, 6, generator)
        solutions = beam.solve(bytes(begun.cells), list(Face).index(begun.face), seed=1)
        if solutions:
            boards.append([move.force for move in moves] + [FORCE_NAMES[f] for f in solutions[0].forces])
            for force in boards[-1][6:]:
                begun, _ = push(begun, force)
            board = turn(begun)
    return boards


def detoured(generator: random.Random) -> list[list[str]]:
    """Return the moves of the record, after two on each board that lead to and fro."""
    board, boards = START, []
    for recorded in parse(_RECORD.read_text()).record.boards:
        forces = [move[0] for move in recorded.moves]
        there = generator.choice([m for m in pushes(board).values() if isinstance(m, Move) and m.lifted == 7])
        line = FORCES[there.force][::-1]
        boards.append([there.force, next(f for f in FORCES if FORCES[f] == line), *forces])
        for force in forces:
            board, _ = push(board, force)
        board = turn(board)
    return boards


async def new_player(database: Database, name: str) -> Identity:
    """Return a new player."""
    async with database.transaction() as session:
        account = Account(username=name, password_hash="none")
        session.add(account)
        await session.flush()
        return identity_of(account)


async def _submit(service: Entries, submitted: list[str], player: Identity, moves: list[list[str]]) -> None:
    verdict = await asyncio.to_thread(verify, from_moves(moves))
    assert verdict.valid
    submitted.append((await service.submit(player, verdict)).entry.id)


async def measure(name: str, rounds: Sequence[Callable[[], Awaitable[object]]]) -> None:
    """Print the median time of some calls, and of the processor in this process."""
    walls, cpus = [], []
    for call in rounds:
        wall, cpu = time.perf_counter(), time.process_time()
        await call()
        walls.append((time.perf_counter() - wall) * 1e3)
        cpus.append((time.process_time() - cpu) * 1e3)
    wall, cpu = statistics.median(walls), statistics.median(cpus)
    print(f"{name}: {wall:.0f} ms (at most {max(walls):.0f}), processor {cpu:.0f} ms", flush=True)


async def run(url: str, entries: int, rounds: int) -> None:
    """Fill the database, and measure."""
    database = await Database.open(url, pool_size=2)
    generator = random.Random(1)
    began = time.perf_counter()
    async with database.pool.acquire() as connection:
        accounts = ((_FIRST_ID + n, f"made-up-{n}", "none") for n in range(entries))
        await connection.copy_records_to_table(
            "accounts", records=accounts, columns=["id", "username", "password_hash"]
        )
        await connection.copy_records_to_table(
            "nugget_entries", records=rows(entries, generator), columns=_COLUMNS, timeout=3600
        )
        await connection.execute("VACUUM ANALYZE nugget_entries")
        sizes = await connection.fetchrow(_SIZES)
    assert sizes is not None
    size, index = (sizes[name] / entries / 1024 for name in ("all", "index"))
    seconds = time.perf_counter() - began
    print(f"{entries} entries in {seconds:.0f} s; {size:.1f} KB each, {index:.1f} of the index", flush=True)
    beam = Beam(30)
    service = Entries(database, MemoryBus(Hub()))
    for name, boards in (
        ("own boards", [solved_boards(beam, generator) for _ in range(rounds)]),
        ("the record with detours", [detoured(generator) for _ in range(rounds)]),
    ):
        players = [await new_player(database, f"{name[:3]}-{number}") for number in range(rounds)]
        submitted: list[str] = []
        submit = partial(_submit, service, submitted)
        await measure(
            f"submit {MAX_BOARDS} boards, {name}",
            [partial(submit, *p) for p in zip(players, boards, strict=True)],
        )
        views = [
            partial(service.get, *p) for p in zip(submitted, (player.id for player in players), strict=True)
        ]
        await measure("  and its page", views)
    began, count, after = time.perf_counter(), 0, None
    while count < _TO_TRACE and (traced := await retrace(database, after)):
        count, after = count + len(traced), traced[-1]
    print(f"traced {count} again: {(time.perf_counter() - began) / max(1, count) * 1e3:.0f} ms each")
    await database.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    url = Settings().own_database_url
    if url is None:
        raise SystemExit("Set GORRION_DATABASE_URL to an empty database.")
    upgrade(url)
    asyncio.run(run(url, arguments.entries, arguments.rounds))


if __name__ == "__main__":
    main()
