"""What this feature adds to the server."""

from app.core.feature import Feature
from app.play.notes import api, pages

FEATURE = Feature(api=(api.router,), pages=(pages.router,))
