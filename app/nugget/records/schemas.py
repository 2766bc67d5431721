"""What the event stream tells of records."""

from typing import Literal

from typing_extensions import TypedDict

from app.core.web.shown import Id, Opponent
from app.nugget.means import MeanShown
from app.nugget.records.reading import Kind, RecordChangeShown


class RecordBeatenEvent(TypedDict):
    """Somebody took a record of yours; see `RecordChangeShown`."""

    type: Literal["record_beaten"]
    kind: Kind
    boards: int
    before: MeanShown
    after: MeanShown
    by: Opponent | None
    entry_id: Id


def beaten(taken: RecordChangeShown) -> RecordBeatenEvent:
    """Return the event for the player who lost a record."""
    assert taken.before is not None
    return {
        "type": "record_beaten",
        "kind": taken.kind,
        "boards": taken.boards,
        "before": MeanShown.of(taken.before),
        "after": MeanShown.of(taken.after),
        "by": taken.username,
        "entry_id": taken.entry_id,
    }
