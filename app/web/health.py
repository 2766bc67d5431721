"""Health checks for load balancers and monitoring."""

from typing import Any

from fastapi import APIRouter
from starlette.responses import JSONResponse

from app.database.session import UNAVAILABLE
from app.web.deps import BusDep, DatabaseDep, ServerTimeDep

router = APIRouter(prefix="/health", tags=["health"])


@router.get("/live")
async def live() -> dict[str, str]:
    """Answer as long as the process runs."""
    return {"status": "ok"}


@router.get("/ready", responses={503: {"description": "`down` names the parts that do not work."}})
async def ready(database: DatabaseDep, bus: BusDep, server_time: ServerTimeDep) -> Any:
    """Answer 200 if the process can serve players, else 503 with the names of the parts that are down."""
    down = []
    try:
        await database.ping()
    except UNAVAILABLE:
        down.append("database")
    if not bus.is_healthy():
        down.append("bus")
    if not server_time.is_trusted:
        down.append("clock")
    return JSONResponse({"status": "down" if down else "ok", "down": down}, 503 if down else 200)
