"""The results of a tournament as files."""

import csv
import io

from app.compete.tournaments.queries.results import Results
from app.compete.tournaments.schemas.tournaments import Export, TournamentShown
from app.compete.tournaments.wording import TIE_BREAKS

_COLUMNS = ("rank", "username", "rating", "group", "points", "games", "status")


def as_csv(results: Results) -> str:
    """Return the standings as comma-separated values with a header."""
    sheet = io.StringIO()
    writer = csv.writer(sheet)
    tie_breaks = TIE_BREAKS.get(results.info.terms.kind, ())
    writer.writerow((*_COLUMNS, *tie_breaks))
    for row in results.standings:
        figures = (*row.tie_breaks, *(0.0 for _ in tie_breaks))[: len(tie_breaks)]
        writer.writerow((*(getattr(row, name) for name in _COLUMNS), *figures))
    return sheet.getvalue()


def as_json(results: Results) -> bytes:
    """Return the tournament, its standings and its pairings, as the API shows them."""
    tournament = TournamentShown.of(results.info)
    export = Export(tournament=tournament, standings=results.standings, pairings=results.pairings)
    return export.model_dump_json(by_alias=True).encode()
