"""The games that end, collected for tasks that look for them now and then."""

import asyncio
from collections.abc import Awaitable, Callable

from app.core.events import Event, Resync
from app.core.realtime.hub import Hub
from app.play.games.events import GAMES, GameChanged

_LOOK_EVERY = 0.5  # seconds


class EndedGames:
    """The games whose end was announced since they were last taken."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._ids: set[str] = set()
        self._has_missed = False

    async def each_time(self, look: Callable[[], Awaitable[None]]) -> None:
        """Collect games, and call `look` twice a second, until cancelled."""
        self._hub.listen(self._heard, (GAMES,))
        try:
            while True:
                await look()
                await asyncio.sleep(_LOOK_EVERY)
        finally:
            self._hub.ignore(self._heard, (GAMES,))

    def take(self) -> list[str]:
        """Return the ids of the games, and forget them."""
        ids, self._ids = list(self._ids), set()
        return ids

    def has_missed_any(self) -> bool:
        """Return whether events may have been lost since this was last asked."""
        has_missed, self._has_missed = self._has_missed, False
        return has_missed

    def _heard(self, event: Event | Resync) -> None:
        match event:
            case GameChanged(game_id, is_over=True):
                self._ids.add(game_id)
            case Resync():
                self._has_missed = True
