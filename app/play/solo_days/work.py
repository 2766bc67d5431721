"""What workers do for the boards of the day: the computer plays them."""

import asyncio
from collections.abc import Mapping
from datetime import date
from typing import Any

from app.core.database.session import Database
from app.core.jobs.worker import Job, Jobs
from app.play.solo_days.service import SOLVE_DAY, of_game
from engine.registry import SOLITAIRE
from engine.search import solitaire
from engine.solo_lottery import draw


async def solve_day(job: Job, database: Database) -> Mapping[str, Any]:
    """Play the board of a day that has begun, and store the game."""
    game, day = job.payload["game"], date.fromisoformat(job.payload["day"])
    rules, days = SOLITAIRE[game], of_game(database, game)
    board = draw(rules, (await days.get(day)).seed)
    position = rules.play(rules.initial(board.options), board.first)
    line = await asyncio.to_thread(solitaire.best_line, rules, position)
    await days.keep_best(day, (board.first, *line.moves))
    return {"points": line.result}


JOBS: Jobs = {SOLVE_DAY: solve_day}
