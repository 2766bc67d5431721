"""Golden Nugget as pages."""

from app.identity.pages import page_router
from app.nugget.pages import competitions, entries, rankings, runs

router = page_router()
for part in (runs, entries, rankings, competitions):
    router.routes.extend(part.router.routes)
