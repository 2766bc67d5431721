"""What looks at a person's move before it is played."""

from typing import Protocol

from app.core.jobs.queue import Asker


class Adviser(Protocol):
    """Warns people of moves before they are played."""

    async def check(self, asker: Asker, account_id: int, game_id: str, move: str, ply: int) -> None:
        """Raise ConflictError for a move that its player had better think about once more."""
