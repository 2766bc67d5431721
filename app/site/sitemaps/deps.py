"""FastAPI dependencies of sitemaps, and the type of a path's parameter."""

from typing import Annotated

from app.core.web.deps import part
from app.core.web.paths import register_choice
from app.site.sitemaps.queries import KINDS
from app.site.sitemaps.service import Sitemaps

register_choice("listed", KINDS)

SitemapsDep = Annotated[Sitemaps, part("sitemaps")]
