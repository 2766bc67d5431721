"""What this feature adds to the server."""

from app.core.feature import Feature
from app.site.moderation import api, moderator_pages, pages

FEATURE = Feature(api=(api.router,), pages=(moderator_pages.router, pages.router))
