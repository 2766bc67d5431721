"""What workers do for dumps: writing them part by part, so that nothing waits long behind them."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from app.core.database.session import Database
from app.core.jobs.queue import Queue
from app.core.jobs.worker import Job, Jobs
from app.site.dumps.service import WRITE, Dumps, Next


async def write_dump(job: Job, database: Database, queue: Queue) -> Mapping[str, Any]:
    """Write a part of a dump, and ask for the next one."""
    payload = job.payload
    dumps = Dumps(database)
    asked = Next(date.fromisoformat(payload["day"]), payload["sheet"], payload["number"], payload["after"])
    following = await dumps.write(asked)
    if following is not None:
        await dumps.ask(queue, following)
    return {}


JOBS: Jobs = {WRITE: write_dump}
