"""Health checks for load balancers and monitoring."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse

from app.database.session import UNAVAILABLE
from app.web.addresses import is_loopback
from app.web.deps import BusDep, DatabaseDep, ServerTimeDep, SettingsDep

router = APIRouter(prefix="/health", tags=["health"])


@router.get("/live")
async def live() -> dict[str, str]:
    """Answer as long as the process runs."""
    return {"status": "ok"}


@router.get("/ready", responses={503: {"description": "`down` may name the parts that do not work."}})
async def ready(
    request: Request, settings: SettingsDep, database: DatabaseDep, bus: BusDep, server_time: ServerTimeDep
) -> Any:
    """Answer 200 if the process can serve players, else 503.

    `down` names the parts that are down, unless the settings keep that from other machines.
    """
    down = []
    try:
        await database.ping()
    except UNAVAILABLE:
        down.append("database")
    if not bus.is_healthy():
        down.append("bus")
    if not server_time.is_trusted:
        down.append("clock")
    answer: dict[str, Any] = {"status": "down" if down else "ok"}
    if settings.health_details == "public" or is_loopback(request):
        answer["down"] = down
    return JSONResponse(answer, 503 if down else 200)
