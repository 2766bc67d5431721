"""What pages, feeds and notifications show of records, as plain values and texts."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from app.core.i18n.formats import decimal
from app.core.i18n.text import Text, _, listed, ngettext
from app.core.web.filters import shown_name
from app.core.web.render import kept
from app.nugget.presenter import Choices, ranges
from app.nugget.records.keeping import EVERYBODY, MEAN, PEOPLE
from app.nugget.records.reading import RecordChangeShown, Records, Taking
from engine.golden_nugget.ranking import LENGTHS, Mean

LATEST, LISTED = 10, 50
"""The entries that are told of below the table, and on a page of their own."""


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
    records_html = kept("partials/nugget_records.html", boards=table.boards, means=table.means)
    return {"boards": str(boards), "table": table, "records": records_html}


async def takings_context(records: Records, players: str, cursor: str, limit: int) -> dict[str, Any]:
    """Return a page of what was taken as the templates show it."""
    takings = await records.takings(players, cursor, limit)
    return {"cursor": cursor, "next": takings.next, "takings": takings.rows, "sentences": sentences}


def sentences(taking: Taking) -> list[Text]:
    """Return what an entry took, the records over the most boards first, and from whom."""
    means = [_of_mean(taken) for taken in taking if taken.kind == MEAN]
    of_boards = sorted(
        (taken for taken in taking if taken.kind != MEAN),
        key=lambda taken: (taken.loser_id or 0, taken.boards),
    )
    by_loser = groupby(of_boards, key=lambda taken: taken.loser_id)
    return [*means, *(_of_boards(list(boards)) for _loser, boards in by_loser)]


def _of_mean(taken: RecordChangeShown) -> Text:
    named = {"player": shown_name(taken.username), "boards": taken.boards, "after": decimal(taken.after.text)}
    if taken.before is None:
        return _("%(player)s set the first record over %(boards)s boards: %(after)s", **named)
    named["before"] = decimal(taken.before.text)
    if taken.loser_id == taken.account_id:
        return _("%(player)s improved the mean over %(boards)s boards: %(before)s → %(after)s", **named)
    return _(
        "%(player)s took the mean over %(boards)s boards from %(loser)s: %(before)s → %(after)s",
        loser=shown_name(taken.loser),
        **named,
    )


def _of_boards(all_taken: Sequence[RecordChangeShown]) -> Text:
    """Return what is said of boards that were taken from one player."""
    taken, count = all_taken[0], len(all_taken)
    named = {"player": shown_name(taken.username), "boards": ranges(each.boards for each in all_taken)}
    if taken.before is None:
        return ngettext(
            "%(player)s set the first record on board %(boards)s",
            "%(player)s set the first records on boards %(boards)s",
            count,
            **named,
        )
    if taken.loser_id == taken.account_id:
        return ngettext(
            "%(player)s improved board %(boards)s", "%(player)s improved boards %(boards)s", count, **named
        )
    return ngettext(
        "%(player)s took board %(boards)s from %(loser)s",
        "%(player)s took boards %(boards)s from %(loser)s",
        count,
        loser=shown_name(taken.loser),
        **named,
    )


def lost(data: Mapping[str, Any]) -> Text:
    """Return what a notification says of the records that its reader lost."""
    boards, before, after, others = (data[name] for name in ("boards", "before", "after", "others"))
    if data["kind"] == MEAN:
        means = {"before": decimal(Mean(before, boards).text), "after": decimal(Mean(after, boards).text)}
        first = _("mean over %(boards)s boards: %(before)s → %(after)s", boards=boards, **means)
    else:
        first = _("board %(number)s: %(before)s → %(after)s moves", number=boards, before=before, after=after)
    if not others:
        return first
    return listed(first, ngettext("%(count)s record more", "%(count)s records more", others))
