"""What this feature adds to the server."""

from app.core.feature import Feature
from app.site.players import api, pages

FEATURE = Feature(api=(api.router,), pages=(pages.router,))
