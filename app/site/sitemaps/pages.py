"""The sitemaps, and the index that robots.txt names."""

import asyncio

from starlette.responses import Response

from app.core.web.conditional import etag_of
from app.core.web.deps import Part, SiteUrl
from app.core.web.routes import Router
from app.learn.lessons.courses import COURSES
from app.people.identity.throttled import COMPUTING
from app.site.sitemaps.service import KINDS, ListedPage, Sitemaps, index, sitemap
from engine.puzzles.rules import RULES
from engine.registry import FOR_TWO, GAMES, SOLITAIRE

router = Router(include_in_schema=False)

_FIXED = (
    *("/", "/lobby", "/watch", "/solitaire", "/puzzles", "/learn", "/rules", "/rules/golden_nugget"),
    *("/analysis", "/explorer", "/records", "/statistics", "/statistics/golden_nugget", "/players", "/teams"),
    *("/pairing", "/studies", "/tournaments", "/calendar", "/seasons"),
    *("/nugget", "/nugget/competitions", "/nugget/records", "/nugget/records/changes", "/nugget/tree/start"),
    *("/nugget/commitments", "/nugget/witnessed", "/nugget/solver"),
    *("/nugget/daily", "/nugget/daily/calendar", "/leaderboards/golden_nugget"),
    *(f"/solitaire/daily/{game}{page}" for game in SOLITAIRE for page in ("", "/calendar")),
    *("/help", "/about", "/fair-play", "/privacy", "/terms", "/contact", "/api/docs", "/dumps"),
    *(f"/{kind}/{game}" for kind in ("leaderboards", "ladders") for game in FOR_TWO),
    *(f"/scores/{game}/{rules.options['size'].default}" for game, rules in SOLITAIRE.items()),
    *(f"/records/{game}" for game in SOLITAIRE),
    *(f"/rules/{game}" for game in GAMES),
    *(f"/learn/{game}" for game in COURSES),
    *(f"/puzzles/{game}" for game in RULES),
)


@router.get("/sitemap.xml")
async def sitemap_index(site_url: SiteUrl) -> Response:
    """Return the index of the sitemaps."""
    return _xml(index((f"/sitemaps/{name}.xml" for name in ("pages", *KINDS)), site_url))


@router.get("/sitemaps/pages.xml")
async def fixed_pages(site_url: SiteUrl) -> Response:
    """Return the pages that every site has."""
    return _xml(sitemap(map(ListedPage, _FIXED), site_url))


@router.get("/sitemaps/{kind:listed}.xml", dependencies=[COMPUTING])
async def latest_pages(kind: str, sitemaps: Part[Sitemaps], site_url: SiteUrl) -> Response:
    """Return the latest pages of a kind."""
    listed = await sitemaps.latest(kind)
    return _xml(await asyncio.to_thread(sitemap, listed, site_url))


def _xml(document: str) -> Response:
    content = document.encode()
    return Response(content, headers=etag_of(content), media_type="application/xml")
