"""Records as the JSON API and the event stream show them."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from app.core.database.rank_order import RankedPage
from app.core.web.shown import Id, NextCursor, Opponent, Shown, Username, example
from app.nugget.records.reading import RecordTable, RecordTaken
from app.nugget.schemas.entries import MeanShown

Kind = Annotated[str, example("mean")]


class BoardRecord(Shown):
    """The fewest moves known on a board as it is played: who was the first, and how many players have it.

    From where the board begins in that entry, no solution has fewer moves than `bound`; null if the entry was
    not published, except on board 1, which begins alike in all.
    """

    number: int
    moves: int
    bound: int | None = None
    username: Username | None
    entry_id: Id
    at: datetime
    count: int


class MeanRecord(Shown):
    """The best mean known over the first boards, as of a board."""

    boards: int
    mean: MeanShown
    username: Username | None
    entry_id: Id
    at: datetime
    count: int


class RecordsShown(BaseModel):
    """The records of each board and over the first 20, 50, 100 and 200 boards."""

    boards: list[BoardRecord]
    means: list[MeanRecord]

    @classmethod
    def of(cls, table: RecordTable) -> Self:
        """Return the table of records as the API shows it."""
        return cls(
            boards=[
                BoardRecord.model_validate(record).model_copy(
                    update={"bound": table.bounds.get(record.number)}
                )
                for record in table.boards
            ],
            means=[MeanRecord.model_validate(record) for record in table.means],
        )


class RecordChangeShown(BaseModel):
    """A record that `username` took: `kind` is `mean`, over the first `boards`, or `board`, on that board.

    `before` and `from` are null if it is the first one. The mean over one board is its moves.
    """

    kind: Kind
    boards: int
    before: MeanShown | None
    after: MeanShown
    username: Username | None
    loser: Annotated[Opponent | None, Field(alias="from")]
    entry_id: Id
    at: datetime

    @classmethod
    def of(cls, taken: RecordTaken) -> Self:
        """Return a change as the API shows it."""
        return cls(
            kind=taken.kind,
            boards=taken.number,
            before=taken.before and MeanShown.model_validate(taken.before),
            after=MeanShown.model_validate(taken.mean),
            username=taken.username,
            entry_id=taken.entry_id,
            at=taken.at,
            **{"from": taken.loser},
        )


class RecordChanges(BaseModel):
    """A page of what was taken, the latest first, and the cursor of the next one."""

    changes: list[RecordChangeShown]
    next: NextCursor | None

    @classmethod
    def of(cls, page: RankedPage[RecordTaken]) -> Self:
        """Return a page as the API shows it."""
        return cls(changes=[RecordChangeShown.of(taken) for taken in page.rows], next=page.next)


class RecordBeatenEvent(TypedDict):
    """Somebody took a record of yours; see `RecordChangeShown`."""

    type: Literal["record_beaten"]
    kind: Kind
    boards: int
    before: MeanShown
    after: MeanShown
    by: Opponent | None
    entry_id: Id


def beaten(taken: RecordTaken) -> RecordBeatenEvent:
    """Return the event for the player who lost a record."""
    shown = RecordChangeShown.of(taken)
    assert shown.before is not None
    return {
        "type": "record_beaten",
        "kind": shown.kind,
        "boards": shown.boards,
        "before": shown.before,
        "after": shown.after,
        "by": shown.username,
        "entry_id": shown.entry_id,
    }
