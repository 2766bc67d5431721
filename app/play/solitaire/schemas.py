"""Solitaire games and races in the JSON API, and what their forms send."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.registered import GameKey, Options, one_of
from app.core.web.shown import GameId
from app.play.solitaire.races import MINUTES


class NewGame(RequestBody):
    """A solitaire game to start."""

    game: GameKey
    options: Annotated[Options, Field(default_factory=dict)]


class RaceRequest(NewGame):
    """A race to make, which lasts a number of minutes: from now on, or from when its maker starts it."""

    minutes: Annotated[int, one_of(*MINUTES)]
    starts: Literal["now", "later"] = "now"


class RaceGame(BaseModel):
    """The player's game in a race; null before its start."""

    game_id: GameId | None


class StartForm(BaseModel):
    """A game to start; without a size, on the usual board."""

    game: Annotated[str, Field(max_length=32)]
    size: int | None = None

    @property
    def options(self) -> dict[str, int]:
        """Return the options of the game that the form sets."""
        return {} if self.size is None else {"size": self.size}


class RaceForm(StartForm):
    """A race to make."""

    minutes: int = 10
