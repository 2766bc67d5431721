"""How boards of the day are shown."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from app.core.i18n.text import Text
from app.core.web.render import kept
from app.people.identity.service import Identity

Figures = Sequence[tuple[Text, str]]
"""The figures of a day's ranking: the label of each, and the member of a row."""


def ranking_table(rows: Sequence[Any], figures: Figures, viewer: Identity | None) -> Markup | None:
    """Return rows of a day's ranking as HTML, with the viewer's own marked, or None without rows."""
    if not rows:
        return None
    reader = viewer.id if viewer and any(row.account_id == viewer.id for row in rows) else None
    return kept("partials/day_ranking.html", rows=rows, figures=figures, reader=reader)
