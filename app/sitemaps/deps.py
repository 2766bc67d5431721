"""FastAPI dependencies of sitemaps, and the type of a path's parameter."""

from typing import Annotated

from app.sitemaps.queries import KINDS
from app.sitemaps.service import Sitemaps
from app.web.deps import part
from app.web.paths import register_choice

register_choice("listed", KINDS)

SitemapsDep = Annotated[Sitemaps, part("sitemaps")]
