"""Reading and writing the private notes of players."""

from app.core.database.session import Database
from app.core.merging import Revision
from app.people.identity.locking import lock_account
from app.play.chat.models import GameNote
from app.play.games import decisions
from app.play.games.service import Games

MOST_NOTE_CHARACTERS = 2_000


class Notes:
    """The notes of the server. Each is read and written by one player of its game only."""

    def __init__(self, database: Database, games: Games) -> None:
        self._database = database
        self._games = games

    async def read(self, game_id: str, account_id: int, *, at: int) -> str:
        """Return a player's note, or "". Raise NotFoundError, ForbiddenError `not_a_player`."""
        await self._check_player(game_id, account_id, at)
        async with self._database.reading_now() as session:
            note = await session.get(GameNote, (game_id, account_id))
        return note.text if note else ""

    async def change(self, game_id: str, account_id: int, change: Revision[str], *, at: int) -> None:
        """Change a player's note; an empty one is deleted.

        Raise NotFoundError, ForbiddenError `not_a_player`, and what `change` raises.
        """
        await self._check_player(game_id, account_id, at)
        async with self._database.transaction() as session:
            await lock_account(session, account_id)
            before = await session.get(GameNote, (game_id, account_id))
            text = change(before.text if before else "")
            if before and not text:
                await session.delete(before)
            elif before:
                before.text = text
            elif text:
                session.add(GameNote(game_id=game_id, account_id=account_id, text=text))

    async def _check_player(self, game_id: str, account_id: int, at: int) -> None:
        decisions.side_of(await self._games.get(game_id), account_id, at)
