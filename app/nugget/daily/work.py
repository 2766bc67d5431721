"""What workers do for the Nugget of the day: the computer solves it."""

import asyncio
from collections.abc import Mapping
from datetime import date
from typing import Any

from app.core.jobs.worker import Job
from app.nugget.daily.service import Daily
from engine.search.nugget.solver import solve


async def solve_day(job: Job, daily: Daily) -> Mapping[str, Any]:
    """Solve the board of a day that has begun, and store the solution; see `solve_board`."""
    day = date.fromisoformat(job.payload["day"])
    board = (await daily.day(day)).board
    forces = await asyncio.to_thread(solve, board, job.attempts)
    await daily.days.keep_best(day, forces)
    return {"moves": len(forces)}
