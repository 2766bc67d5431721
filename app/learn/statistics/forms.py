"""What the form of the explorer sends."""

from typing import Annotated

from pydantic import BaseModel, Field, field_validator

from app.learn.statistics.service import ALL, ME, Source


class ExplorerQuery(BaseModel):
    """A position of a game for two, and whose games to look at: a player's name, `mine`, or everybody's."""

    game: Annotated[str, Field(max_length=32)] = "jadejack"
    position: Annotated[str, Field(max_length=4_000)] = ""
    player: Annotated[str, Field(max_length=32)] = ""
    mine: Annotated[str, Field(max_length=3)] = ""
    above: Annotated[int | None, Field(ge=0, le=10_000)] = None

    @field_validator("above", mode="before")
    @classmethod
    def _without_empty(cls, value: object) -> object:
        return None if value == "" else value

    @property
    def chosen(self) -> Source:
        """Return whose games to look at."""
        return Source(ME if self.mine else self.player or ALL, self.above)
