"""Computing all ratings at a kind of game again: by command, and as a site is founded."""

import asyncio
from datetime import datetime

from sqlalchemy import and_, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.errors import OperatorError
from app.play.ratings import rewriting
from app.play.ratings.models import PlayerRating
from app.play.ratings.replaying import RatedGame
from app.play.ratings.settling import OPPONENTS_TO_SETTLE, PROVEN_UP_TO
from app.play.ratings.standings import Rerated, is_founded, rerate
from engine.registry import FOR_TWO

_TRIES = 5

_HISTORY = text("""
SELECT game.id, game.first_player, game.second_player, game.winner_seat, change.changed_at
FROM rating_changes change
JOIN games game ON game.id = change.game_id AND game.first_player = change.account_id
WHERE change.game = :game
ORDER BY change.changed_at, game.id
""")


async def rerate_all(database: Database, game: str) -> int:
    """Compute all ratings at a kind of game again, and return the number of games.

    Games go on meanwhile; one that ends as the ratings are written waits for that. Raise OperatorError if
    games end faster than ratings are computed.
    """
    for _ in range(_TRIES):
        rerated, seen = await _computed(database, game)
        if await _write(database, game, rerated, seen):
            return len(rerated.games)
    raise OperatorError("Rated games end too often now: try again at a quiet hour.")


async def found_ratings(database: Database) -> None:
    """Compute the ratings at each game that is not founded yet again, if it has founders.

    The server's schedule calls it.
    """
    for game in FOR_TWO:
        async with database.reading_now() as session:
            if is_founded(*await _proven_and_games(session, game)):
                continue
        rerated, seen = await _computed(database, game)
        if rerated.standings.founders:
            await _write(database, game, rerated, seen)


async def _proven_and_games(session: AsyncSession, game: str) -> tuple[int, int]:
    """Return the number of proven players, and of rated games."""
    is_proven = and_(PlayerRating.deviation <= PROVEN_UP_TO, PlayerRating.opponents >= OPPONENTS_TO_SETTLE)
    counts = select(func.count().filter(is_proven), func.coalesce(func.sum(PlayerRating.games), 0))
    proven, sides = (await session.execute(counts.where(PlayerRating.game == game))).one()
    return proven, sides // 2


async def _computed(database: Database, game: str) -> tuple[Rerated, dict[int, datetime]]:
    """Return ratings computed again, and the moment of each player's last rated game."""
    async with database.reading_now() as session:
        rows = (await session.execute(_HISTORY, {"game": game})).all()
    games = [
        RatedGame(row.id, (row.first_player, row.second_player), row.winner_seat, row.changed_at)
        for row in rows
    ]
    seen = {player: each.at for each in games for player in each.players}
    return await asyncio.to_thread(rerate, games), seen


async def _write(database: Database, game: str, rerated: Rerated, seen: dict[int, datetime]) -> bool:
    """Write ratings. Return False, having changed nothing, if a rated game has ended since."""
    async with database.transaction() as session:
        if not await rewriting.lock(session, game, seen):
            return False
        await rewriting.write_counted(session, rerated.games)
        await rewriting.write_changes(session, rerated.changes)
        await rewriting.write_ratings(session, game, rerated.standings.ratings)
        await rewriting.count_games(session, game, list(seen))
    return True
