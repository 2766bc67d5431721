"""FastAPI dependencies of routes about games."""

from typing import Annotated, Protocol

from app.games.follow import GameFeed
from app.games.game import GameState
from app.games.service import Games
from app.i18n.text import Text
from app.jobs.queue import Asker
from app.web.deps import part


class Adviser(Protocol):
    """Looks at the moves that people make on pages before they are played."""

    async def check(self, asker: Asker, account_id: int, game_id: str, move: str, ply: int) -> None:
        """Raise ConflictError for a move that its player had better think about once more."""


class ConditionNotes(Protocol):
    """Says what has become of players' conditional moves."""

    async def note(self, state: GameState, account_id: int) -> Text | None:
        """Return what to tell a player, or None."""


GamesDep = Annotated[Games, part("games")]
AdviserDep = Annotated[Adviser, part("coach")]
ConditionNotesDep = Annotated[ConditionNotes, part("conditions")]
FeedDep = Annotated[GameFeed, part("feed")]
