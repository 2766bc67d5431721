"""The best scores of the solitaires, by game and board size."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import InvalidError
from app.identity.models import Account
from app.scores.models import Score


@dataclass(frozen=True, slots=True)
class RankedScore:
    """One row: a player's best game. Equal points and tie-breaks share the rank, the earlier stands first."""

    rank: int
    account_id: int
    username: str
    is_computer: bool
    points: int
    tie_break: int
    undos: int
    submitted_at: datetime
    game_id: str


@dataclass(frozen=True, slots=True)
class Page:
    """Rows in order, and the cursor of the page after them, if there is one."""

    rows: Sequence[RankedScore]
    next: str | None


_ORDER = (-Score.points, Score.tie_break, Score.submitted_at, Score.game_id)


async def page(session: AsyncSession, game: str, size: int, cursor: str, limit: int) -> Page:
    """Give a page of the best scores. Raises InvalidError `bad_cursor`."""
    rows = await _rows(session, game, size, *await _after(session, cursor), limit=limit + 1)
    if not rows:
        return Page((), None)
    first: Score = rows[0][0]
    rank = 1 + await _better(session, first)
    before = await _count(session, game, size, tuple_(*_ORDER) < _key(first))
    ranked: list[RankedScore] = []
    for place, row in enumerate(rows[:limit]):
        if ranked and (ranked[-1].points, ranked[-1].tie_break) != (row[0].points, row[0].tie_break):
            rank = before + place + 1
        ranked.append(_ranked(rank, row))
    return Page(ranked, ranked[-1].game_id if len(rows) > limit else None)


async def row_of(session: AsyncSession, game: str, size: int, account_id: int) -> RankedScore | None:
    """Give the row of an account, or None when it has none."""
    rows = await _rows(session, game, size, Score.account_id == account_id, limit=1)
    return _ranked(1 + await _better(session, rows[0][0]), rows[0]) if rows else None


async def of_account(session: AsyncSession, account_id: int) -> list[tuple[str, int, RankedScore]]:
    """Give the best games of an account with their game and size."""
    boards = await session.execute(
        select(Score.game, Score.size)
        .where(Score.account_id == account_id, Score.is_best)
        .order_by(Score.game, Score.size)
    )
    found = []
    for game, size in boards.tuples().all():
        row = await row_of(session, game, size, account_id)
        assert row is not None
        found.append((game, size, row))
    return found


async def best(session: AsyncSession, game: str, size: int) -> RankedScore | None:
    """Give the best game there is on a board, or None."""
    rows = await _rows(session, game, size, limit=1)
    return _ranked(1, rows[0]) if rows else None


async def _rows(
    session: AsyncSession, game: str, size: int, *conditions: ColumnElement[bool], limit: int
) -> Sequence[Any]:
    query = (
        select(Score, Account.username, Account.is_computer)
        .join(Account, Account.id == Score.account_id)
        .where(Score.game == game, Score.size == size, Score.is_best, *conditions)
        .order_by(Score.points.desc(), Score.tie_break, Score.submitted_at, Score.game_id)
        .limit(limit)
    )
    return (await session.execute(query)).all()


async def _better(session: AsyncSession, score: Score) -> int:
    is_better = or_(
        Score.points > score.points,
        and_(Score.points == score.points, Score.tie_break < score.tie_break),
    )
    return await _count(session, score.game, score.size, is_better)


async def _count(session: AsyncSession, game: str, size: int, *conditions: ColumnElement[bool]) -> int:
    query = select(func.count()).where(Score.game == game, Score.size == size, Score.is_best, *conditions)
    return await session.scalar(query) or 0


async def _after(session: AsyncSession, cursor: str) -> list[ColumnElement[bool]]:
    """Give the condition of coming after the game that the cursor names."""
    if not cursor:
        return []
    last = await session.get(Score, cursor) if cursor.isalnum() else None
    if last is None:
        raise InvalidError("bad_cursor", "Take the cursor from `next` of the page before.")
    return [tuple_(*_ORDER) > _key(last)]


def _key(score: Score) -> Any:
    return tuple_(-score.points, score.tie_break, score.submitted_at, score.game_id)


def _ranked(rank: int, row: Any) -> RankedScore:
    score, username, is_computer = row
    return RankedScore(
        rank,
        score.account_id,
        username,
        is_computer,
        score.points,
        score.tie_break,
        score.undos,
        score.submitted_at,
        score.game_id,
    )
