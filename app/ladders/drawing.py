"""Draws the parts of open pages of ladders, once for all readers to whom they look the same."""

from typing import Any

from app.i18n.languages import current
from app.identity.service import Identity
from app.ladders.follow import Snapshot
from app.ladders.presenter import history_context, table_context
from app.ladders.service import Own
from app.web.render import fragment


class Drawing:
    """What one open page shows. Only parts that have changed are sent to it again.

    A page that shows the history before a change keeps that part of it.
    """

    def __init__(self, game: str, viewer: Identity | None, cursor: str, before: int | None) -> None:
        self._path = f"/ladders/{game}"
        self._viewer = viewer
        self._cursor = cursor
        self._before = before
        self._parts: dict[str, str] = {}

    def update(self, snapshot: Snapshot, own: Own | None) -> str:
        """Return what brings the page up to date for a viewer whose own part of the ladder is `own`."""
        table = table_context(snapshot.table, own, self._cursor)
        parts = {
            "own": self._fragment("own", own=own),
            "table": self._fragment("table", **table) if own else self._drawn(snapshot, "table", table),
        }
        if self._before is None:
            parts["history"] = self._drawn(snapshot, "history", history_context(snapshot.changes, None))
        changed = [html for name, html in parts.items() if self._parts.get(name) != html]
        self._parts = parts
        return "".join(changed)

    def _drawn(self, snapshot: Snapshot, name: str, context: dict[str, Any]) -> str:
        of_all = (name, current())
        if of_all not in snapshot.drawn:
            snapshot.drawn[of_all] = self._fragment(name, **context)
        return snapshot.drawn[of_all]

    def _fragment(self, name: str, **context: Any) -> str:
        return fragment(
            "partials/ladder_update.html",
            part=name,
            source=f"partials/ladder_{name}.html",
            path=self._path,
            viewer=self._viewer,
            **context,
        )
