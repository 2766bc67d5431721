"""Ladders as open pages follow them: read once after each change, for all readers in a process."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.compete.ladders.queries import LadderChangeShown
from app.compete.ladders.service import LadderRow, Ladders
from app.core.database.ranking import RankedPage
from app.live.drawing import Drawn
from app.live.sharing import Shared

ROWS = 50
"""The places that a page shows."""

CHANGES = 20
"""The changes that a page shows."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A page of a ladder at one moment, and what happened last: one change more than pages show."""

    table: RankedPage[LadderRow]
    changes: Sequence[LadderChangeShown]
    has_more_changes: bool
    drawn: Drawn[str] = field(default_factory=Drawn)


class FollowedLadders:
    """Reads ladders for open pages: what was committed before a call, once for all callers."""

    def __init__(self, ladders: Ladders) -> None:
        self._ladders = ladders
        self._pages = Shared(self._read)

    async def read(self, game: str, cursor: str) -> Snapshot:
        """Return a page of a ladder as it is now. Raise NotFoundError, InvalidError `bad_cursor`."""
        return await self._pages.read((game, cursor))

    async def _read(self, page: tuple[str, str]) -> Snapshot:
        game, cursor = page
        table = await self._ladders.table(game, cursor, ROWS)
        return Snapshot(table, *await self._ladders.changes(game, None, CHANGES))
