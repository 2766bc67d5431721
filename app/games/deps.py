"""FastAPI dependencies of routes about games."""

from typing import Annotated, Protocol

from app.games.advice import Adviser
from app.games.follow import GameFeed
from app.games.game import GameState
from app.games.service import Games
from app.i18n.text import Text
from app.web.deps import part


class ConditionNotes(Protocol):
    """Says what has become of players' conditional moves."""

    async def note(self, state: GameState, account_id: int) -> Text | None:
        """Return what to tell a player, or None."""


GamesDep = Annotated[Games, part("games")]
AdviserDep = Annotated[Adviser, part("coach")]
ConditionNotesDep = Annotated[ConditionNotes, part("conditions")]
FeedDep = Annotated[GameFeed, part("feed")]
