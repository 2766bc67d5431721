"""What the pages of Golden Nugget show, as plain values and texts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Literal

from markupsafe import Markup

from app.core.i18n.formats import decimal
from app.core.i18n.text import Text, _, joined, ngettext
from app.core.web.render import kept
from app.nugget import standings
from app.nugget.bounds.proven import start_bound
from app.nugget.competitions import CompetitionShown
from app.nugget.forms import CompetitionTerms
from app.nugget.lineage import Lineage
from app.nugget.queries import EntryInfo
from app.nugget.rankings import Rankings
from app.nugget.standings import RankingRow
from app.nugget.tree.reading import Beginning
from app.people.identity.service import Identity
from engine.golden_nugget.cycle import Cycle
from engine.golden_nugget.problems import Problem
from engine.golden_nugget.ranking import mean_of

Choices = Sequence[tuple[str, str]]
"""Options of a select: value and text."""

NEW_COMPETITION: Mapping[str, str] = {
    **dict.fromkeys(("title", "text", "starts_at", "ends_at"), ""),
    "min_boards": "20",
    "max_boards": "200",
    "visibility": "open",
}
"""The form of a new competition before anything is entered."""

_PLAYERS = {
    "people": _("people"),
    "computers": _("computers"),
    "everybody": _("everybody"),
    "assisted": _("assisted"),
    "common": _("common records"),
}

_YEAR = 4  # digits; a period of fewer is a number of boards

_NONE = "\N{EN DASH}"
_ROWS = 50


def ranking_filters() -> dict[str, Choices]:
    """Return the choices of players and periods of the world ranking."""
    periods = [(period, _period_text(period)) for period in standings.periods()]
    return {"players": list(_PLAYERS.items()), "periods": periods}


def _period_text(period: str) -> Text:
    if period == "all":
        return _("of all time")
    if len(period) == _YEAR:
        return _("of %(year)s", year=period)
    return ngettext("of %(count)s board", "of %(count)s boards", int(period))


def competition_form(competition: CompetitionShown | CompetitionTerms) -> Mapping[str, str]:
    """Return a competition as the values of its form."""
    return {
        "title": competition.title,
        "text": competition.text,
        "starts_at": f"{competition.starts_at.astimezone(UTC):%Y-%m-%dT%H:%M}",
        "ends_at": f"{competition.ends_at.astimezone(UTC):%Y-%m-%dT%H:%M}",
        "min_boards": str(competition.min_boards),
        "max_boards": str(competition.max_boards),
        "visibility": competition.visibility,
    }


def rank_label(*, assisted: bool | None, common: bool | None) -> Text:
    """Return the label of the rank of an entry, or of a run, which says among which entries it is."""
    if assisted:
        return _("Rank among assisted entries")
    return _("Rank among common records") if common else _("Rank with computers")


def welcome(entry: EntryInfo, before: int | Literal["none"]) -> Text:
    """Return the message to a player who has just submitted an entry.

    `before` is the rank of the player's best entry until then.
    """
    sentences = [_("Your entry is in.")]
    if entry.rank:
        label = rank_label(assisted=entry.assisted, common=entry.common)
        sentences.append(_("%(label)s: %(rank)s.", label=label, rank=entry.rank))
    if entry.rank and before != "none":
        sentences.append(_("Your best entry before was number %(before)s.", before=before))
    proof = _("Keep the receipt below: it proves that this record was yours at this moment.")
    return joined(*sentences, proof)


def cycle(found: Cycle | None) -> Text | None:
    """Return what is said of the boards that an entry repeats, None if there are none."""
    if found is None:
        return None
    return ngettext(
        "Boards %(first)s to %(last)s, the stronger bars, are a cycle: each begins like the one before it, "
        "perhaps turned or mirrored. It takes %(mean)s moves a board.",
        "Boards %(first)s to %(last)s, the stronger bars, are a cycle of %(count)s boards: each begins like "
        "the one %(count)s before it, perhaps turned or mirrored. It takes %(mean)s moves a board.",
        found.boards,
        first=found.first,
        last=found.last,
        mean=decimal(found.mean.text),
    )


def secrecy(entry: EntryInfo) -> Text | None:
    """Return who may see the moves of an entry, or None if everybody may."""
    if not entry.record:
        return _(
            "%(player)s has not published the moves; the receipt proves when they were submitted.",
            player=entry.username,
        )
    return _("Only you can see the moves.") if entry.is_mine and not entry.is_readable else None


@dataclass(frozen=True, slots=True)
class SharedBoards:
    """Consecutive boards that come from an entry, or from the computer's help: here, there, and whose."""

    here: str
    there: str
    whose: Text
    url: str


@dataclass(frozen=True, slots=True)
class LineageShown:
    """What is said about where boards come from.

    `source` is the entry that a derived one names, with a link.
    """

    text: Text
    source: Text | None
    url: str
    consequence: Text | None
    rows: Sequence[SharedBoards]


def proven(entry: EntryInfo, beginnings: Mapping[int, Beginning]) -> Text | None:
    """Return a sentence on how few moves the boards of an entry take, each from where it begins."""
    if not entry.mean or not beginnings:
        return None
    bound = sum(beginning.bound for beginning in beginnings.values())
    return _(
        "From where its boards begin, they take at least %(bound)s moves together; it has %(moves)s "
        "(a gap of %(gap)s).",
        bound=bound,
        moves=entry.mean.moves,
        gap=entry.mean.moves - bound,
    )


def lineage(found: Lineage | None, *, assisted: bool | None, common: bool | None) -> LineageShown | None:
    """Return what is said about where the boards of a record come from; None if all are its own.

    `assisted` and `common` say among which entries it ranks.
    """
    if found is None or not found.boards:
        return None
    rows = [
        SharedBoards(boards, _NONE, _("help from %(player)s", player=found.solver), "")
        for boards in ranges(found.helped)
    ]
    for share in found.shares:
        whose, url = _("%(player)s's entry", player=share.username), f"/nugget/entries/{share.entry_id}"
        for (first, their_first), (last, their_last) in _stretches(share.boards):
            rows.append(SharedBoards(_numbers(first, last), _numbers(their_first, their_last), whose, url))
    named = found.main if found.is_derived else None
    return LineageShown(
        ngettext("%(count)s board comes from others.", "%(count)s boards come from others.", found.boards),
        _("%(player)s's entry", player=named.username) if named else None,
        f"/nugget/entries/{named.entry_id}" if named else "",
        _consequence(assisted=assisted, common=common) if found.is_derived else None,
        rows,
    )


def _consequence(*, assisted: bool | None, common: bool | None) -> Text | None:
    if assisted:
        return _("So it ranks among assisted entries.")
    return _("So it ranks among common records.") if common else None


_Boards = tuple[int, int]


def _stretches(boards: Sequence[_Boards]) -> list[tuple[_Boards, _Boards]]:
    """Return the first and the last of each stretch of boards that follow each other here and there."""
    stretches: list[tuple[_Boards, _Boards]] = []
    for here, there in boards:
        if stretches and stretches[-1][1] == (here - 1, there - 1):
            stretches[-1] = (stretches[-1][0], (here, there))
        else:
            stretches.append(((here, there), (here, there)))
    return stretches


def ranges(numbers: Iterable[int]) -> tuple[str, ...]:
    """Return ascending numbers, of which those that follow each other are told by the first and the last."""
    stretches = _stretches([(number, number) for number in numbers])
    return tuple(_numbers(first, last) for (first, _first), (last, _last) in stretches)


def _numbers(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}{_NONE}{last}"


def problem_text(problem: Problem) -> Text:
    """Return what is wrong with a record."""
    return Text(problem.sentence, values=problem.figures)


def comparison(counts: Sequence[Sequence[int]]) -> list[tuple[str, ...]]:
    """Return the rows of a table that compares runs or entries: the moves on each board, and their means."""
    most = max((len(solved) for solved in counts), default=0)
    rows: list[tuple[str, ...]] = [
        (str(place + 1), *(str(solved[place]) if place < len(solved) else _NONE for solved in counts))
        for place in range(most)
    ]
    return [*rows, (_("Mean"), *(decimal(mean_of(solved).text) if solved else _NONE for solved in counts))]


async def ranking_context(
    rankings: Rankings, name: str, viewer: Identity | None, cursor: str
) -> dict[str, Any]:
    """Return a page of a ranking as the templates show it, with the viewer's own row if it is on another."""
    ranking = await rankings.page(name, cursor, _ROWS)
    mine = await rankings.row_of(name, viewer.id) if viewer else None
    return {
        "rows": ranking.rows,
        "ranking_table": ranking_table,
        "next": ranking.next,
        "cursor": cursor,
        "mine": mine if mine not in ranking.rows else None,
        "start_bound": start_bound(),
    }


def ranking_table(
    rows: Sequence[RankingRow],
    viewer: Identity | None,
    mine: RankingRow | None = None,
    here: str = "",
    *,
    fractions: bool = False,
) -> Markup:
    """Return rows of a ranking as HTML, with the viewer's own marked; `mine` is that on another page.

    `here` is the query of the page that has it. With `fractions`, all means have theirs.
    """
    shown = [row.account_id for row in (*rows, mine) if row]
    reader = viewer.id if viewer and viewer.id in shown else None
    return kept(
        "partials/nugget_ranking_table.html",
        rows=rows,
        reader=reader,
        mine=mine,
        here=here,
        fractions=fractions,
    )
