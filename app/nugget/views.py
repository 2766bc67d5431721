"""What the pages of Golden Nugget show, as plain values and texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC

from app.nugget import standings
from app.nugget.competitions import CompetitionInfo
from app.nugget.entries import EntryInfo
from app.nugget.lineage import Source
from app.nugget.runs import RunState
from app.nugget.standings import PLAYERS
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
    ("open", "open to everybody"),
    ("sealed", "sealed: only the number of entries is shown"),
)

_YEAR = 4  # digits; a period of fewer is a number of boards


def ranking_filters() -> dict[str, Choices]:
    """Return the choices of players and periods of the world ranking."""
    periods = [(period, _period_text(period)) for period in standings.periods()]
    return {"players": [(players, players) for players in PLAYERS], "periods": periods}


def _period_text(period: str) -> str:
    if period == "all":
        return "of all time"
    return f"of {period}" if len(period) == _YEAR else f"of {period} boards"


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

    title: str
    sealed: str
    empty: str


def competition_words(competition: CompetitionInfo) -> CompetitionWords:
    """Return the texts for a competition at this moment."""
    has_ended = competition.status == "ended"
    entries = "1 entry has" if competition.entries == 1 else f"{competition.entries} entries have"
    return CompetitionWords(
        title="Final report" if has_ended else "Ranking",
        sealed=f"The scores are sealed until the end. {entries} come in.",
        empty="No entry came in." if has_ended else "No entry has come in yet.",
    )


def welcome(entry: EntryInfo, before: str) -> str:
    """Return the message to a player who has just submitted an entry.

    `before` is the rank of the player's best entry until then; any other text means none.
    """
    if before.isdecimal():
        rank = f"Your best entry ranked {before} before; this one ranks {entry.rank}. "
    else:
        rank = f"It ranks {entry.rank}. " if entry.rank else ""
    proof = "Keep the receipt below: it proves that this record was yours at this moment."
    return f"Your entry is in. {rank}{proof}"


def secrecy(entry: EntryInfo) -> str:
    """Return who may see the moves of an entry, or "" if everybody may."""
    if not entry.record:
        receipt = "the receipt proves when they were submitted"
        return f"{entry.username} has not published the moves; {receipt}."
    return "Only you can see the moves." if entry.is_mine and not entry.published_at else ""


@dataclass(frozen=True, slots=True)
class Lineage:
    """The sentence about the source of an entry: a link to the source between two texts."""

    before: str
    source: str
    url: str
    after: str


def lineage(source: Source | None, record: str) -> Lineage | None:
    """Return what is said about the source of a record, such as "this entry"; None if it is not derived."""
    if source is None or not source.is_original:
        return None
    consequence = f" So {record} ranks among assisted entries." if source.is_help else ""
    if source.entry_id is None:
        return Lineage(
            f"The computer helped a player with the first {source.boards} boards of {record}, or the last of"
            f" them.{consequence}",
            "",
            "",
            "",
        )
    return Lineage(
        f"The first {source.boards} boards of {record} end like those of ",
        f"{source.username}'s entry",
        f"/nugget/entries/{source.entry_id}",
        f", which came first.{consequence}",
    )


def comparison(runs: Sequence[RunState]) -> list[tuple[str, ...]]:
    """Return the rows of a table that compares runs: the moves on each board, and finally the means."""
    counts = [run.solved_counts for run in runs]
    most = max((len(solved) for solved in counts), default=0)
    rows: list[tuple[str, ...]] = [
        (str(place + 1), *(str(solved[place]) if place < len(solved) else _NONE for solved in counts))
        for place in range(most)
    ]
    return [*rows, ("Mean", *(mean_of(solved).text if solved else _NONE for solved in counts))]


_NONE = "\N{EN DASH}"
