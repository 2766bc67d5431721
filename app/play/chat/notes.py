"""Reading and writing the private notes of players."""

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
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

    async def write(self, game_id: str, account_id: int, text: str, *, at: int) -> None:
        """Replace a player's note; an empty one is deleted.

        Raise NotFoundError, ForbiddenError `not_a_player`.
        """
        await self._check_player(game_id, account_id, at)
        async with self._database.transaction() as session:
            if not text:
                await session.execute(
                    delete(GameNote).where(GameNote.game_id == game_id, GameNote.account_id == account_id)
                )
                return
            note = insert(GameNote).values(game_id=game_id, account_id=account_id, text=text)
            await session.execute(
                note.on_conflict_do_update(
                    index_elements=["game_id", "account_id"], set_={"text": note.excluded.text}
                )
            )

    async def _check_player(self, game_id: str, account_id: int, at: int) -> None:
        decisions.side_of(await self._games.get(game_id), account_id, at)
