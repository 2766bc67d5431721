"""Signs of life, for whoever watches over the server."""

from typing import Any

import asyncpg
from fastapi import APIRouter
from starlette.responses import JSONResponse

from app.web.deps import BusDep, DatabaseDep

router = APIRouter(prefix="/health", tags=["health"])


@router.get("/live")
async def live() -> dict[str, str]:
    """Tell that the process answers."""
    return {"status": "ok"}


@router.get("/ready", responses={503: {"description": "Something is down, and named."}})
async def ready(database: DatabaseDep, bus: BusDep) -> Any:
    """Tell that the process can serve players; 503 names what is down."""
    down = []
    try:
        await database.ping()
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
        down.append("database")
    if not bus.is_healthy():
        down.append("bus")
    return JSONResponse({"status": "down" if down else "ok", "down": down}, 503 if down else 200)
