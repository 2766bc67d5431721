"""Golden Nugget as pages."""

from app.nugget.pages import competitions, entries, rankings, runs
from app.people.identity.pages import page_router

router = page_router()
for part in (runs, entries, rankings, competitions):
    router.routes.extend(part.router.routes)
