"""What this feature adds to the server."""

from app.core.feature import Feature
from app.site.players import api, pages, profile_pages

FEATURE = Feature(api=(api.router,), pages=(pages.router, profile_pages.router))
