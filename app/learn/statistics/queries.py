"""Reading what has been played."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.learn.statistics.models import ExploredMove, Tally
from app.learn.statistics.tallies import EVERYBODY

MOST_GAMES = 2_000
"""How many games of a player the explorer looks at, the latest."""

# The latest games of a player by the indexes of both seats; then what was played there in the position.
_OF_PLAYER = text("""
WITH latest AS (
    SELECT id, winner_seat FROM (
        (SELECT id, winner_seat, ended_at FROM games
         WHERE first_player = :account AND ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT :most)
        UNION ALL
        (SELECT id, winner_seat, ended_at FROM games
         WHERE second_player = :account AND ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT :most)
    ) either ORDER BY ended_at DESC LIMIT :most
)
SELECT split_part(moves, ' ', array_position(positions, :position)) AS move, count(*) AS games,
       count(*) FILTER (WHERE winner_seat = 0) AS first_won,
       count(*) FILTER (WHERE winner_seat = 1) AS second_won
FROM latest JOIN explored_games ON game_id = id
WHERE :position = ANY(positions)
GROUP BY 1 ORDER BY 2 DESC, 1
""")


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move as in a position's fold, the number of its games, and how many of them each side won."""

    move: str
    games: int
    won: tuple[int, int]


async def played(session: AsyncSession, position: int, lowest_band: int) -> list[PlayedMove]:
    """Return what was played in a position in all games from a band on, the most frequent move first."""
    games = func.sum(ExploredMove.games)
    query = (
        select(
            ExploredMove.move,
            games,
            func.sum(ExploredMove.first_won),
            func.sum(ExploredMove.second_won),
        )
        .where(ExploredMove.position == position, ExploredMove.band >= lowest_band)
        .group_by(ExploredMove.move)
        .order_by(games.desc(), ExploredMove.move)
    )
    rows = await session.execute(query)
    return [PlayedMove(move, count, (first, second)) for move, count, first, second in rows]


async def played_by(session: AsyncSession, position: int, account_id: int) -> list[PlayedMove]:
    """Return what was played in a position in the latest games of an account, by either side."""
    values = {"account": account_id, "position": position, "most": MOST_GAMES}
    rows = await session.execute(_OF_PLAYER, values)
    return [PlayedMove(move, count, (first, second)) for move, count, first, second in rows]


async def boards(session: AsyncSession, account_id: int) -> list[tuple[str, int, int]]:
    """Return the games and sizes that an account has finished, with how many, the most frequent first."""
    count = func.sum(Tally.count)
    query = (
        select(Tally.game, Tally.size, count)
        .where(Tally.account_id == account_id, Tally.measure == "length")
        .group_by(Tally.game, Tally.size)
        .order_by(count.desc())
    )
    return [(game, size, games) for game, size, games in (await session.execute(query))]


async def tallies(
    session: AsyncSession, account_id: int, game: str, size: int
) -> Mapping[str, Mapping[str, tuple[int, int]]]:
    """Return counts and sums by measure and bucket."""
    query = select(Tally.measure, Tally.bucket, Tally.count, Tally.total).where(
        Tally.account_id == account_id, Tally.game == game, Tally.size == size
    )
    by_measure: dict[str, dict[str, tuple[int, int]]] = {}
    for measure, bucket, count, total in await session.execute(query):
        by_measure.setdefault(measure, {})[bucket] = (count, total)
    return by_measure


async def moves_on_boards(session: AsyncSession) -> dict[int, dict[int, int]]:
    """Return for each board of Golden Nugget how many entries took how many moves on it."""
    query = select(Tally.size, Tally.bucket, Tally.count).where(
        Tally.account_id == EVERYBODY, Tally.game == "golden_nugget"
    )
    by_board: dict[int, dict[int, int]] = {}
    for board, moves, count in await session.execute(query):
        by_board.setdefault(board, {})[int(moves)] = count
    return by_board
