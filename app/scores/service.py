"""The scores of solitaire games that were submitted for a record."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.game import Side, SolitaireGame

if TYPE_CHECKING:
    import asyncpg

# Who submits two games at once does it one after the other, so that one is the best.
_LOCK = "SELECT id FROM accounts WHERE id = $1 FOR UPDATE"
_BEST = """
SELECT points, tie_break FROM scores WHERE account_id = $1 AND game = $2 AND size = $3 AND is_best
"""
_DETHRONE = """
UPDATE scores SET is_best = false WHERE account_id = $1 AND game = $2 AND size = $3 AND is_best
"""
_ENTER = """
INSERT INTO scores (account_id, game, size, game_id, points, tie_break, undos, is_best)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""


@dataclass(frozen=True, slots=True)
class Merit:
    """What a solitaire game is ranked by: more points, then less of what breaks ties."""

    points: int
    tie_break: int

    @property
    def key(self) -> tuple[int, int]:
        """Give what is the smaller, the better the game."""
        return -self.points, self.tie_break


def merit(rules: SolitaireGame[Any], position: Any) -> Merit:
    """Give what a game for one is ranked by, as it stands in a position."""
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
    """Enter the score of a game in the caller's transaction; of equal scores the earlier stays the best."""
    whose = (account_id, game, size)
    await connection.execute(_LOCK, account_id)
    row = await connection.fetchrow(_BEST, *whose)
    is_best = row is None or merit.key < Merit(row["points"], row["tie_break"]).key
    if is_best:
        await connection.execute(_DETHRONE, *whose)
    await connection.execute(_ENTER, *whose, game_id, merit.points, merit.tie_break, undos, is_best)
