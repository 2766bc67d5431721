"""Reading the games that are over, each once, into the tables of the explorer and of the statistics."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy.ext.asyncio import AsyncSession

from app.core import json
from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError, read
from app.learn.statistics.counting import FinishedGame, FoldedMove, TallyKey, band_of, explored, tally
from engine.registry import FOR_TWO

AT_ONCE = 50
"""How many games are read in one transaction."""

_PAUSE = 0.2  # seconds, so that moves hardly wait for many games at once
_LONG = 600.0  # seconds

# One process reads at a time. A game's end may be committed later than that of a game that ended after it, by
# as much as a transaction takes: therefore only what is older than that is read.
_LAST_AFTER_OTHERS = "SELECT ended_at, game_id FROM digested FOR UPDATE"
_LAST = f"{_LAST_AFTER_OTHERS} SKIP LOCKED"
# Options are read as text, since connections of sessions decode JSON.
_READ = """
SELECT g.id, g.ended_at, g.game, g.options::text, g.first_player, g.second_player, g.winner_seat, g.status,
       g.voided_at, g.rated, g.ratings, g.first_ply, m.moves, m.spent
FROM ({games}) g
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(move ORDER BY ply), '{{}}') AS moves,
           coalesce(array_agg(spent ORDER BY ply), '{{}}') AS spent
    FROM moves WHERE game_id = g.id
) m
ORDER BY g.ended_at, g.id
"""
_NEXT = _READ.format(
    games="""
    SELECT * FROM games
    WHERE (ended_at, id) > ($1, $2) AND ended_at < now() - interval '30 seconds'
    ORDER BY ended_at, id LIMIT $3
"""
)
_READ_BEFORE = _READ.format(games="SELECT * FROM games WHERE (ended_at, id) <= ($1, $2) AND id = ANY($3)")
_ADD_MOVES = """
INSERT INTO explored_moves AS known (position, move, band, games, first_won, second_won)
SELECT * FROM unnest($1::bigint[], $2::text[], $3::smallint[], $4::int[], $5::int[], $6::int[])
ON CONFLICT (position, move, band) DO UPDATE SET
    games = known.games + excluded.games,
    first_won = known.first_won + excluded.first_won,
    second_won = known.second_won + excluded.second_won
"""
_DROP_EMPTY_MOVES = "DELETE FROM explored_moves WHERE position = ANY($1::bigint[]) AND games <= 0"
_ADD_GAMES = """
INSERT INTO explored_games (game_id, positions, moves) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
"""
_DROP_GAMES = "DELETE FROM explored_games WHERE game_id = ANY($1)"
_ADD_TALLIES = """
INSERT INTO tallies AS known (account_id, game, size, measure, bucket, count, total)
SELECT * FROM unnest(
    $1::bigint[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[]
)
ON CONFLICT (account_id, game, size, measure, bucket) DO UPDATE SET
    count = known.count + excluded.count, total = known.total + excluded.total
"""
_DROP_EMPTY_TALLIES = "DELETE FROM tallies WHERE account_id = ANY($1::bigint[]) AND count <= 0"
_SET_LAST = "UPDATE digested SET ended_at = $1, game_id = $2"
_FORGET = """
TRUNCATE explored_moves, explored_games, tallies;
UPDATE digested SET ended_at = 'epoch', game_id = '';
"""
_FORGET_BOARDS = "DELETE FROM tallies WHERE account_id = 0 AND game = 'golden_nugget'"
# The moves on each board of the entries that everybody may see and that may be ranked, by its number.
_COUNT_BOARDS = """
INSERT INTO tallies (account_id, game, size, measure, bucket, count, total)
SELECT 0, 'golden_nugget', board, 'moves', moves::text, count(*), sum(moves)
FROM nugget_entries, unnest(counts) WITH ORDINALITY AS counted (moves, board)
WHERE withdrawn_at IS NULL AND NOT assisted AND NOT common AND account_id NOT IN (
    SELECT id FROM accounts WHERE closed_at IS NOT NULL AND NOT keeps_results
) AND NOT EXISTS (
    SELECT FROM nugget_competitions c
    WHERE c.id = competition_id AND c.visibility = 'sealed' AND c.ends_at > now()
)
GROUP BY board, moves
"""


class _Digested(NamedTuple):
    """A game, and what is counted of it."""

    game: FinishedGame
    line: Sequence[FoldedMove]
    tallies: Mapping[TallyKey, tuple[int, int]]


async def digest(database: Database, at_once: int = AT_ONCE) -> int:
    """Read the games that ended since the last ones. Return how many, 0 if there are none left."""
    async with database.pool.acquire() as connection, connection.transaction():
        last = await connection.fetchrow(_LAST)
        if last is None:
            return 0
        rows = await connection.fetch(_NEXT, last["ended_at"], last["game_id"], at_once)
        if rows:
            await _add(connection, [row for row in rows if _counts(row)])
            await connection.execute(_SET_LAST, rows[-1]["ended_at"], rows[-1]["id"])
    return len(rows)


async def digest_all(database: Database) -> None:
    """Read all games that are over, for the schedule."""
    counted = AT_ONCE
    while counted == AT_ONCE:
        counted = await digest(database)
        await asyncio.sleep(_PAUSE)


async def forget(database: Database) -> None:
    """Forget all that was read, so that it is read again."""
    async with database.pool.acquire() as connection, connection.transaction():
        await connection.execute(_FORGET, timeout=_LONG)


async def count_boards(database: Database) -> None:
    """Count the moves on the boards of the Golden Nugget entries, all of them again."""
    async with database.pool.acquire() as connection, connection.transaction():
        await connection.execute(_LAST_AFTER_OTHERS)
        await connection.execute(_FORGET_BOARDS)
        await connection.execute(_COUNT_BOARDS, timeout=_LONG)


async def pass_on(session: AsyncSession, game_ids: Sequence[str], guest_id: int, account_id: int) -> None:
    """Count for an account what was counted for a guest of games that the account will have.

    This waits for what is being counted, so the caller holds no games yet.
    """
    connection, digested = await _counted(session, game_ids)
    await _add_tallies(
        connection,
        (
            (key._replace(account_id=whose), sign * count, sign * total)
            for each in digested
            for key, (count, total) in each.tallies.items()
            for whose, sign in ((account_id, 1), (guest_id, -1))
            if key.account_id == guest_id
        ),
    )
    await connection.execute(_DROP_EMPTY_TALLIES, [guest_id])


async def take_back(session: AsyncSession, game_id: str) -> None:
    """Count a game no more, which the caller is about to void: then it is read differently.

    This waits for what is being counted, so the caller holds no games yet.
    """
    connection, digested = await _counted(session, [game_id])
    await _add_counts(connection, digested, -1)
    await connection.execute(_DROP_GAMES, [game_id])
    positions = {move.position for each in digested for move in each.line}
    await connection.execute(_DROP_EMPTY_MOVES, list(positions))
    account_ids = {key.account_id for each in digested for key in each.tallies}
    await connection.execute(_DROP_EMPTY_TALLIES, list(account_ids))


async def _counted(session: AsyncSession, game_ids: Sequence[str]) -> tuple[Any, list[_Digested]]:
    """Return the connection of a session, and what was counted of those of some games that have been read.

    Nothing else is read until the transaction ends.
    """
    raw = await (await session.connection()).get_raw_connection()
    connection: Any = raw.driver_connection
    last = await connection.fetchrow(_LAST_AFTER_OTHERS)
    rows = await connection.fetch(_READ_BEFORE, last["ended_at"], last["game_id"], game_ids)
    return connection, await asyncio.to_thread(_digested, [row for row in rows if _counts(row)])


async def _add(connection: Any, rows: Sequence[Any]) -> None:
    digested = await asyncio.to_thread(_digested, rows)
    await _add_counts(connection, digested, 1)
    stored = [
        (game.id, [each.position for each in line], " ".join(each.move for each in line))
        for game, line, _tallies in digested
    ]
    await connection.executemany(_ADD_GAMES, stored)


async def _add_counts(connection: Any, digested: Sequence[_Digested], sign: int) -> None:
    """Add what is counted of games, or take it away if `sign` is -1."""
    await _add_moves(connection, digested, sign)
    await _add_tallies(
        connection,
        (
            (key, sign * count, sign * total)
            for each in digested
            for key, (count, total) in each.tallies.items()
        ),
    )


async def _add_tallies(connection: Any, counted: Iterable[tuple[TallyKey, int, int]]) -> None:
    counts: Counter[TallyKey] = Counter()
    totals: Counter[TallyKey] = Counter()
    for key, count, total in counted:
        counts[key] += count
        totals[key] += total
    tallies = sorted((*key, count, totals[key]) for key, count in counts.items())
    if tallies:
        await connection.execute(_ADD_TALLIES, *map(list, zip(*tallies, strict=True)))


def _digested(rows: Sequence[Any]) -> list[_Digested]:
    """Return what is counted of games, without those that cannot be read."""
    digested = []
    for row in rows:
        with contextlib.suppress(UnreadableError):
            digested.append(read("games", row["id"], _digest_of, row))
    return digested


def _digest_of(row: Any) -> _Digested:
    game = _game(row)
    return _Digested(game, list(explored(game)), tally(game))


async def _add_moves(connection: Any, digested: Sequence[_Digested], sign: int) -> None:
    played: Counter[tuple[FoldedMove, int]] = Counter()
    won: tuple[Counter[tuple[FoldedMove, int]], ...] = (Counter(), Counter())
    for game, line, _tallies in digested:
        for each in set(line):
            played[each, band_of(game.rating)] += sign
            if game.winner is not None:
                won[game.winner][each, band_of(game.rating)] += sign
    rows = sorted(
        (*each, band, count, won[0][each, band], won[1][each, band]) for (each, band), count in played.items()
    )
    if rows:
        await connection.execute(_ADD_MOVES, *map(list, zip(*rows, strict=True)))


def _counts(row: Any) -> bool:
    has_result = row["status"] == "finished" and row["voided_at"] is None
    return has_result and row["second_player"] is not None and row["game"] in FOR_TWO


def _game(row: Any) -> FinishedGame:
    ratings = row["ratings"]
    if not 0 <= row["first_ply"] <= len(row["moves"]):
        raise ValueError(f"The game began at ply {row['first_ply']} of {len(row['moves'])}.")
    return FinishedGame(
        id=row["id"],
        ended_at=row["ended_at"],
        game=row["game"],
        options=json.decode(row["options"]),
        accounts=(row["first_player"], row["second_player"]),
        winner=row["winner_seat"],
        rating=sum(ratings) / 2 if row["rated"] and len(ratings) == 2 else None,
        first_ply=row["first_ply"],
        moves=row["moves"],
        spent=row["spent"],
    )
