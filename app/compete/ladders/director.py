"""The task of each process that conducts ladders soon after their games end.

Which process does it does not matter: the ladder is locked. The schedule finds what no event announced.
"""

import asyncio

from app.compete.ladders import queries
from app.compete.ladders.conduct import conduct
from app.core.database.session import Database
from app.core.realtime.bus import Bus
from app.core.realtime.hub import Hub
from app.play.games.events import EndedGames

_LOOK_EVERY = 0.5  # seconds


class LadderDirector:
    """Conducts ladders when their games end."""

    def __init__(self, database: Database, bus: Bus, hub: Hub) -> None:
        self._database = database
        self._bus = bus
        self._ended = EndedGames(hub)

    async def run(self) -> None:
        """Conduct ladders until cancelled."""
        with self._ended.listening():
            while True:
                await self.look()
                await asyncio.sleep(_LOOK_EVERY)

    async def look(self) -> None:
        """Conduct the ladders whose games have ended since the last look."""
        if ended := self._ended.take():
            await conduct(self._database, self._bus, await queries.of_games(self._database, ended))
