"""The live connection of the page of searches, which is read and drawn once for all."""

from collections.abc import Sequence

from fastapi import APIRouter, WebSocket

from app.core.events import Event, Resync
from app.core.web.deps import Part
from app.core.web.render import fragment
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.live.sharing import Drawn, Shared
from app.nugget.solver.events import SEARCHES
from app.nugget.solver.presenter import searches_context
from app.nugget.solver.queries import SolverSearchShown
from app.nugget.solver.service import Searches

router = APIRouter(include_in_schema=False)


class FollowedSearches:
    """Reads and draws searches for open pages: what was committed before a call, once for all callers."""

    def __init__(self, searches: Searches) -> None:
        self._searches = searches
        self._snapshots = Shared(self._read)

    async def drawn(self) -> str:
        """Return what brings open pages up to date."""
        searches, drawn = await self._snapshots.read(None)
        return drawn.once(
            lambda: fragment("partials/nugget_searches_update.html", **searches_context(searches))
        )

    async def _read(self, _key: None) -> tuple[Sequence[SolverSearchShown], Drawn[str]]:
        return await self._searches.all(), Drawn()


@router.websocket("/nugget/solver/live")
async def live_searches(websocket: WebSocket, live: Part[Live], followed: Part[FollowedSearches]) -> None:
    """Push the searches whenever one has reported or stopped."""

    async def render(_event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        return await followed.drawn()

    async with live.page(websocket) as socket:
        push(socket, render, SEARCHES)
