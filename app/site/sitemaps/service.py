"""The sitemaps of a site."""

from app.core.database.session import Database
from app.site.sitemaps import queries
from app.site.sitemaps.documents import Listed


class Sitemaps:
    """Reads what the sitemaps list."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def latest(self, kind: str) -> list[Listed]:
        """Return the latest pages of one of `queries.KINDS`."""
        async with self._database.reading() as session:
            return await queries.latest(session, kind)
