"""Leaderboards read for pages and programs, each in one transaction."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeVar, get_args

from cachetools import TTLCache
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database import marks
from app.core.database.rank_order import RankedPage
from app.core.database.ranking import Ranking
from app.core.database.session import Database
from app.nugget import standings
from app.nugget.daily.service import Daily
from app.people.identity.ranked import Players
from app.play.days.days import A_DAY, Days, today
from app.play.ratings import leaderboard, speeds
from app.play.ratings import queries as ratings
from app.play.ratings.counting import PlayersRating
from app.play.ratings.leaderboard import RankedRating, RatingPlace
from app.play.solitaire import scores
from app.play.solo_days.service import of_game
from app.site.leaderboards import findings
from app.site.leaderboards.findings import Known
from engine.registry import FOR_TWO, SOLITAIRE
from engine.speed import Speed

T = TypeVar("T")

_BARS_KEPT = 60  # seconds; counting all ratings takes long, and the bars hardly change


@dataclass(frozen=True, slots=True)
class RatingBoard:
    """A page of a game's leaderboard, with one of the provisional ratings, and the distribution.

    `trends` are the changes of the ratings on it in the last 30 days, by the accounts; none of those at a
    speed. `bars` are (lowest rating, players). `mine` is the viewer's rating, None without any. `place` is
    None while it is provisional.
    """

    page: RankedPage[RankedRating]
    provisional: RankedPage[RankedRating]
    trends: Mapping[int, float]
    bars: Sequence[tuple[int, int]]
    mine: PlayersRating | None
    place: RatingPlace | None

    @property
    def own_bar(self) -> int | None:
        """Return the index of the bar with the viewer's settled rating."""
        if self.mine is None or self.place is None or not self.bars:
            return None
        return int((self.mine.rating - self.bars[0][0]) // leaderboard.BIN)


class Leaderboards:
    """The leaderboards of the games for two and of the solitaires."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._bars: TTLCache[tuple[str, Speed | None], list[tuple[int, int]]] = TTLCache(
            maxsize=100, ttl=_BARS_KEPT
        )

    async def page(self, ranking: Ranking[T], cursor: str, limit: int) -> RankedPage[T]:
        """Return a page of a ranking. Raise InvalidError `bad_cursor`."""
        async with self._database.reading() as session:
            return await ranking.page(session, cursor, limit)

    async def cursor_to(self, ranking: Ranking[Any], account_id: int) -> str:
        """Return the cursor of the page of a ranking with an account's row, "" for the first page."""
        async with self._database.reading() as session:
            return await ranking.cursor_to(session, account_id)

    async def row_of(self, ranking: Ranking[T], account_id: int) -> T | None:
        """Return an account's row of a ranking, or None."""
        async with self._database.reading() as session:
            return await ranking.row_of(session, account_id)

    async def rating_board(
        self,
        game: str,
        speed: Speed | None,
        players: Players,
        cursor: str,
        newcomers: str,
        limit: int,
        viewer_id: int | None,
    ) -> RatingBoard:
        """Return the leaderboard of some players at a game, or at a speed of it, as a viewer sees it.

        `newcomers` is the cursor of the page of provisional ratings.

        Raise InvalidError `bad_cursor`.
        """
        async with self._database.reading() as session:
            page = await leaderboard.settled(game, players, speed).page(session, cursor, limit)
            provisional = await leaderboard.provisional(game, players, speed).page(session, newcomers, limit)
            shown = [row.account_id for row in (*page.rows, *provisional.rows)]
            trends = await leaderboard.trends(session, game, shown) if speed is None else {}
            bars = await self._distribution(session, game, speed)
            mine, place = None, None
            if viewer_id is not None:
                mine = await _rating_of(session, viewer_id, game, speed)
            if viewer_id is not None and mine is not None:
                key = game, speed
                place = (await leaderboard.places(session, viewer_id, {key: mine}, players)).get(key)
        return RatingBoard(page, provisional, trends, bars, mine, place)

    async def _distribution(
        self, session: AsyncSession, game: str, speed: Speed | None
    ) -> list[tuple[int, int]]:
        """Return the distribution of the settled ratings at a game, which may be a minute old."""
        bars = self._bars.get((game, speed))
        if not bars:  # the first settled ratings are shown at once
            bars = self._bars[game, speed] = await leaderboard.distribution(session, game, speed)
        return bars

    async def known(self, game: str) -> list[Known]:
        """Return what is known of a solitaire, size by size."""
        largest = SOLITAIRE[game].options["size"].maximum
        async with self._database.reading() as session:
            leaders = await scores.leaders(session, game, largest)
        return findings.known(game, leaders)


async def _rating_of(
    session: AsyncSession, account_id: int, game: str, speed: Speed | None
) -> PlayersRating | None:
    if speed is None:
        return (await ratings.of_account(session, account_id)).get(game)
    return (await speeds.of_account(session, account_id)).get(game, {}).get(speed)


async def mark_rankings(database: Database) -> None:
    """Replace the marks of all rankings that grow, one after the other, and delete those of all others."""
    rankings = list(_rankings(database))
    for ranking in rankings:
        async with database.transaction() as session:
            await ranking.set_marks(session)
    async with database.transaction() as session:
        await marks.delete_others(session, [ranking.name for ranking in rankings])


def _rankings(database: Database) -> Iterator[Ranking[Any]]:
    for game, among, speed in product(FOR_TWO, get_args(Players), (None, *Speed)):
        yield leaderboard.settled(game, among, speed)
    for game, rules in SOLITAIRE.items():
        size = rules.options["size"]
        for each, among in product(range(size.minimum, size.maximum + 1), get_args(Players)):
            yield scores.ranking(game, each, among)
    for players, period in product(standings.PLAYERS, standings.periods()):
        yield standings.ranking(standings.name_of(players, period))
    of_days: list[Days[Any, Any]] = [Daily(database).days]
    of_days += [of_game(database, game) for game in SOLITAIRE]
    for days, day in product(of_days, (today(), today() - A_DAY)):
        yield days.ranking_of(day)
