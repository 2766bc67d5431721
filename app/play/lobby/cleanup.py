"""Deleting challenges that nobody needs any more."""

from datetime import timedelta

from sqlalchemy import delete, exists, func

from app.core.database.session import Database
from app.play.games.models import Game
from app.play.games.queries import is_under_way
from app.play.lobby.models import Challenge

_KEPT_FOR = timedelta(days=30)  # as the notifications about them; open ones expire before that


async def delete_old_challenges(database: Database) -> None:
    """Delete challenges older than 30 days, but those that are open, and those of games under way."""
    is_played = exists().where(Game.id == Challenge.game_id, is_under_way())
    is_over = Challenge.status != "open", ~is_played
    async with database.transaction() as session:
        await session.execute(
            delete(Challenge).where(Challenge.created_at < func.now() - _KEPT_FOR, *is_over)
        )
