"""Fills an empty, migrated database with made-up accounts, games, ratings and entries, by COPY.

    python -m benchmarks.fill --data FOLDER --games 1000000 --moves 50000000

Without `--data`, the database is that of GORRION_DATABASE_URL. Moves are legal and lead to the stored
positions; the account `busiest` has as many games as `--busiest` says.
"""

import argparse
import asyncio
import random
import sys
import time
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import json

from app.core.database.session import Database
from app.core.ids import new_id
from app.nugget import standings
from benchmarks.serving import add_data_option, kept_database
from engine.golden_nugget.ranking import mean_of, tie_break
from engine.registry import GAMES

if TYPE_CHECKING:
    import asyncpg

    Connection = asyncpg.pool.PoolConnectionProxy[asyncpg.Record]

BUSIEST = "busiest"
_FIRST_ID = 1_000  # of the accounts
_GAME = "jadejack"
_OPTIONS = {"size": 9}
_TEMPLATES = 300  # different games, which are repeated
_NOW = datetime.now(UTC)
_SPAN = timedelta(days=700)  # in which everything happened
_MOVES_WITHOUT = """
ALTER TABLE moves DROP CONSTRAINT pk_moves;
ALTER TABLE moves DROP CONSTRAINT uq_moves_game_id_move_id;
"""
_MOVES_WITH = """
ALTER TABLE moves ADD CONSTRAINT pk_moves PRIMARY KEY (game_id, ply);
ALTER TABLE moves ADD CONSTRAINT uq_moves_game_id_move_id UNIQUE (game_id, move_id);
"""

# Reading them all into the statistics would take more than an hour, in which pages are slower.
_ARE_READ = """
UPDATE digested SET (ended_at, game_id) = (
    SELECT ended_at, id FROM games WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, id DESC LIMIT 1
)
"""


@dataclass(frozen=True)
class Sizes:
    """How much is made."""

    accounts: int
    games: int
    moves: int
    busiest: int
    under_way: int
    entries: int


class _Template(NamedTuple):
    position: str
    moves: list[str]


async def fill(database: Database, sizes: Sizes) -> None:
    """Fill the database, and report each table."""
    rng = random.Random(1)
    templates = _templates(rng, max(2, sizes.moves // sizes.games))
    lengths = [(new_id(), rng.randrange(_TEMPLATES)) for _ in range(sizes.games)]
    async with database.pool.acquire() as connection:
        # Foreign keys are right by construction; checking them takes most of the time.
        await connection.execute("SET session_replication_role = replica")
        await _copy(connection, "accounts", _ACCOUNTS, _accounts(sizes))
        await _copy(connection, "games", _GAMES, _games(rng, sizes, lengths, templates))
        await _copy(connection, "ratings", _RATINGS, _ratings(rng, sizes))
        await _copy(connection, "rating_changes", _CHANGES, _changes(rng, sizes, lengths))
        await connection.execute(_MOVES_WITHOUT, timeout=60)
        await _copy(connection, "moves", _MOVES, _moves(sizes, lengths, templates))
        await connection.execute(_MOVES_WITH, timeout=7200)
        await copy_entries(connection, sizes.entries, first_account=_FIRST_ID)
        await connection.execute("SET session_replication_role = origin")
        await connection.execute(
            "SELECT setval(pg_get_serial_sequence('accounts', 'id'), max(id)) FROM accounts"
        )
        await connection.execute(_ARE_READ)
        await connection.execute("VACUUM ANALYZE", timeout=7200)


async def copy_entries(connection: "Connection", entries: int, *, first_account: int) -> None:
    """Make entries of Golden Nugget, one for each account, with their rows in the ranking of all of them."""
    rng = random.Random(2)
    made = [(new_id(), _counts(rng)) for _ in range(entries)]
    await _copy(connection, "nugget_entries", _ENTRIES, (
        (name, account, counts, mean_of(counts).key, "", name, _moment(account - first_account, entries))
        for account, (name, counts) in enumerate(made, first_account)
    ))  # fmt: skip
    await _copy(connection, "nugget_standings", _STANDINGS, (
        (standings.WORLD, account, name, mean_of(counts).key, -len(counts), list(tie_break(counts)),
         _moment(account - first_account, entries))
        for account, (name, counts) in enumerate(made, first_account)
    ))  # fmt: skip


async def _copy(
    connection: "Connection", table: str, columns: list[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    started = time.monotonic()
    copied = await connection.copy_records_to_table(table, columns=columns, records=rows, timeout=7200)
    sys.stderr.write(f"{table}: {copied} in {time.monotonic() - started:.0f} s\n")


_ACCOUNTS = ["id", "username", "password_hash", "created_at"]
_GAMES = [
    "id", "game", "options", "status", "first_player", "second_player", "version", "ply", "position",
    "winner_seat", "termination", "rated", "ratings", "deviations", "rating_changes", "created_at",
    "updated_at", "ended_at",
]  # fmt: skip
_RATINGS = [
    "account_id", "game", "rating", "deviation", "volatility", "games", "opponents", "updated_at",
]  # fmt: skip
_CHANGES = ["game_id", "account_id", "game", "before", "after", "deviation", "changed_at"]
_MOVES = ["game_id", "ply", "move", "move_id", "played_at", "spent"]
_ENTRIES = ["id", "account_id", "counts", "mean_key", "record", "record_sha256", "submitted_at"]
_STANDINGS = [
    "ranking", "account_id", "entry_id", "mean_key", "fewer_boards", "last_boards", "submitted_at",
]  # fmt: skip


def _accounts(sizes: Sizes) -> Iterator[tuple[Any, ...]]:
    for number in range(sizes.accounts):
        name = f"made-up-{number}" if number else BUSIEST
        yield _FIRST_ID + number, name, "none", _moment(number, sizes.accounts)


def _templates(rng: random.Random, plies: int) -> list[_Template]:
    """Return games of about so many plies, played at random."""
    rules, made = GAMES[_GAME], []
    for _ in range(_TEMPLATES):
        position, moves = rules.initial(_OPTIONS), []
        for _ in range(rng.randint(plies // 2, plies + plies // 2)):
            if not (legal := rules.legal_moves(position)[:-1]):
                break
            moves.append(rng.choice(legal))
            position = rules.play(position, moves[-1])
        made.append(_Template(rules.format(position), moves))
    return made


def _players(rng: random.Random, sizes: Sizes, number: int) -> tuple[int, int]:
    first, second = rng.sample(range(_FIRST_ID + 1, _FIRST_ID + sizes.accounts), 2)
    over = sizes.games - sizes.under_way
    before, after = number * sizes.busiest // over, (number + 1) * sizes.busiest // over
    if number >= over or before == after:
        return first, second
    return (_FIRST_ID, second) if after % 2 else (first, _FIRST_ID)


def _games(
    rng: random.Random, sizes: Sizes, games: list[tuple[str, int]], templates: list[_Template]
) -> Iterator[tuple[Any, ...]]:
    options = json.encode(_OPTIONS).decode()
    for number, (game_id, kind) in enumerate(games):
        template, at = templates[kind], _moment(number, sizes.games)
        is_over = number < sizes.games - sizes.under_way
        ratings = [rng.gauss(1500, 250), rng.gauss(1500, 250)]
        end = (number % 2, "resign", True) if is_over else (None, None, True)
        yield (
            game_id, _GAME, options, "finished" if is_over else "started", *_players(rng, sizes, number),
            len(template.moves), len(template.moves), template.position, *end, ratings, [80.0, 80.0],
            [8.0, -8.0] if is_over else None, at, at, at if is_over else None,
        )  # fmt: skip


def _ratings(rng: random.Random, sizes: Sizes) -> Iterator[tuple[Any, ...]]:
    for number in range(sizes.accounts):
        games = rng.randint(1, 200)
        yield (
            _FIRST_ID + number, _GAME, rng.gauss(1500, 250), rng.uniform(45, 160), 0.06, games,
            min(games, rng.randint(1, 60)), _NOW - rng.random() * timedelta(days=60),
        )  # fmt: skip


def _changes(rng: random.Random, sizes: Sizes, games: list[tuple[str, int]]) -> Iterator[tuple[Any, ...]]:
    for number, (game_id, _) in enumerate(games[: sizes.games - sizes.under_way]):
        account = (
            _FIRST_ID if number < sizes.busiest else rng.randrange(_FIRST_ID, _FIRST_ID + sizes.accounts)
        )
        before = rng.gauss(1500, 250)
        yield game_id, account, _GAME, before, before + 8, 80.0, _moment(number, sizes.games)


def _moves(
    sizes: Sizes, games: list[tuple[str, int]], templates: list[_Template]
) -> Iterator[tuple[Any, ...]]:
    random_bits = random.Random(3).getrandbits
    for number, (game_id, kind) in enumerate(games):
        at = _moment(number, sizes.games)
        for ply, move in enumerate(templates[kind].moves, 1):
            yield game_id, ply, move, uuid.UUID(int=random_bits(128)), at, 3_000


def _counts(rng: random.Random) -> list[int]:
    return [rng.randint(30, 60) for _ in range(rng.choice([20, 20, 20, 50, 100]))]


def _moment(number: int, count: int) -> datetime:
    """Return the moment of the number-th of so many events."""
    return _NOW - _SPAN * (1 - number / count)


def main() -> None:
    """Read the sizes and fill the database."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--accounts", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--moves", type=int, default=50_000_000)
    parser.add_argument("--busiest", type=int, default=50_000, help="games of the busiest account")
    parser.add_argument("--under-way", type=int, default=10_000)
    parser.add_argument("--entries", type=int, default=1_000_000, help="entries of Golden Nugget")
    add_data_option(parser)
    arguments = vars(parser.parse_args())
    with kept_database(arguments.pop("data")) as url:
        asyncio.run(fill_at(url, Sizes(**arguments)))


async def fill_at(url: str, sizes: Sizes) -> None:
    """Fill the database at a URL."""
    async with Database.opened(url, pool_size=1) as database:
        await fill(database, sizes)


if __name__ == "__main__":
    main()
