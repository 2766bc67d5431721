"""What this feature adds to the server."""

from app.core.feature import Feature
from app.site.home import pages

FEATURE = Feature(pages=(pages.router,))
