"""Draws the parts of open pages of ladders, once for all readers to whom they look the same."""

from typing import Any

from app.compete.ladders.follow import Snapshot
from app.compete.ladders.presenter import history_context, table_context
from app.compete.ladders.service import OwnLadderPlace
from app.core.web.render import fragment
from app.live.drawing import Parts
from app.people.identity.service import Identity


class Drawing:
    """What one open page shows. Only parts that have changed are sent to it again.

    A page that shows the history before a change keeps that part of it.
    """

    def __init__(self, game: str, viewer: Identity | None, cursor: str, before: int | None) -> None:
        self._path = f"/ladders/{game}"
        self._viewer = viewer
        self._cursor = cursor
        self._before = before
        self._parts = Parts()

    def update(self, snapshot: Snapshot, own: OwnLadderPlace | None) -> str:
        """Return what brings the page up to date for a viewer whose own part of the ladder is `own`."""
        parts = {"own": self._fragment("own", own=own), "table": self._table(snapshot, own)}
        if self._before is None:
            parts["history"] = snapshot.drawn.once(lambda: self._history(snapshot), "history")
        return "".join(self._parts.changed(parts))

    def _table(self, snapshot: Snapshot, own: OwnLadderPlace | None) -> str:
        def draw() -> str:
            return self._fragment("table", **table_context(snapshot.table, own, self._cursor))

        return draw() if own else snapshot.drawn.once(draw, "table")

    def _history(self, snapshot: Snapshot) -> str:
        return self._fragment("history", **history_context(snapshot.changes, snapshot.has_more_changes, None))

    def _fragment(self, name: str, **context: Any) -> str:
        return fragment(
            "partials/ladder_update.html",
            part=name,
            source=f"partials/ladder_{name}.html",
            path=self._path,
            viewer=self._viewer,
            **context,
        )
