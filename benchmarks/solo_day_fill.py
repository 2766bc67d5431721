"""Boards of the day of the games for one, with tries of all accounts, for `benchmarks.nugget_fill`."""

from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any

from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.core.moments import from_datetime, utc_now
from app.play.days.days import A_DAY, today
from app.play.games import creation
from app.play.solo_days.models import SoloDay, SoloDayTry
from engine.clock import DayDeadline
from engine.game import SolitaireGame
from engine.registry import SOLITAIRE
from engine.solo_lottery import draw

if TYPE_CHECKING:
    import asyncpg

    Connection = asyncpg.pool.PoolConnectionProxy[asyncpg.Record]

_DAYS = 700
_TRIES = """
INSERT INTO solo_day_tries (day, game, account_id, game_id, solution, points, tie_break, found_at)
SELECT current_date - (CASE WHEN n % 10 = 0 THEN 0 WHEN n % 10 < 3 THEN 1 ELSE n % 700 END),
    ($2::text[])[1 + n % 3 % 2], 1000 + n, 'x' || n, '', 20 + n::bigint * 7919 % 70, n % 13,
    now() - interval '1 ms' * n
FROM generate_series(1, $1::int) n
"""


async def fill_solo_days(connection: "Connection", accounts: int, within: float) -> None:
    """Fill in 700 days of each game, and a try for each account, a tenth of them today.

    The games of the tries do not exist, so foreign keys must be off. Statements may take `within` seconds.
    """
    for game, rules in SOLITAIRE.items():
        days = [(today() - number * A_DAY, number.to_bytes(32)) for number in range(_DAYS)]
        rows = [(day, game, seed, " ".join(_played(rules, seed)), utc_now()) for day, seed in days]
        await connection.copy_records_to_table(
            "solo_days", columns=["day", "game", "seed", "best", "announced_at"], records=rows
        )
    await connection.execute(_TRIES, accounts, list(SOLITAIRE), timeout=within)


async def try_solo_days(database: Database, account_id: int) -> None:
    """Make an account try the boards of today, each in a game that exists, with results in the middle."""
    midnight = datetime.combine(today() + A_DAY, time(), UTC)
    for game in SOLITAIRE:
        async with database.transaction() as session:
            stored = await session.get_one(SoloDay, {"day": today(), "game": game})
            board = draw(SOLITAIRE[game], stored.seed)
            ends = DayDeadline(from_datetime(midnight))
            game_id = await creation.create(
                session, game, board.options, [account_id], control=ends, opening=[board.first]
            )
            found = {"game_id": game_id, "solution": "", "points": 55, "tie_break": 6, "found_at": utc_now()}
            key = {"day": today(), "game": game, "account_id": account_id}
            tried = insert(SoloDayTry).values(**key, **found)
            await session.execute(tried.on_conflict_do_update(index_elements=list(key), set_=found))


def _played(rules: SolitaireGame[Any], seed: bytes) -> list[str]:
    """Return a game on the board of a seed that always takes the first move there is."""
    board = draw(rules, seed)
    moves, position = [board.first], rules.play(rules.initial(board.options), board.first)
    while legal := rules.legal_moves(position):
        moves.append(legal[0])
        position = rules.play(position, legal[0])
    return moves
