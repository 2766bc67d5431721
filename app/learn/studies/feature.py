"""What this feature adds to the server."""

from app.core.feature import Feature
from app.learn.studies import analysis_pages, api, live, pages

FEATURE = Feature(live=(live.router,), api=(api.router,), pages=(analysis_pages.router, pages.router))
