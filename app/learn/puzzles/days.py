"""The puzzle of the day for each game: the same for everybody, chosen some days ahead."""

from datetime import date, timedelta

from sqlalchemy import func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.moments import utc_now
from app.learn.puzzles.models import PuzzleDay, StoredPuzzle
from engine.puzzles.rules import RULES

_AHEAD = 7  # days
_EASIEST, _HARDEST = 1100, 1900


async def choose_days(database: Database) -> None:
    """Choose the puzzles of the coming days that have none yet."""
    today = utc_now().date()
    async with database.transaction() as session:
        chosen = select(PuzzleDay.day, PuzzleDay.game).where(PuzzleDay.day >= today)
        known = {(day, game) for day, game in await session.execute(chosen)}
        for day in (today + timedelta(ahead) for ahead in range(_AHEAD + 1)):
            for game in RULES:
                if (day, game) not in known:
                    await choose(session, game, day)


async def choose(session: AsyncSession, game: str, day: date) -> None:
    """Choose the puzzle of a game for a day: one of medium difficulty that was not chosen for long."""
    last = (
        select(func.max(PuzzleDay.day))
        .where(PuzzleDay.puzzle_id == StoredPuzzle.id)
        .correlate(StoredPuzzle)
        .scalar_subquery()
    )
    is_medium = StoredPuzzle.rating.between(_EASIEST, _HARDEST)
    at_random = func.md5(StoredPuzzle.id + literal(day.isoformat()))
    candidate = (
        select(literal(day), literal(game), StoredPuzzle.id)
        .where(StoredPuzzle.game == game)
        .order_by(last.asc().nulls_first(), is_medium.desc(), at_random)
        .limit(1)
    )
    rows = insert(PuzzleDay).from_select(["day", "game", "puzzle_id"], candidate)
    await session.execute(rows.on_conflict_do_nothing())
