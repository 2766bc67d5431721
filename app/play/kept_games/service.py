"""Keeping games."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, delete, exists, func, insert, select

from app.core.database.session import Database
from app.core.database.statements import made_once
from app.core.moments import now
from app.people.identity.locking import Most
from app.people.identity.service import Identity
from app.play.games.game import GameState
from app.play.games.service import Games
from app.play.kept_games.models import KeptGameRow

_MOST_KEPT = Most(
    200,
    "too_many_kept_games",
    "You have kept %(count)s game already. Remove one before you keep another.",
    "You have kept %(count)s games already. Remove one before you keep another.",
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as it is now, and when it was kept."""

    game: GameState
    at: datetime


class KeptGames:
    """The kept games of the server. Each account knows of its own only."""

    def __init__(self, database: Database, games: Games) -> None:
        self._database = database
        self._games = games

    async def keep(self, identity: Identity, game_id: str) -> None:
        """Keep a game that the identity may see; one that is kept already stays where it is.

        Raise NotFoundError, ConflictError `too_many_kept_games`.
        """
        await self._games.seen_by(identity, game_id)
        async with self._database.transaction() as session:
            count = select(func.count()).where(KeptGameRow.account_id == identity.id)
            is_full = await _MOST_KEPT.is_reached(session, identity.id, count)
            if await session.scalar(*_is_kept(identity.id, game_id)):
                return
            if is_full:
                raise _MOST_KEPT.error()
            await session.execute(insert(KeptGameRow).values(account_id=identity.id, game_id=game_id))

    async def remove(self, identity: Identity, game_id: str) -> None:
        """Stop keeping a game that the identity may see; it need not have been kept. Raise NotFoundError."""
        await self._games.seen_by(identity, game_id)
        async with self._database.transaction() as session:
            await session.execute(
                delete(KeptGameRow).where(
                    KeptGameRow.account_id == identity.id, KeptGameRow.game_id == game_id
                )
            )

    async def is_kept(self, identity: Identity | None, game_id: str) -> bool:
        """Return whether a viewer has kept a game."""
        if identity is None:
            return False
        async with self._database.reading_now() as session:
            return bool(await session.scalar(*_is_kept(identity.id, game_id)))

    async def page(self, identity: Identity, *, number: int, limit: int) -> tuple[list[Kept], bool]:
        """Return a page of the games that the identity has kept, the latest first, and whether there is more.

        Games that cannot be read, and boards that only another player may know, are left out.
        """
        async with self._database.reading_now() as session:
            latest = _latest(identity.id, limit + 1, limit * (number - 1))
            kept: dict[str, datetime] = dict((await session.execute(*latest)).all())
        shown = [
            Kept(state, kept[state.id])
            for state in await self._games.readable(list(kept)[:limit])
            if not state.is_hidden_from(identity.id, now())
        ]
        return shown, len(kept) > limit


@made_once
def _is_kept(account_id: int, game_id: str) -> Select[bool]:
    return select(exists().where(KeptGameRow.account_id == account_id, KeptGameRow.game_id == game_id))


@made_once
def _latest(account_id: int, limit: int, offset: int) -> Select[str, datetime]:
    return (
        select(KeptGameRow.game_id, KeptGameRow.kept_at)
        .where(KeptGameRow.account_id == account_id)
        .order_by(KeptGameRow.kept_at.desc(), KeptGameRow.game_id)
        .limit(limit)
        .offset(offset)
    )
