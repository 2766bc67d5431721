"""What is said of records that were taken."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from app.core.i18n.formats import decimal
from app.core.i18n.text import Text, _, listed, ngettext
from app.core.web.filters import shown_name
from app.nugget.records.keeping import MEAN
from app.nugget.records.reading import RecordTaken, Taking
from engine.golden_nugget.ranking import Mean

_DASH = "\N{EN DASH}"


def sentences(taking: Taking) -> list[Text]:
    """Return what an entry took, the records over the most boards first, and from whom."""
    means = [_of_mean(taken) for taken in taking if taken.kind == MEAN]
    of_boards = sorted(
        (taken for taken in taking if taken.kind != MEAN),
        key=lambda taken: (taken.loser_id or 0, taken.number),
    )
    by_loser = groupby(of_boards, key=lambda taken: taken.loser_id)
    return [*means, *(_of_boards(list(boards)) for _loser, boards in by_loser)]


def _of_mean(taken: RecordTaken) -> Text:
    named = {"player": shown_name(taken.username), "boards": taken.number, "after": decimal(taken.mean.text)}
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


def _of_boards(all_taken: Sequence[RecordTaken]) -> Text:
    """Return what is said of boards that were taken from one player."""
    taken, count = all_taken[0], len(all_taken)
    named = {"player": shown_name(taken.username), "boards": _ranges(each.number for each in all_taken)}
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


def _ranges(numbers: Iterable[int]) -> tuple[str, ...]:
    """Return ascending numbers, of which those that follow each other are told by the first and the last."""
    stretches: list[tuple[int, int]] = []
    for number in numbers:
        if stretches and stretches[-1][1] == number - 1:
            stretches[-1] = stretches[-1][0], number
        else:
            stretches.append((number, number))
    return tuple(str(first) if first == last else f"{first}{_DASH}{last}" for first, last in stretches)


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
