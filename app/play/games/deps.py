"""FastAPI dependencies of routes about games."""

from typing import Annotated, Protocol

from app.core.i18n.text import Text
from app.core.web.deps import part
from app.play.games.advice import Adviser
from app.play.games.follow import GameFeed
from app.play.games.game import GameState
from app.play.games.service import Games


class ConditionNotes(Protocol):
    """Says what has become of players' conditional moves."""

    async def note(self, state: GameState, account_id: int) -> Text | None:
        """Return what to tell a player, or None."""


GamesDep = Annotated[Games, part("games")]
AdviserDep = Annotated[Adviser, part("coach")]
ConditionNotesDep = Annotated[ConditionNotes, part("conditions")]
FeedDep = Annotated[GameFeed, part("feed")]
