"""Rankings and competitions."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import BaseModel

from app.core.database.ranking import RankedPage
from app.core.web.shown import Id, NextCursor, Shown, Text, Username, example
from app.nugget.schemas.entries import MeanShown
from app.nugget.standings import RankedEntry


class RankingRow(BaseModel):
    """A row of a ranking; equal entries share a rank. A closed account that stays has no `username`."""

    rank: int
    username: Username | None
    boards: int
    moves: int
    mean: MeanShown
    submitted_at: datetime
    entry_id: Id


class RankingPage(BaseModel):
    """A page of a ranking, and the cursor of the next one."""

    rows: list[RankingRow]
    next: NextCursor | None

    @classmethod
    def of(cls, page: RankedPage[RankedEntry]) -> Self:
        """Return a page as the API shows it."""
        return cls(rows=[RankingRow.model_validate(row.as_dict()) for row in page.rows], next=page.next)


class CompetitionShown(Shown):
    """A competition. The ranking of a `sealed` one is secret until it ends.

    `status` is coming, open, ended or cancelled; `reason` is why it was ended early or cancelled.
    """

    id: Annotated[str, example("x7k2mq9rtz")]
    title: Annotated[str, example("Winter cup")]
    text: Text
    organiser: Username
    status: Annotated[str, example("open")]
    starts_at: datetime
    ends_at: datetime
    min_boards: int
    max_boards: int
    visibility: Annotated[str, example("sealed")]
    entries: int
    reason: Text
