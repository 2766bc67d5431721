"""The live connection of the pages of records."""

from fastapi import APIRouter, WebSocket

from app.core.events import Event, Resync
from app.core.web.deps import Part
from app.core.web.render import fragment
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.nugget.records.forms import QueryLength, QueryPlayers
from app.nugget.records.presenter import LATEST, LISTED, table_context, takings_context
from app.nugget.records.reading import Records
from app.nugget.standings import RANKING

router = APIRouter(include_in_schema=False)


@router.websocket("/nugget/records/live")
async def live_records(
    websocket: WebSocket,
    live: Part[Live],
    records: Part[Records],
    players: QueryPlayers = "people",
    boards: QueryLength = "20",
) -> None:
    """Push the records, and what was taken lately, whenever they may have changed."""

    async def render(_event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        return fragment(
            "partials/nugget_records_update.html",
            **await table_context(records, players, int(boards)),
            **await takings_context(records, players, "", LATEST),
        )

    async with live.page(websocket) as socket:
        push(socket, render, RANKING)


@router.websocket("/nugget/records/changes/live")
async def live_changes(
    websocket: WebSocket, live: Part[Live], records: Part[Records], players: QueryPlayers = "people"
) -> None:
    """Push the first page of what was taken whenever it may have changed."""

    async def render(_event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        return fragment(
            "partials/nugget_takings_update.html", **await takings_context(records, players, "", LISTED)
        )

    async with live.page(websocket) as socket:
        push(socket, render, RANKING)
