"""How boards of the day are shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from app.core.i18n.languages import current
from app.core.i18n.text import Text
from app.core.web.render import fragment
from app.people.identity.service import Identity

Figures = Sequence[tuple[Text, str]]
"""The figures of a day's ranking: the label of each, and the member of a row."""


def ranking_table(rows: Sequence[Any], figures: Figures, viewer: Identity | None) -> Markup | None:
    """Return rows of a day's ranking as HTML, with the viewer's own marked, or None without rows."""
    if not rows:
        return None
    reader = viewer.id if viewer and any(row.account_id == viewer.id for row in rows) else None
    return _drawn(_Table(tuple(rows), tuple(figures), reader, current()))


@dataclass(frozen=True, slots=True)
class _Table:
    """All that decides how the table looks; the row of the account `reader` is marked."""

    rows: tuple[Any, ...]
    figures: tuple[tuple[Text, str], ...]
    reader: int | None
    language: str


@lru_cache(maxsize=32)
def _drawn(table: _Table) -> Markup:
    return Markup(fragment("partials/day_ranking.html", table=table))  # noqa: S704 - an escaped template
