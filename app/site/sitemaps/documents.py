"""Sitemaps and their index as XML (sitemaps.org), with the languages of each page."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from html import escape

from app.core.i18n.languages import LANGUAGES
from app.core.web.addresses import PARAMETER

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'


@dataclass(frozen=True, slots=True)
class Listed:
    """A page by its path, and when it was changed last, if that is known."""

    path: str
    changed_at: datetime | None = None


def sitemap(pages: Iterable[Listed], site_url: str) -> str:
    """Return the sitemap of some pages."""
    return f"{_HEAD}<urlset {_NAMES}>\n{''.join(_page(page, site_url) for page in pages)}</urlset>\n"


def index(paths: Iterable[str], site_url: str) -> str:
    """Return the index of the sitemaps at some paths."""
    maps = "".join(f"<sitemap><loc>{site_url}{path}</loc></sitemap>\n" for path in paths)
    return f"{_HEAD}<sitemapindex {_NAMES}>\n{maps}</sitemapindex>\n"


def _page(page: Listed, site_url: str) -> str:
    url = escape(site_url + page.path)
    languages = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{url}?{PARAMETER}={code}"/>'
        for code in LANGUAGES
    )
    changed = f"<lastmod>{page.changed_at.isoformat(timespec='seconds')}</lastmod>" if page.changed_at else ""
    return f"<url><loc>{url}</loc>{changed}{languages}</url>\n"
