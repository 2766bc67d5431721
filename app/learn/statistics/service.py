"""The statistics of players and of the site."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.learn.statistics.counting import EVERYBODY
from app.learn.statistics.models import Tally
from app.people.identity.names import player
from app.play.ratings import speeds
from app.play.ratings.speeds import BySpeed

Counts = Mapping[str, tuple[int, int]]
"""Counts and sums by bucket."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What was counted on a board, by measure; `boards` are all with games, with the number of these.

    `ratings` has those of a player by speed, on all boards.
    """

    boards: Sequence[tuple[str, int, int]]
    counts: Mapping[str, Counts]
    ratings: BySpeed


class Archive:
    """What has been counted of finished games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def statistics(self, username: str | None, game: str | None, size: int | None) -> Statistics:
        """Return the statistics of a player on a board, by default the one played most.

        None is everybody. Raise NotFoundError for an unknown player.
        """
        async with self._database.reading() as session:
            account_id = EVERYBODY if username is None else (await player(session, username)).id
            boards = await _boards(session, account_id)
            fitting = [each for each in boards if game in (None, each[0]) and size in (None, each[1])]
            if not fitting:
                return Statistics(boards, {}, {})
            first = fitting[0]
            others = [board for board in boards if board != first]
            counts = await _tallies(session, account_id, *first[:2])
            ratings = await speeds.of_account(session, account_id) if username else {}
            return Statistics([first, *others], counts, ratings.get(first[0], {}))

    async def moves_on_boards(self) -> dict[int, dict[int, int]]:
        """Return for each board of Golden Nugget how many entries took how many moves on it."""
        query = select(Tally.size, Tally.bucket, Tally.count).where(
            Tally.account_id == EVERYBODY, Tally.game == "golden_nugget"
        )
        by_board: dict[int, dict[int, int]] = {}
        async with self._database.reading() as session:
            for board, moves, count in await session.execute(query):
                by_board.setdefault(board, {})[int(moves)] = count
        return by_board


async def _boards(session: AsyncSession, account_id: int) -> list[tuple[str, int, int]]:
    """Return the games and sizes that an account has finished, with how many, the most frequent first."""
    count = func.sum(Tally.count)
    query = (
        select(Tally.game, Tally.size, count)
        .where(Tally.account_id == account_id, Tally.measure == "length")
        .group_by(Tally.game, Tally.size)
        .order_by(count.desc())
    )
    return [(game, size, games) for game, size, games in (await session.execute(query))]


async def _tallies(session: AsyncSession, account_id: int, game: str, size: int) -> dict[str, Counts]:
    """Return counts and sums by measure and bucket."""
    query = select(Tally.measure, Tally.bucket, Tally.count, Tally.total).where(
        Tally.account_id == account_id, Tally.game == game, Tally.size == size
    )
    by_measure: dict[str, dict[str, tuple[int, int]]] = {}
    for measure, bucket, count, total in await session.execute(query):
        by_measure.setdefault(measure, {})[bucket] = (count, total)
    return dict(by_measure)
