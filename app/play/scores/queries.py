"""Best scores of the solitaire games, by game and board size."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import case, func, select, true
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.ranking import Order, Ranking
from app.core.database.unreadable import readable
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_NAME, is_ranked
from app.play.scores.models import Score
from engine.registry import SOLITAIRE

_ORDER = Order(Score.points.desc(), Score.tie_break, Score.submitted_at, Score.game_id, ties=3)


@dataclass(frozen=True, slots=True)
class RankedScore:
    """A player's best game at one size. Of equal points and tie-breaks, the earlier game ranks higher.

    Who is not ranked has no `rank`; a closed account that is has no name.
    """

    rank: int | None
    account_id: int
    username: str | None
    is_computer: bool
    points: int
    tie_break: int
    undos: int
    submitted_at: datetime
    game_id: str


def ranking(game: str, size: int) -> Ranking[RankedScore]:
    """Return the ranking of the players' best scores at a game and size."""
    return Ranking(
        _ORDER,
        select(Score, SHOWN_NAME, Account.is_computer).join(Account, Account.id == Score.account_id),
        (Score.game == game, Score.size == size, Score.is_best),
        Score.account_id,
        is_ranked,
        _ranked,
        name=f"scores:{game}:{size}",
    )


async def of_account(session: AsyncSession, account_id: int) -> list[tuple[str, int, RankedScore]]:
    """Return an account's best scores as (game, size, score), in the order of games and sizes."""
    own = aliased(Score)
    members = (Score.game == own.game, Score.size == own.size, Score.is_best, is_ranked(Score.account_id))
    name = func.concat_ws(":", "scores", own.game, own.size)
    rank = _ORDER.rank((own.points, own.tie_break, own.submitted_at), members, name)
    rows = await session.execute(
        select(own, SHOWN_NAME, Account.is_computer, case((is_ranked(own.account_id), rank)).label("rank"))
        .join(Account, Account.id == own.account_id)
        .where(own.account_id == account_id, own.is_best)
        .order_by(own.game, own.size)
    )
    return readable(_of_account, ((row[0], row) for row in rows))


def _of_account(score: Score, row: Any) -> tuple[str, int, RankedScore]:
    return SOLITAIRE[score.game].key, score.size, _ranked(row.rank, row)


async def leaders(session: AsyncSession, game: str, largest: int) -> dict[int, RankedScore]:
    """Return the best score of a game by size, for the sizes up to `largest` at which there is one."""
    sizes = func.generate_series(1, largest).table_valued("size", name="sizes").render_derived()
    best = (
        select(Score.game_id)
        .where(Score.game == game, Score.size == sizes.c.size, Score.is_best, is_ranked(Score.account_id))
        .order_by(*_ORDER.clauses)
        .limit(1)
        .correlate(sizes)
        .lateral()
    )
    rows = await session.execute(
        select(Score, SHOWN_NAME, Account.is_computer)
        .select_from(sizes)
        .join(best, true())
        .join(Score, Score.game_id == best.c.game_id)
        .join(Account, Account.id == Score.account_id)
    )
    return {row[0].size: _ranked(1, row) for row in rows}


def _ranked(rank: int | None, row: Any) -> RankedScore:
    score: Score = row[0]
    return RankedScore(
        rank,
        score.account_id,
        row.username,
        row.is_computer,
        score.points,
        score.tie_break,
        score.undos,
        score.submitted_at,
        score.game_id,
    )
