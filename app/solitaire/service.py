"""Starting a game for one."""

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import InvalidError
from app.games import creation
from app.games.models import Game
from app.identity.service import Identity


async def start(session: AsyncSession, account: Identity, game: str, options: Mapping[str, int]) -> str:
    """Give a game for one that has not begun yet: the account's own if it has such a one, else a new one.

    Raises InvalidError for a game or options that cannot be.
    """
    complete = creation.complete_options(creation.rules_of(game, 1), options)
    untouched = await session.scalar(
        select(Game.id)
        .where(
            Game.first_player == account.id,
            Game.second_player.is_(None),
            Game.game == game,
            Game.options == complete,
            Game.status == "started",
            Game.ply == 0,
            Game.undos == 0,
            Game.time_control.is_(None),
        )
        .limit(1)
    )
    return untouched or await creation.create(session, game, complete, [account.id])


def options_of(size: str) -> dict[str, int]:
    """Read the size from a form; none for the usual one. Raises InvalidError."""
    if not size:
        return {}
    if not (size.isascii() and size.isdigit() and len(size) <= 4):
        raise InvalidError("bad_options", "Choose a board size from the list.")
    return {"size": int(size)}
