"""The task of each process that conducts ladders soon after their games end.

Which process does it does not matter: the ladder is locked. The schedule finds what no event announced.
"""

import asyncio

from app.database.session import Database
from app.events import GAMES, Event, GameChanged, Resync
from app.ladders import queries
from app.ladders.conduct import conduct
from app.realtime.bus import Bus
from app.realtime.hub import Hub

_LOOK_EVERY = 0.5  # seconds


class LadderDirector:
    """Conducts ladders when their games end."""

    def __init__(self, database: Database, bus: Bus, hub: Hub) -> None:
        self._database = database
        self._bus = bus
        self._hub = hub
        self._ended: set[str] = set()

    async def run(self) -> None:
        """Conduct ladders until cancelled."""
        self._hub.listen(self._heard, (GAMES,))
        try:
            while True:
                await self.look()
                await asyncio.sleep(_LOOK_EVERY)
        finally:
            self._hub.ignore(self._heard, (GAMES,))

    async def look(self) -> None:
        """Conduct the ladders whose games have ended since the last look."""
        ended, self._ended = list(self._ended), set()
        if ended:
            await conduct(self._database, self._bus, await queries.of_games(self._database, ended))

    def _heard(self, event: Event | Resync) -> None:
        match event:
            case GameChanged(game_id, is_over=True):
                self._ended.add(game_id)
