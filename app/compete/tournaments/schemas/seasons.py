"""Seasons as programs see them."""

from typing import Any

from pydantic import BaseModel, ConfigDict

_SEASON_ROW: dict[str, Any] = {"rank": 1, "username": "wren", "points": 58, "events": 3}


class SeasonList(BaseModel):
    """The seasons in which there were points, the latest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"seasons": ["2026-4", "2026-3"]}]})

    seasons: list[str]


class SeasonRowShown(BaseModel):
    """A row of a season's table. `events` counts the tournaments and competitions with points.

    A closed account whose results stay has no `username`.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_SEASON_ROW]}, from_attributes=True)

    rank: int
    username: str | None
    points: int
    events: int


class SeasonTable(BaseModel):
    """A page of a season's table, and the cursor of the next one. A final table never changes."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"rows": [_SEASON_ROW], "next": None, "is_final": False}]}
    )

    rows: list[SeasonRowShown]
    next: str | None
    is_final: bool
