"""What the pages of Golden Nugget show, as plain values and texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Literal

from app.i18n.formats import decimal
from app.i18n.text import Text, _, joined, ngettext
from app.nugget import standings
from app.nugget.competitions import CompetitionInfo
from app.nugget.lineage import Source
from app.nugget.queries import EntryInfo
from app.nugget.runs import RunState
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

VISIBILITIES: Choices = (
    ("open", _("open to everybody")),
    ("sealed", _("sealed: only the number of entries is shown")),
)

_PLAYERS = {
    "everybody": _("everybody"),
    "people": _("people"),
    "computers": _("computers"),
    "assisted": _("assisted"),
}

STATUSES = {
    "coming": _("coming"),
    "open": _("open"),
    "ended": _("ended"),
    "cancelled": _("cancelled"),
}
"""What lists say of the status of a competition."""

_YEAR = 4  # digits; a period of fewer is a number of boards


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


def competition_form(competition: CompetitionInfo) -> Mapping[str, str]:
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


@dataclass(frozen=True, slots=True)
class CompetitionWords:
    """The texts about a competition's ranking: a title, and a note if it is sealed or empty."""

    title: Text
    sealed: Text
    empty: Text


def competition_words(competition: CompetitionInfo) -> CompetitionWords:
    """Return the texts for a competition at this moment."""
    has_ended = competition.status == "ended"
    entries = ngettext("%(count)s entry has come in.", "%(count)s entries have come in.", competition.entries)
    return CompetitionWords(
        title=_("Final report") if has_ended else _("Ranking"),
        sealed=joined(_("The scores are sealed until the end."), entries),
        empty=_("No entry came in.") if has_ended else _("No entry has come in yet."),
    )


def welcome(entry: EntryInfo, before: int | Literal["none"]) -> Text:
    """Return the message to a player who has just submitted an entry.

    `before` is the rank of the player's best entry until then.
    """
    sentences = [_("Your entry is in.")]
    if entry.rank and before != "none":
        sentences.append(
            _(
                "Your best entry ranked %(before)s before; this one ranks %(rank)s.",
                before=before,
                rank=entry.rank,
            )
        )
    elif entry.rank:
        sentences.append(_("It ranks %(rank)s.", rank=entry.rank))
    proof = _("Keep the receipt below: it proves that this record was yours at this moment.")
    return joined(*sentences, proof)


def secrecy(entry: EntryInfo) -> Text | None:
    """Return who may see the moves of an entry, or None if everybody may."""
    if not entry.record:
        return _(
            "%(player)s has not published the moves; the receipt proves when they were submitted.",
            player=entry.username,
        )
    return _("Only you can see the moves.") if entry.is_mine and not entry.published_at else None


@dataclass(frozen=True, slots=True)
class Lineage:
    """What is said about the source of an entry: a sentence, the consequence, and a link to the source."""

    text: Text
    consequence: Text | None
    source: Text | None
    url: str


def lineage(source: Source | None, consequence: Text) -> Lineage | None:
    """Return what is said about the source of a record; None if it is not derived.

    `consequence` says how the record ranks if the computer helped.
    """
    if source is None or not source.is_original:
        return None
    shown = consequence if source.is_help else None
    if source.entry_id is None:
        return Lineage(
            ngettext(
                "The computer helped a player with the first board, or the last of them.",
                "The computer helped a player with the first %(count)s boards, or the last of them.",
                source.boards,
            ),
            shown,
            None,
            "",
        )
    return Lineage(
        ngettext(
            "The first board ends like that of an earlier entry.",
            "The first %(count)s boards end like those of an earlier entry.",
            source.boards,
        ),
        shown,
        _("%(player)s's entry", player=source.username),
        f"/nugget/entries/{source.entry_id}",
    )


def problem_text(problem: Problem) -> Text:
    """Return what is wrong with a record."""
    return Text(problem.sentence, values=problem.figures)


def comparison(runs: Sequence[RunState]) -> list[tuple[str, ...]]:
    """Return the rows of a table that compares runs: the moves on each board, and finally the means."""
    counts = [run.solved_counts for run in runs]
    most = max((len(solved) for solved in counts), default=0)
    rows: list[tuple[str, ...]] = [
        (str(place + 1), *(str(solved[place]) if place < len(solved) else _NONE for solved in counts))
        for place in range(most)
    ]
    return [*rows, (_("Mean"), *(decimal(mean_of(solved).text) if solved else _NONE for solved in counts))]


_NONE = "\N{EN DASH}"
