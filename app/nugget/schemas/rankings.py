"""Rankings and competitions."""

from datetime import datetime
from typing import Self

from pydantic import BaseModel

from app.core.database.ranking import RankedPage
from app.core.web.bodies import RequestBody
from app.nugget.competitions import CompetitionInfo
from app.nugget.forms import Closing, NewCompetition
from app.nugget.schemas.means import ENTRY_ID, MEAN, MeanShown, example
from app.nugget.standings import RankedEntry


class RankingRow(BaseModel):
    """A row of a ranking; equal entries share a rank. A closed account that stays has no `username`."""

    model_config = example(
        rank=1, username="wren", boards=20, moves=712, mean=MEAN, submitted_at="2026-11-21T12:00:00Z",
        entry_id=ENTRY_ID,
    )  # fmt: skip

    rank: int
    username: str | None
    boards: int
    moves: int
    mean: MeanShown
    submitted_at: datetime
    entry_id: str


class RankingPage(BaseModel):
    """A page of a ranking, and the cursor of the next one."""

    model_config = example(rows=[], next=None)

    rows: list[RankingRow]
    next: str | None

    @classmethod
    def of(cls, page: RankedPage[RankedEntry]) -> Self:
        """Return a page as the API shows it."""
        return cls(rows=[RankingRow.model_validate(row.as_dict()) for row in page.rows], next=page.next)


class CompetitionShown(BaseModel):
    """A competition. The ranking of a `sealed` one is secret until it ends.

    `status` is coming, open, ended or cancelled; `reason` is why it was ended early or cancelled.
    """

    model_config = example(
        id="x7k2mq9rtz", title="Winter cup", text="", organiser="wren", status="open",
        starts_at="2026-12-01T00:00:00Z", ends_at="2026-12-31T00:00:00Z", min_boards=20, max_boards=50,
        visibility="sealed", entries=3, reason="",
    )  # fmt: skip

    id: str
    title: str
    text: str
    organiser: str
    status: str
    starts_at: datetime
    ends_at: datetime
    min_boards: int
    max_boards: int
    visibility: str
    entries: int
    reason: str

    @classmethod
    def of(cls, competition: CompetitionInfo) -> Self:
        """Return a competition as the API shows it."""
        return cls.model_validate(competition, from_attributes=True)


class CompetitionTerms(RequestBody, NewCompetition):
    """A competition to create, or what one changes to before its start."""

    model_config = example(
        title="Winter cup", starts_at="2026-12-01T00:00:00Z", ends_at="2026-12-31T00:00:00Z"
    )


class CompetitionClosing(RequestBody, Closing):
    """Why a competition ends early or is cancelled; its page shows it."""

    model_config = example(reason="Moved to spring.")
