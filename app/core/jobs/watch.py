"""Noticing that no worker does the jobs that somebody waits for."""

import asyncio
from typing import Final

import structlog

from app.core.database.session import Database

log = structlog.get_logger()

SILENT_AFTER = 30.0
"""Seconds that a job waits while no worker is at work, after which the workers are silent."""
_LOOK_EVERY = 5.0  # seconds

# A worker that is busy with another job renews its claim of that one. What is done when there is nothing else
# to do, such as a search for puzzles, nobody waits for.
COUNT_UNCLAIMED: Final = """
SELECT count(*) FROM pgqueuer
WHERE status = 'queued' AND (entrypoint = 'computer_move' OR headers ? 'key')
  AND execute_after < now() - make_interval(secs => $1)
  AND NOT EXISTS (
    SELECT FROM pgqueuer WHERE status = 'picked' AND heartbeat > now() - make_interval(secs => $1)
  )
  AND NOT EXISTS (
    SELECT FROM pgqueuer_log WHERE status = 'picked' AND created > now() - make_interval(secs => $1)
  )
"""
"""How many jobs wait in vain: 0 as long as any worker has been at work within some seconds."""


class WorkerWatch:
    """Whether the workers are silent, as one web process sees it."""

    def __init__(self, database: Database) -> None:
        self._pool = database.pool
        self._waiting = 0

    @property
    def degraded(self) -> frozenset[str]:
        """`computers` while the workers are silent."""
        return frozenset({"computers"} if self._waiting else ())

    async def run(self) -> None:
        """Watch until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(_LOOK_EVERY)

    async def look(self) -> None:
        """Look once; what has changed is logged."""
        before, self._waiting = self._waiting, await self._pool.fetchval(COUNT_UNCLAIMED, SILENT_AFTER)
        if self._waiting and not before:
            log.error("workers_silent", waiting=self._waiting, seconds=SILENT_AFTER)
        elif before and not self._waiting:
            log.warning("workers_back")
