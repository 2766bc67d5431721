"""Tournaments: the time that a wave of an arena takes, and whole tournaments while a server is killed.

`--players` wait in an arena of which each second a share of the games ends; prints how long its looks take.
`--minutes` plays an arena and a Swiss tournament of programs on two servers of which one is killed and
restarted, and compares every pairing and the standings with the games.
"""

import argparse
import asyncio
import random
import time
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.tournaments.conduct import conduct
from app.compete.tournaments.models import Tournament, TournamentPlayer
from app.compete.tournaments.terms import TournamentPlan
from app.core.database.embedded import EmbeddedPostgres
from app.core.database.migrate import upgrade
from app.core.database.session import Database
from app.core.ids import new_id
from app.core.moments import utc_now
from benchmarks.players import percentiles
from tests.faults.cluster import Web
from tests.faults.tournaments import Tournament as Played
from tests.faults.tournaments import play_under_faults

_SHARE = 60  # one of so many games ends in each look, as games take a minute or so


async def waves(url: str, players: int, looks: int) -> tuple[float, list[float]]:
    """Return the seconds of the first wave, in which everybody waits, and of each later look."""
    database = await Database.open(url, pool_size=2)
    async with database.transaction() as session:
        tournament_id, _accounts = await make_arena(session, players)
    took = []
    for look in range(looks + 1):
        started = time.perf_counter()
        async with database.transaction() as session:
            await conduct(session, tournament_id, utc_now() + timedelta(seconds=look))
        took.append(time.perf_counter() - started)
        await _end_games(database, random.randrange(_SHARE))
    await database.close()
    return took[0], took[1:]


async def make_arena(
    session: AsyncSession, players: int, starts_in: timedelta = timedelta()
) -> tuple[str, list[int]]:
    """Return the id of a new arena, and the accounts of its players."""
    tournament_id = new_id()
    added = "INSERT INTO accounts (username) SELECT 'wave-' || n FROM generate_series(1, :n) n RETURNING id"
    accounts = list(await session.scalars(text(added), {"n": players}))
    session.add(
        Tournament(
            id=tournament_id,
            kind="arena",
            name="A wave",
            game="jadejack",
            options={"size": 8},
            time_control={"kind": "realtime", "limit": 180, "increment": 2},
            rated=False,
            plan=asdict(TournamentPlan(minutes=60)),
            starts_at=utc_now() + starts_in,
            due_at=utc_now() + starts_in,
            max_players=players,
            size=players,
        )
    )
    await session.flush()
    session.add_all(
        TournamentPlayer(tournament_id=tournament_id, account_id=account_id, rating=1500)
        for account_id in accounts
    )
    return tournament_id, accounts


async def _end_games(database: Database, share: int) -> None:
    async with database.transaction() as session:
        await session.execute(
            text(
                "UPDATE games SET status = 'finished', termination = 'resign', winner_seat = ascii(id) % 2, "
                "ended_at = now() WHERE status = 'started' AND abs(hashtext(id)) % :share = :which"
            ),
            {"share": _SHARE, "which": share},
        )


def whole(url: str, folder: Path, programs: int, entrants: int, rounds: int, seconds: float) -> None:
    """Play whole tournaments on two servers of which one is killed again and again, and check them."""
    servers = [Web(url, folder / f"log-{number}", bus="postgres") for number in range(2)]
    try:
        for server in servers:
            server.start()

        def kill() -> None:
            servers[0].kill()
            servers[0].start()

        arena = Played(url, servers, "arena", programs, minutes=60)
        swiss = Played(url, servers, "swiss", entrants, rounds=rounds)
        play_under_faults([arena, swiss], seconds, kill, kill_every=60)
        print(f"arena: {arena.check()} games, each paired once; the standings follow from the games")
        print(f"Swiss: {swiss.check()} games, each paired once; the standings follow from the games")
    finally:
        for server in servers:
            server.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=1_000, help="in the arena whose waves are measured")
    parser.add_argument("--looks", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=0, help="of the arena of programs; 0: none")
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--entrants", type=int, default=64, help="of the Swiss tournament")
    parser.add_argument("--rounds", type=int, default=6)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        postgres = EmbeddedPostgres(Path(folder) / "data")
        url = postgres.start()
        try:
            upgrade(url)
            first, later = asyncio.run(waves(url, options.players, options.looks))
            print(f"{options.players} players: the first wave {first * 1000:.0f} ms, later looks", end=" ")
            print(percentiles(later))
            if options.minutes:
                whole(
                    url,
                    Path(folder),
                    options.programs,
                    options.entrants,
                    options.rounds,
                    options.minutes * 60,
                )
        finally:
            postgres.stop()


if __name__ == "__main__":
    main()
