"""What this feature adds to the server."""

from app.compete.teams import api, pages
from app.core.feature import Feature

FEATURE = Feature(api=(api.router,), pages=(pages.router,))
