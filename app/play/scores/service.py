"""Entering the score of a solitaire game, in the transaction that submits it, which uses asyncpg."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.core.database.statements import DirectStatement
from app.people.identity.ranked import is_open
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify_on
from app.play.scores.models import Score
from app.play.scores.queries import ranking
from engine.game import Side, SolitaireGame
from engine.registry import SOLITAIRE

if TYPE_CHECKING:
    import asyncpg

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
    connection: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]",
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
    is_best = row is None or merit.key < Merit(row["points"], row["tie_break"]).key
    if is_best:
        await connection.execute(_UNMARK, *board)
    await connection.execute(_ENTER, *board, game_id, merit.points, merit.tie_break, undos, is_best)
    if is_best:
        await _tell_overtaken(connection, account_id, game, size, merit, row)


async def _tell_overtaken(
    connection: "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]",
    account_id: int,
    game: str,
    size: int,
    merit: Merit,
    before: "asyncpg.Record | None",
) -> None:
    """Notify those who had the place that a new best score has now; `before` is the row of the last one.

    Their open pages find it with the next heartbeat.
    """
    query = ranking(game, size).overtaken(
        account_id,
        (merit.points, merit.tie_break),
        tuple(before) if before else None,
        is_open(Score.account_id),
    )
    rows = await DirectStatement(query).rows(connection)
    data = {"name": f"{SOLITAIRE[game].title} {size}×{size}", "page": f"/scores/{game}/{size}?at=me"}
    subject = f"{game}:{size}"
    await notify_on(
        connection,
        [News(row["account_id"], NewsKind.PLACE_LOST, subject, account_id, data) for row in rows],
    )
