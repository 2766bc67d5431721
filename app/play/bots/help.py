"""Which games the computer has helped to play: what is won with help proves no achievement."""

from sqlalchemy import ColumnElement, exists, or_
from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.play.bots.models import CoachedGame, HelpedGame
from app.play.games.models import Game


async def note_help(database: Database, game_id: str) -> None:
    """Note that the computer has told a player of a game what to play."""
    async with database.transaction() as session:
        await session.execute(insert(HelpedGame).values(game_id=game_id).on_conflict_do_nothing())


def was_helped() -> ColumnElement[bool]:
    """Return the condition that in a game against the computer its opponent was helped.

    That is by a hint, by the coach, who names the best move in a warning, or by a takeback.
    """
    has_hint = exists().where(HelpedGame.game_id == Game.id)
    was_warned = exists().where(CoachedGame.game_id == Game.id, CoachedGame.warned_ply.is_not(None))
    return or_(Game.taken_back_to.is_not(None), has_hint, was_warned)
