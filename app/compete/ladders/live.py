"""The live connection of the page of a ladder, which is read and drawn once for all who see the same."""

from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, WebSocket

from app.compete.ladders.events import ladder_topic
from app.compete.ladders.presenter import CHANGES, ROWS, history_context, table_context
from app.compete.ladders.queries import LadderChanges
from app.compete.ladders.service import LadderReader, LadderRow, Ladders
from app.core.database.rank_order import RankedPage
from app.core.events import Event, Resync
from app.core.web.deps import Part
from app.core.web.params import Before, Cursor
from app.core.web.render import fragment
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.live.sharing import Drawn, DrawnParts, Shared
from app.people.identity.service import Identity

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, eq=False)
class LadderSnapshot:
    """A page of a ladder at one moment, and what happened last."""

    table: RankedPage[LadderRow]
    changes: LadderChanges
    drawn: Drawn[str] = field(default_factory=Drawn)


class FollowedLadders:
    """Reads ladders for open pages: what was committed before a call, once for all callers."""

    def __init__(self, ladders: Ladders) -> None:
        self._ladders = ladders
        self._pages = Shared(self._read)

    async def read(self, game: str, cursor: str) -> LadderSnapshot:
        """Return a page of a ladder as it is now. Raise NotFoundError, InvalidError `bad_cursor`."""
        return await self._pages.read((game, cursor))

    async def _read(self, page: tuple[str, str]) -> LadderSnapshot:
        game, cursor = page
        table = await self._ladders.table(game, cursor, ROWS)
        return LadderSnapshot(table, await self._ladders.changes(game, None, CHANGES))


class LadderDrawing:
    """What one open page shows. Only parts that have changed are sent to it again.

    A page that shows the history before a change keeps that part of it.
    """

    def __init__(self, game: str, viewer: Identity | None, cursor: str, before: int | None) -> None:
        self._path = f"/ladders/{game}"
        self._viewer = viewer
        self._cursor = cursor
        self._before = before
        self._parts = DrawnParts()

    def update(self, snapshot: LadderSnapshot, reader: LadderReader) -> str:
        """Return what brings the page up to date for its reader."""
        own = reader.own

        def table() -> str:
            return self._fragment("table", **table_context(snapshot.table, own, self._cursor))

        def history() -> str:
            return self._fragment("history", **history_context(snapshot.changes, None))

        once = snapshot.drawn.once
        parts = {
            "own": self._fragment("own", own=own, refusal=reader.refusal),
            "table": table() if own else once(table, "table"),
        }
        if self._before is None:
            parts["history"] = once(history, "history")
        return "".join(self._parts.changed(parts))

    def _fragment(self, name: str, **context: Any) -> str:
        return fragment(
            "partials/ladder_update.html",
            part=name,
            source=f"partials/ladder_{name}.html",
            path=self._path,
            viewer=self._viewer,
            **context,
        )


@router.websocket("/ladders/{game:game}/live")
async def live_ladder(
    websocket: WebSocket,
    game: str,
    live: Part[Live],
    ladders: Part[Ladders],
    followed_ladders: Part[FollowedLadders],
    cursor: Cursor = "",
    before: Before = None,
) -> None:
    """Push a page of a ladder whenever the ladder changes."""
    async with live.page(websocket) as socket:
        viewer = socket.identity
        drawing = LadderDrawing(game, viewer, cursor, before)

        async def render(_event: Event | Resync | None, _subscription: LiveSubscription) -> str:
            reader = await ladders.reader(game, viewer)
            return drawing.update(await followed_ladders.read(game, cursor), reader)

        push(socket, render, ladder_topic(game))
