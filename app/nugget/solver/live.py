"""The live connection of the page of searches, which is read and drawn once for all."""

from collections.abc import Sequence
from dataclasses import dataclass, field

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


@dataclass(frozen=True, eq=False)
class SearchesSnapshot:
    """All searches at one moment."""

    searches: Sequence[SolverSearchShown]
    drawn: Drawn[str] = field(default_factory=Drawn)

    def draw(self) -> str:
        """Return what brings open pages up to date."""
        return fragment("partials/nugget_searches_update.html", **searches_context(self.searches))


class FollowedSearches:
    """Reads searches for open pages: what was committed before a call, once for all callers."""

    def __init__(self, searches: Searches) -> None:
        self._searches = searches
        self._snapshots = Shared(self._read)

    async def read(self) -> SearchesSnapshot:
        """Return the searches as they are now."""
        return await self._snapshots.read(None)

    async def _read(self, _key: None) -> SearchesSnapshot:
        return SearchesSnapshot(await self._searches.all())


@router.websocket("/nugget/solver/live")
async def live_searches(websocket: WebSocket, live: Part[Live], followed: Part[FollowedSearches]) -> None:
    """Push the searches whenever one has reported or stopped."""

    async def render(_event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        snapshot = await followed.read()
        return snapshot.drawn.once(snapshot.draw)

    async with live.page(websocket) as socket:
        push(socket, render, SEARCHES)
