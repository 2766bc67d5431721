"""Tournaments: the time that a look at one takes, and whole tournaments while a server is killed.

`--players` take part in an arena and in a Swiss tournament of which a sixtieth of the games ends before each
look; prints how long the looks take, and the processor's time of this process, which conducts them.
`--minutes` plays an arena and a Swiss tournament of programs on two servers of which one is killed and
restarted, and compares every pairing and the standings with the games.
"""

import argparse
import asyncio
import statistics
import time
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.compete.tournaments.conduct import conduct
from app.compete.tournaments.events import TournamentPaired
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

_SHARE = 60  # one of so many games ends before each look, as games take a minute or so
_ARENA = TournamentPlan(minutes=60)


class Look(NamedTuple):
    """The seconds that a look at a tournament took, those of the processor, and how many games it started."""

    seconds: float
    cpu: float
    games: int


async def looks(url: str, kind: str, plan: TournamentPlan, players: int, count: int) -> list[Look]:
    """Return so many looks at a tournament, the first of which starts it."""
    database, found = await Database.open(url, pool_size=2), []
    async with database.transaction() as session:
        tournament_id, _accounts = await make_tournament(session, players, kind=kind, plan=plan)
    for number in range(count):
        began, used = time.perf_counter(), time.process_time()
        async with database.transaction() as session:
            events = await conduct(session, tournament_id, utc_now() + timedelta(seconds=number)) or []
        games = sum(isinstance(event, TournamentPaired) for event in events)
        found.append(Look(time.perf_counter() - began, time.process_time() - used, games))
        await _end_games(database, number % _SHARE)
    await database.close()
    return found


async def make_tournament(
    session: AsyncSession,
    players: int,
    starts_in: timedelta = timedelta(),
    *,
    kind: str = "arena",
    plan: TournamentPlan = _ARENA,
) -> tuple[str, list[int]]:
    """Return the id of a new tournament, and the accounts of its players."""
    tournament_id = new_id()
    added = (
        "INSERT INTO accounts (username) SELECT :id || '-' || n FROM generate_series(1, :n) n RETURNING id"
    )
    accounts = list(await session.scalars(text(added), {"n": players, "id": tournament_id}))
    session.add(
        Tournament(
            id=tournament_id,
            kind=kind,
            name="A tournament",
            game="jadejack",
            options={"size": 8},
            time_control={"kind": "realtime", "limit": 180, "increment": 2},
            rated=False,
            plan=asdict(plan),
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


def report(kind: str, players: int, found: list[Look]) -> None:
    """Print how long the looks took, those that began a round or paired many apart."""
    pairing, others = (
        [each for each in found if each.games > players / 4],
        [each for each in found if each.games <= players / 4],
    )
    print(f"{kind}, {players} players:", end=" ")
    print(
        f"pairing {', '.join(f'{each.seconds:.2f} s ({each.cpu:.2f} s of CPU)' for each in pairing)};",
        end=" ",
    )
    print(f"other looks {percentiles([each.seconds for each in others])},", end=" ")
    print(f"{1000 * statistics.median(each.cpu for each in others):.0f} ms of CPU")


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
    parser.add_argument(
        "--players", type=int, default=1_000, help="in each tournament whose looks are measured"
    )
    parser.add_argument("--looks", type=int, default=100, help="at the arena")
    parser.add_argument("--minutes", type=float, default=0, help="of the arena of programs; 0: none")
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--entrants", type=int, default=64, help="of the Swiss tournament of programs")
    parser.add_argument("--rounds", type=int, default=6, help="of the Swiss tournaments")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        postgres = EmbeddedPostgres(Path(folder) / "data")
        url = postgres.start()
        try:
            upgrade(url)
            swiss = TournamentPlan(rounds=options.rounds, pause=0)
            for kind, plan, count in (
                ("arena", _ARENA, options.looks),
                ("swiss", swiss, options.rounds * (_SHARE + 2)),
            ):
                report(kind, options.players, asyncio.run(looks(url, kind, plan, options.players, count)))
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
