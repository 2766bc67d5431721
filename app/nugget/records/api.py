"""Records for programs: the table, and who took which from whom."""

from collections.abc import Sequence

from pydantic import BaseModel

from app.core.web.deps import Part
from app.core.web.params import PageDep
from app.core.web.routes import Router
from app.core.web.shown import NextCursor
from app.nugget.records.forms import QueryBoards, QueryPlayers
from app.nugget.records.reading import RecordChangeShown, Records, RecordsShown


class RecordChanges(BaseModel):
    """A page of what was taken, the latest first, and the cursor of the next one."""

    changes: Sequence[RecordChangeShown]
    next: NextCursor | None


router = Router(prefix="/api/v1", tags=["golden nugget"])


@router.get("/nugget/records")
async def table(
    records: Part[Records], boards: QueryBoards = 200, players: QueryPlayers = "people"
) -> RecordsShown:
    """Return the fewest moves known on each of the first `boards`, and over the first 20 to 200 of them.

    `players` is `people` or `everybody`, which is people and computers. Assisted entries have no records.
    """
    return await records.table(players, boards)


@router.get("/nugget/records/changes")
async def changes(records: Part[Records], page: PageDep, players: QueryPlayers = "people") -> RecordChanges:
    """Return who took which record from whom, the latest first."""
    taken = await records.changes(players, *page)
    return RecordChanges(changes=taken.rows, next=taken.next)
