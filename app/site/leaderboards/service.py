"""Leaderboards read for pages and programs, each in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass

from cachetools import TTLCache
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.ranking import RankedPage
from app.core.database.session import Database
from app.play.ratings import leaderboard
from app.play.ratings import queries as ratings
from app.play.ratings.leaderboard import RankedRating, RatingPlace
from app.play.solitaire import scores
from app.play.solitaire.scores import RankedScore
from app.site.leaderboards import findings
from app.site.leaderboards.findings import Known
from engine.glicko2 import Rating
from engine.registry import SOLITAIRE

_BARS_KEPT = 60  # seconds; counting all ratings takes long, and the bars hardly change


@dataclass(frozen=True, slots=True)
class RatingBoard:
    """A page of a game's leaderboard, with one of the provisional ratings, and the distribution.

    `bars` are (lowest rating, players). `mine` is the viewer's rating and number of rated games, None
    without any; `place` is None while it is provisional.
    """

    page: RankedPage[RankedRating]
    provisional: RankedPage[RankedRating]
    bars: Sequence[tuple[int, int]]
    mine: tuple[Rating, int] | None
    place: RatingPlace | None

    @property
    def own_bar(self) -> int | None:
        """Return the index of the bar with the viewer's settled rating."""
        if self.mine is None or self.place is None or not self.bars:
            return None
        return int((self.mine[0].rating - self.bars[0][0]) // leaderboard.BIN)


class Leaderboards:
    """The leaderboards of the games for two and of the solitaires."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._bars: TTLCache[str, list[tuple[int, int]]] = TTLCache(maxsize=100, ttl=_BARS_KEPT)

    async def ratings(self, game: str, cursor: str, limit: int) -> RankedPage[RankedRating]:
        """Return a page of the settled ratings at a game. Raise InvalidError `bad_cursor`."""
        async with self._database.reading() as session:
            return await leaderboard.settled(game).page(session, cursor, limit)

    async def cursor_to_rating(self, game: str, account_id: int) -> str:
        """Return the cursor of the page of settled ratings with an account's, "" for the first page."""
        async with self._database.reading() as session:
            return await leaderboard.settled(game).cursor_to(session, account_id)

    async def cursor_to_score(self, game: str, size: int, account_id: int) -> str:
        """Return the cursor of the page of scores with an account's, "" for the first page."""
        async with self._database.reading() as session:
            return await scores.ranking(game, size).cursor_to(session, account_id)

    async def rating_board(
        self, game: str, cursor: str, newcomers: str, limit: int, viewer_id: int | None
    ) -> RatingBoard:
        """Return the leaderboard of a game as a viewer sees it.

        `newcomers` is the cursor of the page of provisional ratings.

        Raise InvalidError `bad_cursor`.
        """
        async with self._database.reading() as session:
            page = await leaderboard.settled(game).page(session, cursor, limit)
            provisional = await leaderboard.provisional(game).page(session, newcomers, limit)
            bars = await self._distribution(session, game)
            mine, place = None, None
            if viewer_id is not None:
                mine = (await ratings.of_account(session, viewer_id)).get(game)
                place = await leaderboard.place(session, game, viewer_id, mine[0]) if mine else None
        return RatingBoard(page, provisional, bars, mine, place)

    async def _distribution(self, session: AsyncSession, game: str) -> list[tuple[int, int]]:
        """Return the distribution of the settled ratings at a game, which may be a minute old."""
        bars = self._bars.get(game)
        if not bars:  # the first settled ratings are shown at once
            bars = self._bars[game] = await leaderboard.distribution(session, game)
        return bars

    async def scores(self, game: str, size: int, cursor: str, limit: int) -> RankedPage[RankedScore]:
        """Return a page of the best scores at a game and size. Raise InvalidError `bad_cursor`."""
        async with self._database.reading() as session:
            return await scores.ranking(game, size).page(session, cursor, limit)

    async def best_score(self, game: str, size: int, account_id: int) -> RankedScore | None:
        """Return an account's best score at a game and size, or None."""
        async with self._database.reading() as session:
            return await scores.ranking(game, size).row_of(session, account_id)

    async def known(self, game: str) -> list[Known]:
        """Return what is known of a solitaire, size by size."""
        largest = SOLITAIRE[game].options["size"].maximum
        async with self._database.reading() as session:
            leaders = await scores.leaders(session, game, largest)
        return findings.known(game, leaders)
