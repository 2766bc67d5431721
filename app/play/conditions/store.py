"""The rows of conditional moves, written by their own commands and with the moves of games."""

from typing import Any

from sqlalchemy import bindparam, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core import json
from app.core.database.statements import Connection, DirectStatement
from app.play.conditions.lines import Lines
from app.play.conditions.models import ConditionalMoves
from app.play.games.game import GameState
from app.play.games.models import Game

_FRESH: dict[str, Any] = {name: bindparam(name) for name in ("lines", "ply", "position", "followed")}
_NEXT = {"revision": ConditionalMoves.revision + 1, "dropped": 0, "dropped_by": None}

SAVE = (
    insert(ConditionalMoves)
    .values(game_id=bindparam("game_id"), account_id=bindparam("account_id"), revision=1, **_FRESH)
    .on_conflict_do_update(index_elements=["game_id", "account_id"], set_={**_FRESH, **_NEXT})
)
"""Stores a `row` in place of the player's lines before it."""

_SAVE = DirectStatement(SAVE)
_NOTE = DirectStatement(update(Game).where(Game.id == bindparam("game_id")).values(conditional=True))


def row(state: GameState, account_id: int, lines: Lines) -> dict[str, Any]:
    """Return the values of a player's lines from the game's position on."""
    return {
        "game_id": state.id,
        "account_id": account_id,
        "lines": lines,
        "ply": state.ply,
        "position": state.position_text,
        "followed": state.version,
    }


async def save_on(connection: Connection, state: GameState, account_id: int, lines: Lines) -> None:
    """Store a player's lines in the transaction of their move, which led to the game as it is."""
    values = row(state, account_id, lines)
    await _NOTE.rows(connection, game_id=state.id)
    await _SAVE.rows(connection, **{**values, "lines": json.encode(lines).decode()})


async def note_in_game(session: AsyncSession, game_id: str, version: int) -> bool:
    """Note in a game that it has conditional moves. Return False if it has another version by now.

    The game stays locked until the transaction ends, so its next move finds the note.
    """
    query = update(Game).where(Game.id == game_id, Game.version == version).values(conditional=True)
    return await session.scalar(query.returning(Game.id)) is not None


async def stop_answers(session: AsyncSession, state: GameState, account_id: int) -> int | None:
    """Return the new version of a game in which an answer from a player's lines may be pending; else None.

    An answer that was decided for the version before is then no longer played. While it is another player's
    turn nothing changes, so nobody learns of the lines. If the game has moved on since it was read, it is not
    known whose turn it is. The game stays locked until the transaction ends.
    """
    version = await session.scalar(select(Game.version).filter_by(id=state.id).with_for_update())
    mover = state.player_to_move
    if version == state.version and (mover is None or mover.id != account_id):
        return None
    lines = select(ConditionalMoves.lines).filter_by(game_id=state.id, account_id=account_id)
    query = update(Game).where(Game.id == state.id, Game.status == "started", lines.scalar_subquery() != [])
    return await session.scalar(query.values(version=Game.version + 1).returning(Game.version))
