"""Sitemaps and their index as XML (sitemaps.org): the latest pages of each kind that are for everybody."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Any
from urllib.parse import quote

from sqlalchemy import Select, func, null, select

from app.compete.teams.models import Team
from app.compete.tournaments.models import Tournament
from app.core.database.session import Database
from app.core.i18n.languages import LANGUAGES
from app.core.web.addresses import PARAMETER
from app.core.web.paths import register_choice
from app.learn.studies.models import StudyRow
from app.learn.studies.queries import is_public
from app.nugget.models import Competition
from app.people.identity.models import Account
from app.play.games.models import Game

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'

_MOST = 5_000
"""Pages of a sitemap, which may have 50,000 addresses and 50 MB. Search engines find older ones by links."""

_tournament_changed_at = func.coalesce(Tournament.ended_at, Tournament.started_at)
_QUERIES: Mapping[str, Select[str, Any]] = {
    "/games/": select(Game.id, Game.ended_at)
    .where(Game.ended_at.is_not(None), Game.second_player.is_not(None), Game.status == "finished")
    .order_by(Game.ended_at.desc()),
    "/nugget/competitions/": select(Competition.id, null())
    .where(Competition.cancelled_at.is_(None))
    .order_by(Competition.starts_at.desc()),
    "/players/": select(Account.username, null())
    .where(Account.password_hash.is_not(None), Account.closed_at.is_(None))
    .order_by(Account.id.desc()),
    "/studies/": select(StudyRow.id, StudyRow.updated_at)
    .where(is_public(), StudyRow.game_id.is_(None))
    .order_by(StudyRow.updated_at.desc()),
    "/teams/": select(Team.id, null()).where(Team.closed_at.is_(None)).order_by(Team.size.desc(), Team.id),
    "/tournaments/": select(Tournament.id, _tournament_changed_at)
    .where(Tournament.status != "cancelled")
    .order_by(Tournament.created_at.desc()),
}

KINDS = {path.strip("/").rpartition("/")[2]: path for path in _QUERIES}
"""The start of the paths of a kind of pages, by the name of the kind."""

register_choice("listed", KINDS)


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page by its path, and when it was changed last, if that is known."""

    path: str
    changed_at: datetime | None = None


def sitemap(pages: Iterable[ListedPage], site_url: str) -> str:
    """Return the sitemap of some pages."""
    return f"{_HEAD}<urlset {_NAMES}>\n{''.join(_page(page, site_url) for page in pages)}</urlset>\n"


def index(paths: Iterable[str], site_url: str) -> str:
    """Return the index of the sitemaps at some paths."""
    maps = "".join(f"<sitemap><loc>{site_url}{path}</loc></sitemap>\n" for path in paths)
    return f"{_HEAD}<sitemapindex {_NAMES}>\n{maps}</sitemapindex>\n"


def _page(page: ListedPage, site_url: str) -> str:
    url = escape(site_url + page.path)
    languages = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{url}?{PARAMETER}={code}"/>'
        for code in LANGUAGES
    )
    changed = f"<lastmod>{page.changed_at.isoformat(timespec='seconds')}</lastmod>" if page.changed_at else ""
    return f"<url><loc>{url}</loc>{changed}{languages}</url>\n"


class Sitemaps:
    """Reads what the sitemaps list."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def latest(self, kind: str) -> list[ListedPage]:
        """Return the latest pages of one of the KINDS."""
        start = KINDS[kind]
        async with self._database.reading() as session:
            rows = await session.execute(_QUERIES[start].limit(_MOST))
        return [ListedPage(start + quote(name), changed_at) for name, changed_at in rows.all()]
