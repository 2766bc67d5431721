"""What other features have to say to the players of a game, as protocols."""

from typing import Protocol

from app.core.i18n.text import Text
from app.core.jobs.queue import Asker
from app.play.games.game import GameState


class Adviser(Protocol):
    """Warns people of moves before they are played."""

    async def check(self, asker: Asker, account_id: int, game_id: str, move: str, ply: int) -> None:
        """Raise ConflictError for a move that its player had better think about once more."""


class ConditionNotes(Protocol):
    """Says what has become of players' conditional moves."""

    async def note(self, state: GameState, account_id: int) -> Text | None:
        """Return what to tell a player, or None."""
