"""Health checks for load balancers and monitoring."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from fastapi import Request
from starlette.responses import JSONResponse

from app.core.settings import Settings
from app.core.web.addresses import is_loopback
from app.core.web.deps import Part
from app.core.web.routes import Router

_ANSWER_WITHIN = 0.9  # seconds

router = Router(prefix="/health", tags=["health"])

Check = Callable[[], Awaitable[object]]
"""Tries a part of the process: raises an exception, or does not return, if the part is down."""


class Readiness:
    """Whether the process can serve players, found out by trying."""

    def __init__(
        self,
        checks: Mapping[str, Check],
        failing_tasks: Callable[[], Collection[str]],
        degraded: Callable[[], Collection[str]],
    ) -> None:
        self._checks = checks
        self._failing_tasks = failing_tasks
        self._degraded = degraded
        self._running: dict[str, asyncio.Future[object]] = {}
        self._stopping = False

    def stop(self) -> None:
        """Report `stopping` from now on, so that proxies choose another server."""
        self._stopping = True

    async def down(self) -> list[str]:
        """Return the names of the parts that are down, within a second whatever hangs."""
        running = {name: self._start(name, check) for name, check in self._checks.items()}
        await asyncio.wait(running.values(), timeout=_ANSWER_WITHIN)
        down = {name for name, task in running.items() if not task.done() or task.exception()}
        if self._stopping:
            down.add("stopping")
        return sorted(down.union(self._failing_tasks()))

    def degraded(self) -> list[str]:
        """Return the names of the parts without which the process serves players at the moment."""
        return sorted(self._degraded())

    def _start(self, name: str, check: Check) -> asyncio.Future[object]:
        """Start a check, unless one is running: all who ask at the same time share it."""
        task = self._running.get(name)
        if task is None or task.done():
            task = self._running[name] = asyncio.ensure_future(check())
            task.add_done_callback(lambda task: task.cancelled() or task.exception())  # so it is not logged
        return task


@router.get("/live")
async def live() -> dict[str, str]:
    """Answer as long as the process runs."""
    return {"status": "ok"}


@router.get("/ready", responses={503: {"description": "`down` may name the parts that do not work."}})
async def ready(request: Request, settings: Part[Settings], readiness: Part[Readiness]) -> Any:
    """Answer 200 if the process can serve players, else 503, within a second.

    It commits, hears its own message over the bus, and sees all of its tasks running. A process that goes on
    without Valkey is degraded. `down` and `degraded` name the parts, unless the settings keep that from other
    machines.
    """
    down, degraded = await readiness.down(), readiness.degraded()
    answer: dict[str, Any] = {"status": "down" if down else "degraded" if degraded else "ok"}
    if settings.health_details == "public" or is_loopback(request):
        answer |= {"down": down, "degraded": degraded}
    return JSONResponse(answer, 503 if down else 200)
