"""Conditional moves as they are stored."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.play.conditions.models import ConditionalMoves
from app.play.games.models import Game

_HAS_LINES = ConditionalMoves.lines != []


async def of_game(session: AsyncSession, game_id: str) -> Sequence[ConditionalMoves]:
    """Return the conditional moves of both players of a game."""
    return (await session.scalars(select(ConditionalMoves).filter_by(game_id=game_id))).all()


async def of_player(session: AsyncSession, game_id: str, account_id: int) -> ConditionalMoves | None:
    """Return the conditional moves of a player, or None if none were ever saved in the game."""
    return await session.get(ConditionalMoves, (game_id, account_id))


async def not_followed(session: AsyncSession, but: Collection[str], limit: int) -> Sequence[str]:
    """Return the ids of games, but some, that have changed since their conditional moves were followed."""
    query = (
        select(ConditionalMoves.game_id)
        .join(Game, Game.id == ConditionalMoves.game_id)
        .where(_HAS_LINES, Game.version > ConditionalMoves.followed, Game.id.not_in(but))
        .distinct()
    )
    return (await session.scalars(query.limit(limit))).all()


async def note_in_game(session: AsyncSession, game_id: str, version: int) -> bool:
    """Note in a game that it has conditional moves. Return False if it has another version by now.

    The game stays locked until the transaction ends, so its next move finds the note.
    """
    query = update(Game).where(Game.id == game_id, Game.version == version).values(conditional=True)
    return await session.scalar(query.returning(Game.id)) is not None


async def save(session: AsyncSession, game_id: str, account_id: int, revision: int, **columns: Any) -> bool:
    """Store a player's lines over those of a revision (0: none). Return False if there are later ones."""
    fresh = {"revision": revision + 1, "dropped": 0, "dropped_by": None, **columns}
    stored = (
        insert(ConditionalMoves)
        .values(game_id=game_id, account_id=account_id, **fresh)
        .on_conflict_do_update(
            index_elements=["game_id", "account_id"], set_=fresh, where=ConditionalMoves.revision == revision
        )
        .returning(ConditionalMoves.revision)
    )
    return await session.scalar(stored) is not None


async def follow(session: AsyncSession, entry: ConditionalMoves, version: int, **columns: Any) -> None:
    """Store what is left of a player's lines at a version of the game, unless they have changed since."""
    query = update(ConditionalMoves).where(
        ConditionalMoves.game_id == entry.game_id,
        ConditionalMoves.account_id == entry.account_id,
        ConditionalMoves.revision == entry.revision,
        ConditionalMoves.followed < version,
    )
    await session.execute(query.values(followed=version, **columns))


async def delete(session: AsyncSession, game_id: str, account_id: int) -> None:
    """Delete a player's lines. The revision stays, so that versions only grow."""
    query = update(ConditionalMoves).where(
        ConditionalMoves.game_id == game_id, ConditionalMoves.account_id == account_id
    )
    revision = ConditionalMoves.revision + 1
    await session.execute(query.values(revision=revision, lines=[], dropped=0, dropped_by=None))
