"""What the forms of solitaire games and races send."""

from typing import Annotated

from pydantic import BaseModel, Field


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
