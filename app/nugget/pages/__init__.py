"""Golden Nugget as pages."""

from fastapi import APIRouter

from app.nugget.pages import competitions, entries, rankings, runs

router = APIRouter(include_in_schema=False)
for part in (runs, entries, rankings, competitions):
    router.include_router(part.router)
