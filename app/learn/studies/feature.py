"""What this feature adds to the server."""

from app.core.feature import Feature
from app.learn.studies import api, live, pages

FEATURE = Feature(live=(live.router,), api=(api.router,), pages=(pages.router,))
