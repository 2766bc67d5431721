"""Seasons as programs see them."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict

from app.core.web.shown import NextCursor, Username, example


class SeasonList(BaseModel):
    """The seasons in which there were points, the latest first."""

    seasons: list[Annotated[str, example("2026-4")]]


class SeasonRowShown(BaseModel):
    """A row of a season's table. `events` counts the tournaments and competitions with points.

    A closed account whose results stay has no `username`.
    """

    model_config = ConfigDict(from_attributes=True)

    rank: int
    username: Username | None
    points: int
    events: int


class SeasonTable(BaseModel):
    """A page of a season's table, and the cursor of the next one. A final table never changes."""

    rows: list[SeasonRowShown]
    next: NextCursor | None
    is_final: bool
