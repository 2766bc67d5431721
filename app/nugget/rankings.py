"""The rankings read for pages and programs, each in one transaction."""

from collections.abc import AsyncIterator, Mapping, Sequence

from app.core.database.ranking import RankedPage
from app.core.database.session import Database
from app.nugget import standings
from app.nugget.history import History, HistoryReader, holders
from app.nugget.standings import RankedEntry


class Rankings:
    """The rankings of all time, of this year and of the lengths of entries."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._history = HistoryReader()

    async def page(self, players: str, period: str, cursor: str, limit: int) -> RankedPage[RankedEntry]:
        """Return a page of a ranking. Raise InvalidError `no_such_ranking`, `bad_cursor`."""
        ranking = standings.ranking(standings.name_of(players, period))
        async with self._database.reading() as session:
            return await ranking.page(session, cursor, limit)

    def exported(self, players: str, period: str) -> AsyncIterator[tuple[RankedEntry, ...]]:
        """Return the first rows of a ranking in parts, which are read one after another.

        Raise InvalidError `no_such_ranking`.
        """
        return standings.in_parts(self._database, standings.ranking(standings.name_of(players, period)))

    async def cursor_to(self, players: str, period: str, account_id: int) -> str:
        """Return the cursor of the page with an account's row, "" for the first page.

        Raise InvalidError `no_such_ranking`.
        """
        ranking = standings.ranking(standings.name_of(players, period))
        async with self._database.reading() as session:
            return await ranking.cursor_to(session, account_id)

    async def row_of(self, players: str, period: str, account_id: int) -> RankedEntry | None:
        """Return an account's row of a ranking, or None. Raise InvalidError `no_such_ranking`."""
        ranking = standings.ranking(standings.name_of(players, period))
        async with self._database.reading() as session:
            return await ranking.row_of(session, account_id)

    async def top(self, count: int) -> tuple[RankedEntry, ...]:
        """Return the first rows of the ranking of all entries of all time."""
        async with self._database.reading() as session:
            return (await standings.ranking(standings.WORLD).page(session, "", count)).rows

    async def rank_of(self, counts: Sequence[int], *, assisted: bool = False) -> int:
        """Return the rank of all time that an entry with these moves on its boards has or would have."""
        async with self._database.reading_now() as session:
            return await standings.rank_of(session, counts, standings.world_of(assisted=assisted))

    async def history(self) -> tuple[History, Mapping[int, str | None]]:
        """Return the best mean over time, and the names of the record holders as `holders` does."""
        async with self._database.reading_now() as session:
            history = await self._history.read(session)
            return history, await holders(session, history)
