"""Which finished games are searched for puzzles, and when."""

from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.core.jobs.queue import Queue
from app.learn.puzzles import queries
from app.learn.puzzles.models import PuzzleSearch

FIND = "find_puzzles"
"""The kind of job that looks for puzzles in a game."""

PRIORITY = -20
"""The priority of jobs that find and prove puzzles: behind reviews."""

_FEWEST_PLIES = 10


async def search_next_game(database: Database, queue: Queue) -> None:
    """Ask for a search of the next finished game, unless other work waits: a proof takes seconds."""
    if await queue.count_waiting():
        return
    async with database.transaction() as session:
        next_game = await queries.next_to_search(session, _FEWEST_PLIES)
        if next_game is None:
            return
        game_id, ended_at = next_game
        row = insert(PuzzleSearch).values(game_id=game_id, ended_at=ended_at)
        await session.execute(row.on_conflict_do_nothing())
    await queue.add(FIND, {f"{FIND}:{game_id}": {"game_id": game_id}}, priority=PRIORITY)
