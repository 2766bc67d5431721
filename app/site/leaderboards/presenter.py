"""The tables of ratings, and the boards of the best games that are known, as pages show them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter

from cachetools import TTLCache, cached
from markupsafe import Markup

from app.core.i18n.languages import current
from app.core.web.render import fragment
from app.people.identity.service import Identity
from app.play.games.boards import BOARDS
from app.play.games.game import GameState
from app.play.games.presenter.board import board_of
from app.play.games.wording import uncertainty
from app.play.ratings.leaderboard import RankedRating
from app.site.leaderboards.findings import Known, finding
from engine.glicko2 import Rating

# Tuples are compared much faster than the rows.
_VALUES = attrgetter(
    *(field.name for field in fields(RankedRating) if field.name != "rating"),
    *(f"rating.{field.name}" for field in fields(Rating)),
)


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """The last position of the best game at a size, with its score and the path of its replay."""

    size: int
    points: int
    tie_break: int | None
    board: Markup
    path: str


def drawn(known: Sequence[Known], games: Mapping[str, GameState]) -> Iterator[DrawnBoard]:
    """Yield the boards of the best games, size by size; `games` are those of players, by their ids."""
    for row in known:
        if row.by and row.by.game_id in games:
            board = board_of(games[row.by.game_id])
            yield DrawnBoard(
                row.size, row.by.points, row.by.tie_break, board, f"/games/{row.by.game_id}?ply=0"
            )
        elif row.found and row.found.is_replayable:
            found = row.found
            board = _board_of(found.game, found.size, current())
            yield DrawnBoard(row.size, found.value, found.tie_break, board, found.path)


def ratings_table(
    rows: Sequence[RankedRating], trends: Mapping[int, float], viewer: Identity | None
) -> Markup:
    """Return rows of a leaderboard as HTML, with the viewer's own marked."""
    changes = tuple(trends.get(row.account_id) for row in rows)
    reader = viewer.id if viewer and any(row.account_id == viewer.id for row in rows) else None
    return _ratings_table(tuple(rows), changes, reader)


# It says how long ago somebody played, in minutes.
@cached(
    TTLCache(maxsize=32, ttl=30), key=lambda rows, *others: (tuple(map(_VALUES, rows)), *others, current())
)
def _ratings_table(
    rows: Sequence[RankedRating], changes: Sequence[float | None], reader: int | None
) -> Markup:
    html = fragment(
        "partials/ratings_table.html",
        rows=rows,
        has_trends=any(change is not None for change in changes),
        trends={row.account_id: change for row, change in zip(rows, changes, strict=True)},
        reader=reader,
        uncertainty=uncertainty,
    )
    return Markup(html)  # noqa: S704 - an escaped template


@cache
def _board_of(game: str, size: int, _language: str) -> Markup:
    """Return the last position of the game that a search found. The words in it are those of a language."""
    record = finding(game, 1, size).record
    *_, end = record.positions()
    return BOARDS[record.rules].draw(end, finished=True)
