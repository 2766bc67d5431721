"""Best scores of the solitaire games: entered when a game is submitted, and ranked by game and size."""

from dataclasses import astuple, dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Float, Select, case, cast, func, select, true
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.marks import part_of_time
from app.core.database.rank_order import RankOrder
from app.core.database.ranking import Ranking
from app.core.database.statements import Connection, DirectStatement, made_once
from app.core.database.unreadable import readable
from app.people.identity.models import Account
from app.people.identity.ranked import (
    SHOWN_COUNTRY,
    SHOWN_NAME,
    Players,
    is_open,
    is_ranked,
    name_among,
    ranked_among,
)
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify_on
from app.play.solitaire.models import Score
from engine.game import Side, SolitaireGame
from engine.registry import SOLITAIRE

_SHOWN = (SHOWN_NAME, SHOWN_COUNTRY, Account.is_computer)


def measure(
    points: ColumnElement[int], tie_break: ColumnElement[int], at: ColumnElement[datetime]
) -> ColumnElement[Any]:
    """Return the points and, as a fraction, tie-break and time: many have as many points; see `RankOrder`."""
    return (cast(tie_break, Float) + part_of_time(at)) / 2**15 - cast(points, Float)


_ORDER = RankOrder(
    Score.points.desc(), Score.tie_break, Score.submitted_at, Score.game_id, ties=3, measure=measure
)

# An account's submissions are serialised, so that exactly one score is its best.
_LOCK = "SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE"
_BEST = """
SELECT points, tie_break FROM scores WHERE account_id = $1 AND game = $2 AND size = $3 AND is_best
"""

_UNMARK = """
UPDATE scores SET is_best = false WHERE account_id = $1 AND game = $2 AND size = $3 AND is_best
"""

_ENTER = """
INSERT INTO scores (account_id, game, size, game_id, points, tie_break, undos, is_best)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""


@dataclass(frozen=True, slots=True)
class RankedScore:
    """A player's best game at one size. Of equal points and tie-breaks, the earlier game ranks higher.

    A player who is not ranked has no `rank`; a closed account that is has no name.
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
    country: str | None


@cache
def ranking(game: str, size: int, players: Players = "everybody") -> Ranking[RankedScore]:
    """Return the ranking of the best scores of some players at a game and size."""
    return Ranking(
        _ORDER,
        select(Score, *_SHOWN).join(Account, Account.id == Score.account_id),
        (Score.game == game, Score.size == size, Score.is_best),
        Score.account_id,
        ranked_among(players, is_ranked),
        _ranked_score,
        name=name_among(players, f"scores:{game}:{size}"),
        is_of_site=True,
    )


async def of_account(session: AsyncSession, account_id: int) -> list[tuple[str, int, RankedScore]]:
    """Return an account's best scores as (game, size, score), in the order of games and sizes."""
    rows = await session.execute(*_own(account_id))
    return readable(_of_account, ((row[0], row) for row in rows))


@made_once
def _own(account_id: int) -> Select[*tuple[Any, ...]]:
    own = aliased(Score)
    members = (Score.game == own.game, Score.size == own.size, Score.is_best, is_ranked(Score.account_id))
    name = func.concat_ws(":", "scores", own.game, own.size)
    rank = _ORDER.rank((own.points, own.tie_break, own.submitted_at), members, name)
    return (
        select(
            own,
            SHOWN_NAME,
            SHOWN_COUNTRY,
            Account.is_computer,
            case((is_ranked(own.account_id), rank)).label("rank"),
        )
        .join(Account, Account.id == own.account_id)
        .where(own.account_id == account_id, own.is_best)
        .order_by(own.game, own.size)
    )


def _of_account(score: Score, row: Any) -> tuple[str, int, RankedScore]:
    return SOLITAIRE[score.game].key, score.size, _ranked_score(row.rank, row)


async def leaders(session: AsyncSession, game: str, largest: int) -> dict[int, RankedScore]:
    """Return the best score of a game by size, for the sizes up to `largest` at which there is one."""
    return {row[0].size: _ranked_score(1, row) for row in await session.execute(*_leaders(game, largest))}


@made_once
def _leaders(game: str, largest: int) -> Select[*tuple[Any, ...]]:
    sizes = func.generate_series(1, largest).table_valued("size", name="sizes").render_derived()
    best = (
        select(Score.game_id)
        .where(Score.game == game, Score.size == sizes.c.size, Score.is_best, is_ranked(Score.account_id))
        .order_by(*_ORDER.clauses)
        .limit(1)
        .correlate(sizes)
        .lateral()
    )
    return (
        select(Score, *_SHOWN)
        .select_from(sizes)
        .join(best, true())
        .join(Score, Score.game_id == best.c.game_id)
        .join(Account, Account.id == Score.account_id)
    )


def _ranked_score(rank: int | None, row: Any) -> RankedScore:
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
        row.country,
    )


@dataclass(frozen=True, slots=True)
class Merit:
    """The merit of a solitaire game: more points are better, then a smaller tie-break."""

    points: int
    tie_break: int

    @property
    def key(self) -> tuple[int, int]:
        """Return a sort key, smaller for better games."""
        return -self.points, self.tie_break


def merit(rules: SolitaireGame[Any], position: Any) -> Merit:
    """Return the merit of a solitaire game from its position."""
    score = rules.score(position)
    return Merit(int(score[Side.SOLO]), int(score[rules.tie_break]) if rules.tie_break else 0)


async def enter(
    connection: Connection,
    game_id: str,
    account_id: int,
    game: str,
    size: int,
    merit: Merit,
    undos: int,
) -> None:
    """Insert the score of a game, in the caller's transaction.

    If it is better than the account's best score at that game and size, it is marked as the new best, and
    whoever had its place before is notified.
    """
    board = (account_id, game, size)
    await connection.execute(_LOCK, account_id)
    row = await connection.fetchrow(_BEST, *board)
    before = None if row is None else Merit(*row)
    is_best = before is None or merit.key < before.key
    if is_best:
        await connection.execute(_UNMARK, *board)
    await connection.execute(_ENTER, *board, game_id, merit.points, merit.tie_break, undos, is_best)
    if is_best:
        await _tell_overtaken(connection, account_id, game, size, merit, before)


async def _tell_overtaken(
    connection: Connection, account_id: int, game: str, size: int, merit: Merit, before: Merit | None
) -> None:
    """Notify those who had the place that a new best score has now; `before` is the last one, if any.

    Their open pages find it with the next heartbeat.
    """
    query = ranking(game, size).overtaken(
        account_id,
        astuple(merit),
        astuple(before) if before else None,
        is_open(Score.account_id),
    )
    rows = await DirectStatement(query).rows(connection)
    page = f"/scores/{game}/{size}?players=everybody&at=me"
    data = {"name": f"{SOLITAIRE[game].title} {size}×{size}", "page": page}
    subject = f"{game}:{size}"
    await notify_on(
        connection, [News(row["account_id"], NewsKind.PLACE_LOST, subject, account_id, data) for row in rows]
    )
