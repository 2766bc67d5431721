"""The explorer of positions, and the statistics of players and of the site."""

import contextlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError, read
from app.core.errors import InvalidError, UnauthenticatedError
from app.core.i18n.text import _
from app.learn.statistics import queries
from app.learn.statistics.lines import RATED_ABOVE, lowest_band
from app.learn.statistics.tallies import EVERYBODY
from app.people.identity.names import player
from app.people.identity.service import Identity
from app.play.bots.fair_play import FairPlay
from engine import symmetry
from engine.game import Game

ALL, ME = "all", "me"
"""Sources of the explorer beside the names of players."""


@dataclass(frozen=True, slots=True)
class Source:
    """Whose games the explorer looks at: `all`, `me` or a username; and above which rating, if any."""

    of: str = ALL
    above: int | None = None


@dataclass(frozen=True, slots=True)
class ExploredMove:
    """What was played in a position: a move, its games, and how many of them each side won."""

    move: str
    games: int
    won: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Statistics:
    """What was counted on a board: counts and sums by measure and bucket; `boards` are all with games."""

    boards: Sequence[tuple[str, int, int]]
    counts: Mapping[str, Mapping[str, tuple[int, int]]]


class Archive:
    """What has been played on the server."""

    def __init__(self, database: Database, fair_play: FairPlay) -> None:
        self._database = database
        self._fair_play = fair_play

    async def explore(
        self,
        rules: Game[Any],
        position: Any,
        source: Source,
        viewer: Identity | None,
        account_ids: Collection[int],
    ) -> list[ExploredMove]:
        """Return what was played in a position, the most frequent move first.

        Raise UnauthenticatedError for the games of a visitor, NotFoundError for an unknown player,
        InvalidError `bad_rating`, ConflictError as `FairPlay.check` does for the accounts.
        """
        await self._fair_play.check(account_ids, rules, [position])
        if source.above not in (None, *RATED_ABOVE):
            ratings = ", ".join(map(str, RATED_ABOVE))
            raise InvalidError("bad_rating", _("Choose one of the ratings %(ratings)s.", ratings=ratings))
        fold = symmetry.fold(rules, position)
        async with self._database.reading() as session:
            if source.of == ALL:
                moves = await queries.played(session, fold.key, lowest_band(source.above))
            elif source.of == ME:
                if viewer is None:
                    raise UnauthenticatedError
                moves = await queries.played_by(session, fold.key, viewer.id)
            else:
                account = await player(session, source.of)
                moves = await queries.played_by(session, fold.key, account.id)
        explored = []
        for each in moves:
            with contextlib.suppress(UnreadableError):
                move = read("explored_moves", f"{fold.key},{each.move}", fold.unfolded, each.move)
                won = dict(zip(map(str, rules.sides), each.won, strict=True))
                explored.append(ExploredMove(move, each.games, won))
        return explored

    async def of_everybody(self, game: str | None, size: int | None) -> Statistics:
        """Return the statistics of the site on a board, by default the one that is played most."""
        async with self._database.reading() as session:
            return await _statistics(session, EVERYBODY, game, size)

    async def of_player(self, username: str, game: str | None, size: int | None) -> Statistics:
        """Return the statistics of a player on a board. Raise NotFoundError."""
        async with self._database.reading() as session:
            account = await player(session, username)
            return await _statistics(session, account.id, game, size)

    async def moves_on_boards(self) -> dict[int, dict[int, int]]:
        """Return for each board of Golden Nugget how many entries took how many moves on it."""
        async with self._database.reading() as session:
            return await queries.moves_on_boards(session)


async def _statistics(
    session: AsyncSession, account_id: int, game: str | None, size: int | None
) -> Statistics:
    boards = await queries.boards(session, account_id)
    fitting = [board for board in boards if game in (None, board[0]) and (size is None or size == board[1])]
    if not fitting:
        return Statistics(boards, {})
    chosen_game, chosen_size, _games = fitting[0]
    chosen = [board for board in boards if board == fitting[0]]
    others = [board for board in boards if board != fitting[0]]
    counts = await queries.tallies(session, account_id, chosen_game, chosen_size)
    return Statistics([*chosen, *others], counts)
