"""What the pages of records show, as plain values and texts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.core.i18n.text import Text, _, ngettext
from app.core.web.render import kept
from app.nugget.presenter import Choices
from app.nugget.records.keeping import EVERYBODY, PEOPLE
from app.nugget.records.reading import Records
from app.nugget.records.wording import sentences
from engine.golden_nugget.ranking import LENGTHS

LATEST, LISTED = 10, 50
"""The entries that are told of below the table, and on a page of their own."""


@dataclass(frozen=True, slots=True)
class TakingView:
    """What an entry took, in sentences."""

    entry_id: str
    at: datetime
    sentences: list[Text]


def record_filters() -> dict[str, Choices]:
    """Return the choices of players and of first boards."""
    return {
        "players": [(PEOPLE, _("people")), (EVERYBODY, _("everybody"))],
        "boards": [
            (str(length), ngettext("%(count)s board", "%(count)s boards", length)) for length in LENGTHS
        ],
    }


async def table_context(records: Records, players: str, boards: int) -> dict[str, Any]:
    """Return the records of the first boards as the templates show them."""
    table = await records.table(players, boards)
    records_html = kept(
        "partials/nugget_records.html", boards=table.boards, means=table.means, bounds=table.bounds
    )
    return {"boards": str(boards), "table": table, "records": records_html}


async def takings_context(records: Records, players: str, cursor: str, limit: int) -> dict[str, Any]:
    """Return a page of what was taken as the templates show it."""
    takings = await records.takings(players, cursor, limit)
    return {
        "cursor": cursor,
        "next": takings.next,
        "takings": [TakingView(each[0].entry_id, each[0].at, sentences(each)) for each in takings.rows],
    }
